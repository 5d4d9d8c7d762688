//! A connection that is given up when the other side does not read.

use std::{
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Sleep, sleep},
};

/// How long the other side may take to make room for more bytes.
const STALLED: Duration = Duration::from_secs(20);

/// A connection on which writing fails after [`STALLED`] without progress.
pub(super) struct PatientIo<S> {
    inner: S,
    /// Runs while a write waits.
    timer: Option<Pin<Box<Sleep>>>,
    /// Whether a write waits, for others to see.
    is_stalled: Arc<AtomicBool>,
}

impl<S> PatientIo<S> {
    pub fn new(inner: S, is_stalled: Arc<AtomicBool>) -> PatientIo<S> {
        PatientIo { inner, timer: None, is_stalled }
    }

    fn watched<T>(
        &mut self,
        written: Poll<io::Result<T>>,
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<T>> {
        self.is_stalled.store(written.is_pending(), Ordering::Relaxed);
        if written.is_ready() {
            self.timer = None;
            return written;
        }
        let timer = self.timer.get_or_insert_with(|| Box::pin(sleep(STALLED)));
        match timer.as_mut().poll(cx) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for PatientIo<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_read(cx, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for PatientIo<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write(cx, bytes);
        self.watched(written, cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write_vectored(cx, bytes);
        self.watched(written, cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.inner).poll_flush(cx);
        self.watched(flushed, cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let shut = Pin::new(&mut self.inner).poll_shutdown(cx);
        self.watched(shut, cx)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn who_does_not_read_is_given_up_and_who_reads_slowly_is_not() {
        let (near, mut far) = duplex(8);
        let mut near = PatientIo::new(near, Arc::default());
        let writing = tokio::spawn(async move { near.write_all(&[7; 64]).await });
        for _ in 0..8 {
            sleep(STALLED / 2).await;
            far.read_exact(&mut [0; 8]).await.expect("it is open");
        }
        writing.await.expect("it ends").expect("a slow reader gets everything");
        let (near, _far) = duplex(8);
        let failed = PatientIo::new(near, Arc::default())
            .write_all(&[7; 64])
            .await
            .expect_err("nobody reads");
        assert_eq!(failed.kind(), io::ErrorKind::TimedOut);
    }
}
