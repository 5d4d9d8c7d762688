//! Which connections give way.

use std::net::Ipv4Addr;

use super::*;

fn slots(connections: usize, by_address: usize, waiting: usize) -> Arc<Slots> {
    let limits = ServerLimits {
        connections,
        connections_by_address: by_address,
        waiting_by_address: waiting,
        ..ServerLimits::default()
    };
    Arc::clone(&Connections::new(Arc::new(limits), &[]).slots)
}

fn home(n: u32) -> Household {
    Household::of(Ipv4Addr::from(n).into())
}

fn is_closed(slot: &SlotGuard) -> bool {
    !slot.0.slots.lock().contains_key(&slot.0.number)
}

#[test]
fn half_sent_requests_keep_nobody_out() {
    let slots = slots(1000, 1000, 3);
    let mut half: Vec<SlotGuard> = (0..50).filter_map(|_| slots.enter(home(1))).collect();
    assert_eq!(half.len(), 50, "the newest always comes in");
    let n_open = half.iter().filter(|it| !is_closed(it)).count();
    assert_eq!(n_open, 3);
    assert!(half[..47].iter().all(is_closed), "the oldest go first");
    // Once a request is whole, it is safe.
    let whole = slots.enter(home(1)).expect("there is room");
    whole.0.is_whole();
    half.extend((0..50).filter_map(|_| slots.enter(home(1))));
    assert!(!is_closed(&whole));
    let other = slots.enter(home(2)).expect("there is room");
    assert!(!is_closed(&other));
}

#[test]
fn a_full_server_closes_who_waits_and_refuses_only_if_nobody_does() {
    let slots = slots(4, 4, 4);
    let waiting = slots.enter(home(1)).expect("there is room");
    let busy: Vec<SlotGuard> = (2..5).filter_map(|it| slots.enter(home(it))).collect();
    busy.iter().for_each(|it| it.0.is_whole());
    let next = slots.enter(home(9)).expect("the one that waits gives way");
    assert!(is_closed(&waiting) && !is_closed(&next));
    next.0.is_whole();
    assert!(slots.enter(home(10)).is_none());
    next.0.waits();
    assert!(slots.enter(home(10)).is_some());
    drop(busy);
    assert!(slots.enter(home(11)).is_some());
}
