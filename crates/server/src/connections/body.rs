//! Bodies of requests, which must come at a least speed, and of answers, whose end is noted.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use axum::{Error, body::Bytes};
use hyper::body::{Body, Frame, SizeHint};
use tokio::time::{Sleep, sleep};

/// How long a body may take beside the time for its bytes.
const GRACE: Duration = Duration::from_secs(10);
/// Bytes a second that a body must have on average.
const LEAST_SPEED: u64 = 16 << 10;

/// The body of a request. Reading it fails when it comes too slowly.
pub(super) struct RequestBody<B, F: FnMut()> {
    inner: B,
    timer: Pin<Box<Sleep>>,
    /// Called when all of it has come.
    at_end: F,
}

impl<B: Body, F: FnMut()> RequestBody<B, F> {
    pub fn new(inner: B, at_end: F) -> RequestBody<B, F> {
        RequestBody { inner, timer: Box::pin(sleep(GRACE)), at_end }
    }
}

impl<B, F> Body for RequestBody<B, F>
where
    B: Body<Data = Bytes> + Unpin,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    F: FnMut() + Unpin,
{
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        let polled = Pin::new(&mut self.inner).poll_frame(cx);
        match &polled {
            Poll::Pending => {
                if self.timer.as_mut().poll(cx).is_ready() {
                    let late = io::Error::new(io::ErrorKind::TimedOut, "the body comes too slowly");
                    return Poll::Ready(Some(Err(Error::new(late))));
                }
            }
            Poll::Ready(Some(Ok(frame))) => {
                let n_bytes = frame.data_ref().map_or(0, |it| it.len() as u64);
                let more = Duration::from_micros(n_bytes * 1_000_000 / LEAST_SPEED);
                let deadline = self.timer.deadline() + more;
                self.timer.as_mut().reset(deadline);
            }
            Poll::Ready(_) => {}
        }
        if self.inner.is_end_stream() || matches!(polled, Poll::Ready(None)) {
            (self.at_end)();
        }
        polled.map(|it| it.map(|it| it.map_err(Error::new)))
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

/// The body of an answer.
pub(super) struct AnswerBody<B, F: FnMut()> {
    inner: B,
    /// Called when it has been sent, or nobody wants it any more.
    at_end: F,
}

impl<B: Body, F: FnMut()> AnswerBody<B, F> {
    pub fn new(inner: B, at_end: F) -> AnswerBody<B, F> {
        AnswerBody { inner, at_end }
    }
}

impl<B, F: FnMut()> Drop for AnswerBody<B, F> {
    fn drop(&mut self) {
        (self.at_end)();
    }
}

impl<B: Body + Unpin, F: FnMut() + Unpin> Body for AnswerBody<B, F> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
        Pin::new(&mut self.inner).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use std::{cell::Cell, future::poll_fn, task::ready};

    use super::*;

    /// A body that sends some bytes each time that an interval has passed.
    struct Dripping {
        n_bytes: usize,
        n_left: usize,
        every: Duration,
        timer: Pin<Box<Sleep>>,
    }

    impl Dripping {
        fn new(n_bytes: usize, n_left: usize, every: Duration) -> Dripping {
            Dripping { n_bytes, n_left, every, timer: Box::pin(sleep(every)) }
        }
    }

    impl Body for Dripping {
        type Data = Bytes;
        type Error = io::Error;

        fn poll_frame(
            mut self: Pin<&mut Self>,
            cx: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
            if self.n_left == 0 {
                return Poll::Ready(None);
            }
            ready!(self.timer.as_mut().poll(cx));
            self.n_left -= 1;
            self.timer = Box::pin(sleep(self.every));
            Poll::Ready(Some(Ok(Frame::data(Bytes::from(vec![0; self.n_bytes])))))
        }
    }

    /// How many bytes came, and whether that was all.
    async fn read(body: Dripping) -> (usize, bool) {
        let has_ended = Cell::new(false);
        let mut body = RequestBody::new(body, || has_ended.set(true));
        let mut n = 0;
        while let Some(Ok(frame)) = poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await {
            n += frame.into_data().map_or(0, |it| it.len());
        }
        (n, has_ended.get())
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_drips_is_given_up_and_a_slow_one_is_read() {
        let second = Duration::from_secs(1);
        let (n, is_whole) = read(Dripping::new(1, 1000, second)).await;
        assert!(n <= 10 && !is_whole, "{n}");
        let (n, is_whole) = read(Dripping::new(32 << 10, 100, second)).await;
        assert!(n == 100 * (32 << 10) && is_whole, "{n}");
    }
}
