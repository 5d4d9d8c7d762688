//! A disk that fails while people play: they are told in words, and play goes on when it works
//! again, without a restart.

use boardwright_faulty_disk::{DiskFault, DiskOperation, FaultRule, FaultyDisk};
use boardwright_store::Store;
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};

use crate::{
    app::App,
    outbox::{Inbox, outbox},
    table::Message,
    testing::{app_on, new_match_with_key},
};

/// A player at a board of tic-tac-toe.
struct Player {
    app: App,
    id: String,
    key: String,
    reader: u64,
    sender: mpsc::Sender<Message>,
    events: Inbox,
}

impl Player {
    async fn sit_down(app: App, id: String, key: String) -> Player {
        let sender = app.tables.open(&id).await.expect("it opens");
        let (out, events, _overflow) = outbox();
        let (reply, joined) = oneshot::channel();
        let join = Message::Join { key: key.clone(), person: "Ada".into(), out, reply };
        sender.send(join).await.expect("it is open");
        let reader = joined.await.expect("an answer");
        Player { app, id, key, reader, sender, events }
    }

    /// The next event of a kind.
    async fn wait(&mut self, kind: &str) -> Value {
        loop {
            let event = self.events.next().await.unwrap_or_else(|| panic!("no `{kind}` is told"));
            let event: Value = serde_json::from_str(&event).expect("JSON");
            if event["type"] == kind {
                return event;
            }
            assert_ne!(event["type"], "refused", "{event}");
        }
    }

    async fn play(&mut self, node: usize, mv: &str) {
        let command = json!({ "type": "play", "node": node, "move": mv, "id": format!("r{node}") });
        let command = serde_json::from_value(command).expect("a command");
        self.sender.send(Message::Command(self.reader, command)).await.expect("it is open");
    }

    /// As a page does whose connection was closed.
    async fn again(self) -> Player {
        self.sender.closed().await;
        Player::sit_down(self.app, self.id, self.key).await
    }
}

/// A player on a disk, who has played one move.
async fn player(disk: &FaultyDisk, data: &tempfile::TempDir) -> Player {
    let store = Store::open_on(&disk.path("boardwright.db"), disk).await.expect("opens");
    let app = app_on(store, data).await;
    let (id, key) = new_match_with_key(&app).await;
    let mut player = Player::sit_down(app, id, key).await;
    let seen = player.wait("match").await;
    assert_eq!(seen["match"]["current"], 0, "{seen}");
    player.play(0, "X Token b2").await;
    player.wait("moved").await;
    player
}

/// What is said when a move is refused because of a fault.
async fn refused(player: &mut Player) -> String {
    player.play(1, "O Token a1").await;
    let refused = player.wait("refused").await;
    assert_eq!(refused["id"], "r1", "{refused}");
    format!("{} / {}", refused["message"], refused["why"])
}

#[tokio::test(flavor = "multi_thread")]
async fn on_a_full_disk_a_move_is_refused_in_words_and_made_when_there_is_room() {
    let data = tempfile::tempdir().expect("a folder");
    let disk = FaultyDisk::new(1);
    let mut player = player(&disk, &data).await;
    disk.set_room(Some(disk.size()));
    for _ in 0..3 {
        let said = refused(&mut player).await;
        assert!(said.contains("could not be stored, so it did not happen"), "{said}");
        assert!(said.contains("the disk is full. Nothing that was confirmed is lost."), "{said}");
    }
    let settings = player.app.store.set_setting("user", "{}").await.expect_err("full");
    let error = crate::error::ApiError::from(settings);
    assert_eq!(error.status, 507);
    assert!(error.problem.error.contains("the disk is full"), "{error:?}");
    assert!(error.problem.hint.as_ref().is_some_and(|it| it.contains("Make room")), "{error:?}");
    disk.heal();
    player.play(1, "O Token a1").await;
    let moved = player.wait("moved").await;
    assert_eq!(moved["node"]["ply"], 2, "{moved}");
    // It is on the disk.
    disk.cut_power();
    let disk = disk.restarted();
    let store = Store::open_on(&disk.path("boardwright.db"), &disk).await.expect("opens");
    let stored = store.match_with_events(&player.id).await.expect("read").expect("is there");
    let moves: Vec<&str> = stored.events.iter().map(|it| it.text.as_str()).collect();
    assert!(moves.ends_with(&["X Token b2", "O Token a1"]), "{moves:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_failure_of_the_disk_the_match_is_read_again_and_the_move_is_made_once() {
    for operation in [DiskOperation::Write, DiskOperation::Sync, DiskOperation::MemoryLock] {
        let data = tempfile::tempdir().expect("a folder");
        let disk = FaultyDisk::new(1);
        let mut player = player(&disk, &data).await;
        let rule = FaultRule::from(DiskFault::Failure, disk.n_operations() + 1);
        disk.add_rule(FaultRule { only: Some(operation), ..rule });
        let said = refused(&mut player).await;
        assert!(said.contains("the match is loaded again"), "{said}");
        assert!(said.contains("the disk failed to read or write. "), "{said}");
        disk.heal();
        let mut player = player.again().await;
        let seen = player.wait("match").await;
        // Sent again, it is made once, whether it was stored or not.
        let before = seen["match"]["current"].as_u64().expect("a node");
        player.play(1, "O Token a1").await;
        let told = match before {
            1 => player.wait("moved").await["node"]["ply"].clone(),
            _ => player.wait("match").await["match"]["current"].clone(),
        };
        assert_eq!(told, 2, "{operation:?}");
    }
}
