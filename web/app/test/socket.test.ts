import type { Command, Event, MatchView, NodeView } from "$protocol";
import { beforeEach, describe, expect, it } from "vitest";
import { MatchSocket, type Connection, type Status } from "../src/lib/socket";

class FakeLine implements Connection {
  sent: Command[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;
  send(text: string) {
    this.sent.push(JSON.parse(text) as Command);
  }
  close() {
    this.onclose?.();
  }
  hear(event: Event) {
    this.onmessage?.({ data: JSON.stringify(event) });
  }
}

const node = (id: number, parent: number | null, long: string, request = ""): NodeView => ({
  id,
  parent,
  ply: id,
  player: 0,
  owner: 0,
  short: long,
  long,
  partial: false,
  kind: "move",
  comment: "",
  score: null,
  round: 0,
  request,
});
const match = (nodes: NodeView[]) =>
  ({ type: "match", match: { nodes, current: 0 } as unknown as MatchView }) as Event;
const START = node(0, null, "");

let lines: FakeLine[];
let statuses: Status[];
let events: Event[];
let waits: { run: () => void; milliseconds: number }[];
let socket: MatchSocket;
let ids: number;
const last = () => lines[lines.length - 1]!;
const plays = (line: FakeLine) => line.sent.filter((command) => command.type === "play");
/** Runs what waits for less than ten seconds: the next try to connect. */
const wait = () => {
  for (const one of waits.splice(0).filter((it) => it.milliseconds < 10_000)) one.run();
};

beforeEach(() => {
  lines = [];
  statuses = [];
  events = [];
  waits = [];
  ids = 0;
  socket = new MatchSocket({
    url: () => "ws://here",
    connect: () => {
      const line = new FakeLine();
      lines.push(line);
      return line;
    },
    onEvent: (event) => events.push(event),
    onStatus: (status) => statuses.push(status),
    later: (run, milliseconds) => waits.push({ run, milliseconds }),
    newId: () => `id${(ids += 1)}`,
  });
});

describe("the line to a match", () => {
  it("sends a move once and forgets it when it is confirmed", () => {
    last().onopen?.();
    last().hear(match([START]));
    socket.play(0, "e2-e4");
    expect(plays(last())).toEqual([{ type: "play", node: 0, move: "e2-e4", id: "id1" }]);
    last().hear({
      type: "moved",
      node: node(1, 0, "e2-e4", "id1"),
      state: {} as never,
      effects: [],
      version: 1,
    });
    expect(socket.pending).toBeNull();
    last().close();
    wait();
    last().onopen?.();
    last().hear(match([START, node(1, 0, "e2-e4", "id1")]));
    expect(plays(last())).toEqual([]);
  });

  it("repeats an unconfirmed move under the same id after a break", () => {
    last().onopen?.();
    last().hear(match([START]));
    socket.play(0, "e2-e4");
    last().close();
    expect(socket.status).toBe("lost");
    wait();
    expect(lines.length).toBe(2);
    last().onopen?.();
    expect(plays(last())).toEqual([]); // not before the server has told what it knows
    last().hear(match([START]));
    expect(plays(last())).toEqual([{ type: "play", node: 0, move: "e2-e4", id: "id1" }]);
  });

  it("does not repeat a move that arrived although the answer was lost", () => {
    last().onopen?.();
    last().hear(match([START]));
    socket.play(0, "e2-e4");
    last().close();
    wait();
    last().onopen?.();
    last().hear(match([START, node(1, 0, "e2-e4", "id1")]));
    expect(plays(last())).toEqual([]);
    expect(socket.pending).toBeNull();
  });

  it("does not resend a preset's turn that the server records with another text", () => {
    last().onopen?.();
    last().hear(match([START]));
    socket.play(0, "e2-e4");
    last().hear({
      type: "moved",
      node: node(1, 0, "P e2-e4", "id1"),
      state: {} as never,
      effects: [],
      version: 1,
    });
    expect(socket.pending).toBeNull();
    // a move by somebody else, a take-back: each sends the whole match again
    for (let i = 0; i < 3; i += 1) last().hear(match([START, node(1, 0, "P e2-e4", "id1")]));
    expect(plays(last()).length).toBe(1);
  });

  it("is not confirmed by another player's move with the same text", () => {
    last().onopen?.();
    last().hear(match([START]));
    socket.play(0, "e2-e4");
    last().close();
    wait();
    last().onopen?.();
    last().hear(match([START, node(1, 0, "e2-e4", "theirs")]));
    expect(plays(last())).toEqual([{ type: "play", node: 0, move: "e2-e4", id: "id1" }]);
  });

  it("does not resend a turn that the server asked to complete", () => {
    last().onopen?.();
    last().hear(match([START]));
    socket.play(0, "e7-e8");
    last().hear({ type: "asked", node: 0, text: "Promote to?", choices: [] });
    last().hear(match([START]));
    expect(plays(last()).length).toBe(1);
  });

  it("keeps a move made while there is no line", () => {
    last().onopen?.();
    last().hear(match([START]));
    last().close();
    socket.play(0, "d2-d4");
    wait();
    last().onopen?.();
    last().hear(match([START]));
    expect(plays(last()).length).toBe(1);
  });

  it("forgets a refused move, but not by somebody else's refusal", () => {
    last().onopen?.();
    last().hear(match([START]));
    socket.play(0, "e2-e5");
    last().hear({ type: "refused", message: "no", why: null, id: null });
    expect(socket.pending).not.toBeNull();
    last().hear({ type: "refused", message: "no", why: null, id: "id1" });
    expect(socket.pending).toBeNull();
  });

  it("waits longer each time, and from the shortest time again after success", () => {
    const tries = () => waits.filter((it) => it.milliseconds < 10_000).map((it) => it.milliseconds);
    last().close();
    expect(tries()).toEqual([300]);
    wait();
    last().close();
    expect(tries()).toEqual([600]);
    wait();
    last().onopen?.();
    last().hear(match([START]));
    last().close();
    expect(tries()).toEqual([300]);
  });

  it("stays closed when it was closed", () => {
    last().onopen?.();
    socket.close();
    wait();
    expect(lines.length).toBe(1);
    expect(statuses).toEqual(["open", "closed"]);
  });

  it("is not disturbed by text that is not an event", () => {
    last().onopen?.();
    last().onmessage?.({ data: "{" });
    expect(events).toEqual([]);
  });
});
