// One match on the page: the connection, commands and events. The server decides
// everything; the record is in `record`, the node that is shown in `viewer`, help in `assistant`.
import type {
  Command,
  Event,
  GameView,
  MatchView,
  MoveView,
  NodeView,
  Player,
  Site,
  StateView,
} from "$protocol";
import * as api from "./api";
import { Assistant } from "./assistant.svelte";
import { ConnectionNotice, noticeRefusal } from "./notices";
import { MatchRecord } from "./record.svelte";
import { MatchSocket, type Status } from "./socket";
import { say, toast } from "./toast.svelte";
import { isSkipped } from "./tree";
import { Viewer } from "./viewer.svelte";
import { t } from "./words";

export type Asked = Extract<Event, { type: "asked" }>;
export type Refused = Extract<Event, { type: "refused" }>;
export type Tried = Extract<Event, { type: "tried" }>;

/** Time in which a player sees that there is no legal move. */
const PASS_DELAY_MS = 900;

export class Session {
  game = $state.raw<GameView | null>(null);
  problem = $state.raw<unknown>(null);
  status = $state<Status>("connecting");
  asked = $state.raw<Asked | null>(null); // a choice that completes a turn
  refused = $state.raw<Refused | null>(null); // the last refusal
  nUnread = $state(0); // chat messages

  private readonly record = new MatchRecord();
  readonly viewer: Viewer;
  readonly assistant: Assistant;
  private readonly socket: MatchSocket;
  private readonly connection: ConnectionNotice;
  private loading = ""; // the game that was asked for

  /** The seat that may move in the state that is shown, if it is ours. */
  mySeat = $derived.by(() => {
    const seat = this.viewer.state?.seat ?? null;
    return seat !== null && this.match?.you.includes(seat) ? seat : null;
  });
  canMove = $derived.by(() => {
    const isOpen = this.mySeat !== null && this.viewer.state?.outcome === null;
    return isOpen && (this.viewer.isLive || this.match?.owner === true);
  });

  onTried: ((tried: Tried) => void) | null = null;
  onWhy: ((text: string) => void) | null = null;
  onExplain: ((site: Site) => void) | null = null; // how does the piece there move?
  onMoved: (() => void) | null = null;

  constructor(readonly id: string) {
    const send = (command: Command) => this.send(command);
    this.viewer = new Viewer(this.record, send, () => this.leaveNode());
    this.assistant = new Assistant(this.record, this.viewer, send);
    this.connection = new ConnectionNotice(() => this.retry());
    this.socket = new MatchSocket({
      url: () => api.socketUrl(id),
      onEvent: (event) => this.receive(event),
      onStatus: (status) => this.changeStatus(status),
    });
    const known = api.gameOfMatch(id);
    if (known) void this.loadGame(known.game, known.n);
  }

  get match(): MatchView | null {
    return this.record.match;
  }

  get tree() {
    return this.record.tree;
  }

  close(): void {
    this.viewer.stopAutoplay();
    this.assistant.dropHint();
    this.socket.close();
  }

  send(command: Command): void {
    this.socket.send(command);
  }

  retry(): void {
    this.socket.retry();
  }

  // ---- moving

  /** Plays a move of the list and returns its request id. */
  play(move: MoveView): string | null {
    const node = this.viewer.state?.node;
    return node === undefined ? null : this.playText(node, move.long);
  }

  /** Plays a move by its text and returns its request id. */
  playText(node: number, text: string): string {
    this.viewer.stopAutoplay();
    this.assistant.dropHint();
    if (this.match && node !== this.match.current) this.send({ type: "goOnFrom", node });
    const request = this.socket.play(node, text);
    if (this.status === "lost") this.connection.lost(true);
    return request;
  }

  /**
   * Passes where nothing else is legal; at once in a turn that the rules only skip, else after the
   * player had time to see why. Only after a move: who takes moves back is not sent on again.
   */
  private passIfForced(node: NodeView, state: StateView): void {
    const [only, other] = state.moves;
    if (!only?.pass || other || !this.canMove || this.viewer.openSteps.length > 0) return;
    const pass = () => {
      if (this.viewer.node === state.node && this.viewer.isLive && this.canMove) this.play(only);
    };
    setTimeout(pass, isSkipped(node) ? 0 : PASS_DELAY_MS);
  }

  takeBack(): void {
    if (this.viewer.isLive || !this.match) this.send({ type: "takeBack" });
    else this.continueFrom(this.tree.parent(this.viewer.node) ?? this.viewer.node);
  }

  /** The next move that was taken back, if there is one. */
  get redoNode(): number | null {
    return this.tree.children(this.match?.current ?? this.viewer.node)[0] ?? null;
  }

  redo(): void {
    const node = this.redoNode;
    if (node !== null) this.continueFrom(node);
  }

  continueFrom(node: number): void {
    this.assistant.dropHint();
    this.viewer.node = node;
    this.send({ type: "goOnFrom", node });
  }

  undoSteps(all: boolean): void {
    const steps = this.viewer.openSteps;
    const from = all ? steps[0] : steps[steps.length - 1];
    if (from && from.parent !== null) this.continueFrom(from.parent);
  }

  /** Says why nothing can be moved now: somebody else is to move, or another state is shown. */
  noticeIdle(): void {
    const view = this.viewer.state;
    if (!view || view.outcome || this.canMove) return;
    const name = this.playerName(view.mover);
    const text = !this.viewer.isLive
      ? t("play.notLive")
      : view.isChance
        ? t("play.notRolled")
        : t("play.notYourTurn", { name });
    toast({ text, icon: "info" });
    say(text, true);
  }

  // ---- names

  playerName(player: Player | null): string {
    return player === null ? "" : (this.game?.players[player]?.name ?? "");
  }

  /** A node of the record in few signs; a drop that the game passes by is the pass. */
  textOf = (node: NodeView): string => {
    const { game } = this;
    const isPass = game?.passSites.some((site) => {
      const name = game.layout.cells[site]?.name;
      return name && (node.short === name || node.short.endsWith(` ${name}`));
    });
    return isPass ? t("bar.pass") : node.short;
  };

  /** The column of the move list for what a node did; null for chance that nobody owns. */
  columnOf = (node: NodeView): number | null => {
    const at = (player: Player | null) =>
      this.match?.seats.findIndex((seat) => seat.player === player) ?? -1;
    const own = at(node.player);
    const column = own < 0 ? at(node.owner) : own;
    return column < 0 ? null : column;
  };

  // ---- events

  private receive(event: Event): void {
    switch (event.type) {
      case "match":
        return this.receiveMatch(event.match);
      case "moved":
        return this.receiveMoved(event);
      case "state":
        this.record.addState(event.state);
        return this.viewer.receive(event.state);
      case "thinking":
        this.assistant.thinking = event.thinking;
        return;
      case "analysis":
        return this.assistant.receiveAnalysis(event);
      case "hint":
        return this.assistant.receiveHint(event);
      case "probed":
        this.assistant.probed = event;
        return;
      case "whyNot":
        return this.assistant.receiveWhyNot(event, (site) => this.onExplain?.(site));
      case "tried":
        return this.onTried?.(event);
      case "comment":
        return this.record.editNode(event.node, { comment: event.text });
      case "score":
        return this.record.editNode(event.node, { score: event.score });
      case "chat":
        this.record.addChat(event.name, event.text);
        this.nUnread += 1;
        return;
      case "refused":
        return this.receiveRefused(event);
      case "asked":
        this.asked = event;
        return;
      case "pong":
        return;
    }
  }

  private receiveMatch(match: MatchView): void {
    const before = this.match?.current;
    const { viewer } = this;
    const isGone = !match.nodes.some((node) => node.id === viewer.node);
    const follows =
      before === undefined || viewer.isLive || viewer.node === match.current || isGone;
    this.record.replace(match);
    this.assistant.thinking = match.thinking;
    this.assistant.isPaused = match.paused ?? false;
    void this.loadGame(match.game, match.n);
    api.keepGameOfMatch(match);
    if (follows) {
      if (before !== match.current) this.assistant.dropHint();
      const isOneStep = before !== undefined && this.tree.parent(match.current) === before;
      viewer.node = match.current;
      viewer.show(match.state, isOneStep ? null : []);
    }
    this.assistant.follow();
  }

  private receiveMoved({ node, state, effects, version }: Extract<Event, { type: "moved" }>): void {
    const { viewer } = this;
    if (!this.match) return;
    const follows = viewer.isLive || viewer.node === node.id || viewer.node === node.parent;
    this.record.addMove(node, state, version);
    if (!follows) return;
    this.assistant.dropHint();
    viewer.node = node.id;
    viewer.show(state, effects);
    this.passIfForced(node, state);
    this.onMoved?.();
    this.assistant.follow();
  }

  private receiveRefused(refused: Refused): void {
    this.refused = refused;
    // shown again: the board puts a piece back that was dropped where it may not go
    const state = this.viewer.state ?? this.match?.state;
    if (state) this.viewer.show({ ...state }, []);
    noticeRefusal(refused, (why) => this.onWhy?.(why));
  }

  private leaveNode(): void {
    this.assistant.dropHint();
    this.assistant.probed = null;
    this.assistant.follow();
  }

  private async loadGame(id: string, n: number): Promise<void> {
    const wanted = `${id} ${n}`;
    if (this.loading === wanted) return;
    this.loading = wanted;
    try {
      const game = await api.game(id, n);
      if (this.loading === wanted) this.game = game;
    } catch (problem) {
      if (this.loading === wanted) this.problem = problem;
    }
  }

  private changeStatus(status: Status): void {
    this.status = status;
    if (status === "open") this.connection.open();
    else if (status === "lost" && this.match) this.connection.lost(this.socket.pending !== null);
    else if (status === "lost") void this.checkExists();
  }

  /** A socket does not tell why it did not open: asks whether the match exists at all. */
  private async checkExists(): Promise<void> {
    try {
      await api.match(this.id);
    } catch (problem) {
      if (!(problem instanceof api.Refusal) || problem.status !== 404) return;
      this.problem = problem;
      this.socket.close();
    }
  }
}
