// The connection to one match. It reconnects by itself. A move that the server has not confirmed is
// sent again under the same request id, which the server plays once however often it arrives.
import type { Command, Event } from "$protocol";

export type Status = "connecting" | "open" | "lost" | "closed";

export interface Line {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onmessage: ((message: { data: unknown }) => void) | null;
  onclose: (() => void) | null;
}

export interface Wiring {
  url: () => string;
  connect?: (url: string) => Line;
  onEvent: (event: Event) => void;
  onStatus: (status: Status) => void;
  later?: (run: () => void, milliseconds: number) => unknown;
  newId?: () => string;
}

export interface PendingPlay {
  node: number;
  move: string;
  id: string;
}

const FIRST_WAIT = 300;
const LONGEST_WAIT = 8000;
const PING_EVERY = 20_000;
const SILENCE = 45_000;

export class MatchSocket {
  status: Status = "connecting";
  pending: PendingPlay | null = null;
  private line: Line | null = null;
  private tries = 0;
  private heard = 0;
  private queue: Command[] = [];
  private readonly wiring: Required<Wiring>;

  constructor(wiring: Wiring) {
    this.wiring = {
      connect: (url) => new WebSocket(url) as unknown as Line,
      later: (run, milliseconds) => setTimeout(run, milliseconds),
      newId: randomId,
      ...wiring,
    };
    this.open();
    this.wiring.later(() => this.keepAlive(), PING_EVERY);
  }

  /** Commands other than plays wait for the line too, but are not repeated. */
  send(command: Command): void {
    if (this.status === "open" && this.line) this.line.send(JSON.stringify(command));
    else if (command.type !== "ping") this.queue.push(command);
  }

  /** Sends a move and returns its request id, which the node that it becomes will carry. */
  play(node: number, move: string): string {
    const id = this.wiring.newId();
    this.pending = { node, move, id };
    if (this.status === "open") this.sendPending();
    return id;
  }

  /** Somebody pressed "Retry": do not wait for the next try. */
  retry(): void {
    if (this.status === "lost") this.open();
  }

  close(): void {
    this.setStatus("closed");
    this.line?.close();
    this.line = null;
  }

  private open(): void {
    if (this.status === "closed") return;
    const line = this.wiring.connect(this.wiring.url());
    this.line = line;
    line.onopen = () => {
      if (this.line !== line) return;
      this.heard = Date.now();
      this.setStatus("open");
    };
    line.onmessage = (message) => {
      if (this.line === line) this.receive(message.data);
    };
    line.onclose = () => {
      if (this.line === line) this.lost();
    };
  }

  private lost(): void {
    this.line = null;
    if (this.status === "closed") return;
    this.setStatus("lost");
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(this.tries, 10));
    this.tries += 1;
    this.wiring.later(() => {
      if (this.status === "lost" && !this.line) this.open();
    }, wait);
  }

  private receive(data: unknown): void {
    this.heard = Date.now();
    let event: Event;
    try {
      event = JSON.parse(String(data)) as Event;
    } catch {
      return;
    }
    if (this.pending && answers(event, this.pending)) this.pending = null;
    if (event.type === "match") {
      this.tries = 0;
      this.wiring.onEvent(event);
      this.sendPending();
      for (const command of this.queue.splice(0)) this.send(command);
      return;
    }
    this.wiring.onEvent(event);
  }

  private sendPending(): void {
    if (this.pending) this.send({ type: "play", ...this.pending });
  }

  private keepAlive(): void {
    if (this.status === "closed") return;
    if (this.status === "open") {
      // A line can be dead without saying so (a laptop that slept): silence is taken for that.
      if (Date.now() - this.heard > SILENCE) this.line?.close();
      else this.send({ type: "ping" });
    }
    this.wiring.later(() => this.keepAlive(), PING_EVERY);
  }

  private setStatus(status: Status): void {
    if (this.status === status) return;
    this.status = status;
    this.wiring.onStatus(status);
  }
}

/**
 * Whether an event says what became of a play. Only the request id tells: the server may record
 * another text than was sent (a preset's `e2-e4` becomes `P e2-e4`).
 */
function answers(event: Event, play: PendingPlay): boolean {
  switch (event.type) {
    case "match":
      return event.match.nodes.some((node) => node.request === play.id);
    case "moved":
      return event.node.request === play.id;
    case "refused":
      return event.id === play.id;
    case "asked": // the turn is incomplete; its completion is another play
      return event.node === play.node;
    default:
      return false;
  }
}

function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
