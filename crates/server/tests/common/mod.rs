//! A real server on a free port, and the simplest clients for it.

#![allow(dead_code, unused_imports, reason = "each test file uses a part")]

mod client;

use std::{ops::Deref, time::Duration};

use boardwright_server::{Config, Server, ServerLimits};
use tokio::{sync::oneshot, task::JoinHandle};

pub use self::client::*;

/// A server with a data folder of its own, and the person at its machine as a client.
pub struct Running {
    pub data: tempfile::TempDir,
    owner: Client,
    end: Option<oneshot::Sender<()>>,
    task: Option<JoinHandle<()>>,
}

impl Deref for Running {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.owner
    }
}

impl Running {
    pub async fn start() -> Running {
        Running::start_in(tempfile::tempdir().expect("a folder")).await
    }

    pub async fn start_in(data: tempfile::TempDir) -> Running {
        Running::start_as(data, |_| {}).await
    }

    /// A server that is set up in a way of its own.
    pub async fn start_with(change: impl FnOnce(&mut Config)) -> Running {
        Running::start_as(tempfile::tempdir().expect("a folder"), change).await
    }

    async fn start_as(data: tempfile::TempDir, change: impl FnOnce(&mut Config)) -> Running {
        let mut config = Config { port: Some(0), ..Config::in_folder(data.path().to_owned()) };
        change(&mut config);
        let server = Server::open(&config).await.expect("it opens");
        let owner = Client::of_url(&server.owner_url().expect("it listens"));
        let (end, ended) = oneshot::channel::<()>();
        let task = tokio::spawn(async move {
            let end = async {
                let _ = ended.await;
            };
            server.run(end).await.expect("it runs");
        });
        Running { data, owner, end: Some(end), task: Some(task) }
    }

    /// Ends the server; its data stay.
    pub async fn stop(mut self) -> tempfile::TempDir {
        drop(self.end.take());
        if let Some(task) = self.task.take() {
            task.await.expect("it ends well");
        }
        self.data
    }
}
