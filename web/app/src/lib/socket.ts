// The connection to one match. It reconnects by itself. A move that the server has not confirmed is
// sent again under the same request id, which the server plays once however often it arrives.
import type { Command, Event } from "$protocol";

export type Status = "connecting" | "open" | "lost" | "closed";

export interface Connection {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onmessage: ((message: { data: unknown }) => void) | null;
  onclose: (() => void) | null;
}

export interface SocketOptions {
  url: () => string;
  connect?: (url: string) => Connection;
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

const FIRST_RETRY_MS = 300;
const MAX_RETRY_MS = 8000;
const PING_INTERVAL_MS = 20_000;
const SILENCE_LIMIT_MS = 45_000;

export class MatchSocket {
  status: Status = "connecting";
  pending: PendingPlay | null = null;
  private connection: Connection | null = null;
  private nTries = 0;
  private lastHeardAt = 0;
  private queue: Command[] = [];
  private readonly options: Required<SocketOptions>;

  constructor(options: SocketOptions) {
    this.options = {
      connect: (url) => new WebSocket(url) as unknown as Connection,
      later: (run, milliseconds) => setTimeout(run, milliseconds),
      newId: randomId,
      ...options,
    };
    this.open();
    this.options.later(() => this.keepAlive(), PING_INTERVAL_MS);
  }

  /** Commands other than plays wait for the connection too, but are not repeated. */
  send(command: Command): void {
    if (this.status === "open" && this.connection) this.connection.send(JSON.stringify(command));
    else if (command.type !== "ping") this.queue.push(command);
  }

  /** Sends a move and returns its request id, which the node that it becomes will carry. */
  play(node: number, move: string): string {
    const id = this.options.newId();
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
    this.connection?.close();
    this.connection = null;
  }

  private open(): void {
    if (this.status === "closed") return;
    const connection = this.options.connect(this.options.url());
    this.connection = connection;
    connection.onopen = () => {
      if (this.connection !== connection) return;
      this.lastHeardAt = Date.now();
      this.setStatus("open");
    };
    connection.onmessage = (message) => {
      if (this.connection === connection) this.receive(message.data);
    };
    connection.onclose = () => {
      if (this.connection === connection) this.lost();
    };
  }

  private lost(): void {
    this.connection = null;
    if (this.status === "closed") return;
    this.setStatus("lost");
    const wait = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(this.nTries, 10));
    this.nTries += 1;
    this.options.later(() => {
      if (this.status === "lost" && !this.connection) this.open();
    }, wait);
  }

  private receive(data: unknown): void {
    this.lastHeardAt = Date.now();
    let event: Event;
    try {
      event = JSON.parse(String(data)) as Event;
    } catch {
      return;
    }
    if (this.pending && answers(event, this.pending)) this.pending = null;
    if (event.type === "match") {
      this.nTries = 0;
      this.options.onEvent(event);
      this.sendPending();
      for (const command of this.queue.splice(0)) this.send(command);
      return;
    }
    this.options.onEvent(event);
  }

  private sendPending(): void {
    if (this.pending) this.send({ type: "play", ...this.pending });
  }

  private keepAlive(): void {
    if (this.status === "closed") return;
    if (this.status === "open") {
      // A connection can be dead without saying so (a laptop that slept): silence is taken for that.
      if (Date.now() - this.lastHeardAt > SILENCE_LIMIT_MS) this.connection?.close();
      else this.send({ type: "ping" });
    }
    this.options.later(() => this.keepAlive(), PING_INTERVAL_MS);
  }

  private setStatus(status: Status): void {
    if (this.status === status) return;
    this.status = status;
    this.options.onStatus(status);
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
