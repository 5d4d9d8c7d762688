// One match as the page sees it: the record, the state that is looked at, what the engine says.
// The server decides everything; this only remembers and asks.
import type {
  Command,
  EffectView,
  Event,
  GameView,
  LineView,
  MatchView,
  MoveView,
  NodeView,
  Player,
  Site,
  StateView,
  ThinkingView,
} from "$protocol";
import * as api from "./api";
import { prefs } from "./prefs.svelte";
import { MatchSocket, type Status } from "./socket";
import { dismiss, say, toast, toasts } from "./toast.svelte";
import { roundOf, Tree } from "./tree";
import { t } from "./words";

export interface Analysis {
  node: number;
  lines: LineView[];
  depth: number;
  nodes: number;
  perSecond: number;
}
export type Probed = Extract<Event, { type: "probed" }>;
export type Asked = Extract<Event, { type: "asked" }>;
export type Hint = Extract<Event, { type: "hint" }>;
export type Tried = Extract<Event, { type: "tried" }>;

const MOST_STATES = 400;

export class Session {
  game = $state.raw<GameView | null>(null);
  match = $state.raw<MatchView | null>(null);
  problem = $state.raw<unknown>(null);
  status = $state<Status>("connecting");
  viewed = $state(0);
  view = $state.raw<StateView | null>(null);
  effects = $state.raw<EffectView[]>([]); // of the step to `view`, if they are known
  isOneStep = $state(false); // from the state before to `view`: then the board animates
  thinking = $state.raw<ThinkingView | null>(null);
  analysis = $state.raw<Analysis | null>(null);
  isAnalysing = $state(false);
  hint = $state.raw<Hint | null>(null);
  probed = $state.raw<Probed | null>(null);
  asked = $state.raw<Asked | null>(null); // a choice that completes a turn
  refused = $state.raw<{ message: string; why: string | null; count: number } | null>(null);
  isPaused = $state(false);
  nUnread = $state(0);
  isAutoplaying = $state(false);

  tree = $derived(new Tree(this.match?.nodes ?? []));
  line = $derived(this.tree.line(this.viewed, this.match?.current ?? this.viewed));
  isLive = $derived(this.match !== null && this.viewed === this.match.current);
  /** The seat that may move now in the state that is looked at, if it is ours. */
  mySeat = $derived.by(() => {
    const seat = this.view?.seat ?? null;
    return seat !== null && this.match?.you.includes(seat) ? seat : null;
  });
  canMove = $derived(
    this.mySeat !== null &&
      this.view?.outcome === null &&
      (this.isLive || this.match?.owner === true),
  );

  private readonly socket: MatchSocket;
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- a cache that nothing renders
  private readonly states = new Map<number, StateView>();
  private hasBeenLost = false;
  private probing: ReturnType<typeof setTimeout> | undefined;
  private hintToast = -1;

  constructor(readonly id: string) {
    this.socket = new MatchSocket({
      url: () => api.socketUrl(id),
      onEvent: (event) => this.receive(event),
      onStatus: (status) => this.changed(status),
    });
    api.match(id).catch((problem: unknown) => {
      if (problem instanceof api.Refusal && problem.status === 404) {
        this.problem = problem;
        this.socket.close();
      }
    });
  }

  close(): void {
    this.stopAutoplay();
    this.dropHint();
    this.socket.close();
  }

  send(command: Command): void {
    this.socket.send(command);
  }

  retry(): void {
    this.socket.retry();
  }

  // ---- moving

  play(move: MoveView): void {
    const node = this.view?.node;
    if (node === undefined) return;
    this.playLong(node, move.long);
  }

  playLong(node: number, long: string): void {
    this.stopAutoplay();
    this.dropHint();
    if (this.match && node !== this.match.current) this.send({ type: "goOnFrom", node });
    this.socket.play(node, long);
    if (this.status === "lost") this.tellLost();
  }

  takeBack(): void {
    if (!this.isLive && this.match) {
      this.goOnFrom(this.tree.parent(this.viewed) ?? this.viewed);
      return;
    }
    this.send({ type: "takeBack" });
  }

  /** The next move that was taken back, if there is one. */
  get redoNode(): number | null {
    return this.tree.children(this.match?.current ?? this.viewed)[0] ?? null;
  }

  redo(): void {
    const node = this.redoNode;
    if (node !== null) this.goOnFrom(node);
  }

  goOnFrom(node: number): void {
    this.dropHint();
    this.viewed = node;
    this.send({ type: "goOnFrom", node });
  }

  /** The nodes of the unfinished move, first step first. */
  get openSteps(): NodeView[] {
    const steps: NodeView[] = [];
    let at = this.tree.byId.get(this.viewed);
    while (at && at.partial) {
      steps.unshift(at);
      at = at.parent === null ? undefined : this.tree.byId.get(at.parent);
    }
    return steps;
  }

  undoSteps(all: boolean): void {
    const steps = this.openSteps;
    const from = all ? steps[0] : steps[steps.length - 1];
    if (from && from.parent !== null) this.goOnFrom(from.parent);
  }

  // ---- looking

  lookAt(node: number): void {
    if (!this.tree.byId.has(node) || node === this.viewed) return;
    const isOneStep = this.tree.parent(node) === this.viewed;
    this.viewed = node;
    this.dropHint();
    this.probed = null;
    const known = node === this.match?.current ? this.match.state : this.states.get(node);
    if (known) this.show(known, isOneStep ? null : []);
    else this.send({ type: "look", node });
    if (this.isAnalysing) this.analyse(true);
  }

  step(by: number): void {
    const at = this.line.indexOf(this.viewed);
    const node = this.line[Math.max(0, Math.min(this.line.length - 1, at + by))];
    if (node !== undefined) this.lookAt(node);
  }

  autoplay(): void {
    if (this.isAutoplaying) {
      this.stopAutoplay();
      return;
    }
    if (this.line.indexOf(this.viewed) === this.line.length - 1) this.lookAt(this.line[0] ?? 0);
    this.isAutoplaying = true;
    const next = () => {
      if (!this.isAutoplaying) return;
      this.step(1);
      if (this.line.indexOf(this.viewed) >= this.line.length - 1) this.isAutoplaying = false;
      else setTimeout(next, prefs.autoplay);
    };
    setTimeout(next, 250);
  }

  stopAutoplay(): void {
    this.isAutoplaying = false;
  }

  // ---- the engine

  analyse(on: boolean): void {
    this.isAnalysing = on;
    if (!on || this.analysis?.node !== this.viewed) this.analysis = null;
    // an engine that is at its own move is not disturbed; the analysis begins when it has moved
    if (on && this.isEngineAtWork) return;
    this.send({ type: "analyse", on, node: this.viewed, lines: prefs.lines });
  }

  get isEngineAtWork(): boolean {
    const seat = this.match?.state.seat ?? null;
    const isEngine = seat !== null && this.match?.seats[seat]?.setup.type === "engine";
    return isEngine && !this.isPaused && this.match?.state.outcome === null;
  }

  /** A hint speaks of one state: it goes with it. */
  dropHint(): void {
    this.hint = null;
    dismiss(this.hintToast);
  }

  askHint(): void {
    this.send({ type: "hint" });
  }

  pause(paused: boolean): void {
    this.isPaused = paused;
    this.send({ type: "pause", paused });
  }

  /** Waits a moment, so that a pointer that only passes by asks nothing. */
  probe(site: Site): void {
    clearTimeout(this.probing);
    this.probing = setTimeout(() => this.send({ type: "probe", site, node: this.viewed }), 60);
  }

  // ---- who is who

  playerName(player: Player | null): string {
    return player === null ? "" : (this.game?.players[player]?.name ?? "");
  }

  /** The column of the move list for what a node did; null for chance that nobody owns. */
  columnOf = (node: NodeView): number | null => {
    const at = (player: Player | null) =>
      this.match?.seats.findIndex((seat) => seat.player === player) ?? -1;
    const own = at(node.player);
    const column = own < 0 ? at(node.owner) : own;
    return column < 0 ? null : column;
  };

  /** The number that the move list gives to a node. */
  roundOf(id: number): number {
    return roundOf(this.tree, this.tree.path(id), this.columnOf);
  }

  private shortOf(long: string): string {
    return this.view?.moves.find((move) => move.long === long)?.short ?? long;
  }

  // ---- events

  private receive(event: Event): void {
    switch (event.type) {
      case "match":
        return this.receiveMatch(event.match);
      case "moved":
        return this.receiveMoved(event.node, event.state, event.effects, event.version);
      case "state":
        this.remember(event.state);
        if (event.state.node === this.viewed)
          this.show(event.state, this.tree.parent(this.viewed) === this.view?.node ? null : []);
        return;
      case "thinking":
        this.thinking = event.thinking;
        return;
      case "analysis":
        if (this.isAnalysing && event.node === this.viewed) this.analysis = event;
        return;
      case "hint":
        if (event.node !== this.viewed) return;
        this.hint = event;
        this.hintToast = toast({
          text: t("play.hint", { move: this.shortOf(event.move), why: event.why }),
          icon: "hint",
          seconds: 8,
        });
        return;
      case "tried":
        this.onTried?.(event);
        return;
      case "probed":
        this.probed = event;
        return;
      case "comment":
        this.editNode(event.node, { comment: event.text });
        return;
      case "score":
        this.editNode(event.node, { score: event.score });
        return;
      case "chat":
        if (this.match)
          this.match = {
            ...this.match,
            chat: [...this.match.chat, { name: event.name, text: event.text }],
          };
        this.nUnread += 1;
        return;
      case "refused":
        this.refused = {
          message: event.message,
          why: event.why,
          count: (this.refused?.count ?? 0) + 1,
        };
        if (this.match) this.show({ ...(this.view ?? this.match.state) }, []);
        toast({
          text: event.message,
          icon: "info",
          ...(event.why
            ? { action: { label: t("play.why"), run: () => this.onWhy?.(event.why ?? "") } }
            : {}),
        });
        say(event.message, true);
        return;
      case "asked":
        this.asked = event;
        return;
      case "pong":
        return;
    }
  }

  onTried: ((tried: Tried) => void) | null = null;
  onWhy: ((text: string) => void) | null = null;
  onMoved: ((state: StateView) => void) | null = null;

  private receiveMatch(match: MatchView): void {
    const isFirst = this.match === null;
    const wasLive =
      isFirst ||
      this.isLive ||
      this.viewed === match.current ||
      !match.nodes.some((node) => node.id === this.viewed);
    const before = this.match?.current;
    this.match = match;
    this.thinking = match.thinking;
    this.isPaused = match.paused ?? false;
    this.remember(match.state);
    if (this.game === null || this.game.game !== match.game || this.game.n !== match.n)
      void this.loadGame(match);
    if (wasLive) {
      if (before !== match.current) this.dropHint();
      const isOneStep = this.tree.parent(match.current) === before && before !== undefined;
      this.viewed = match.current;
      this.show(match.state, isOneStep ? null : []);
    }
    if (this.isAnalysing) this.analyse(true);
  }

  private async loadGame(match: MatchView): Promise<void> {
    try {
      this.game = await api.game(match.game, match.n);
    } catch (problem) {
      this.problem = problem;
    }
  }

  private receiveMoved(
    node: NodeView,
    state: StateView,
    effects: EffectView[],
    version: number,
  ): void {
    const match = this.match;
    if (!match) return;
    const wasLive = this.isLive;
    const nodes = match.nodes.some((one) => one.id === node.id)
      ? match.nodes
      : [...match.nodes, node];
    this.match = { ...match, nodes, current: node.id, state, version };
    this.remember(state);
    if (!wasLive && this.viewed !== node.id && node.parent !== this.viewed) return;
    this.dropHint();
    this.viewed = node.id;
    this.show(state, effects);
    this.onMoved?.(state);
    if (this.isAnalysing) this.analyse(true);
  }

  private editNode(id: number, change: Partial<NodeView>): void {
    if (!this.match) return;
    this.match = {
      ...this.match,
      nodes: this.match.nodes.map((node) => (node.id === id ? { ...node, ...change } : node)),
    };
  }

  /** `effects` null: one step, but the effects are not known; the board works them out. */
  private show(state: StateView, effects: EffectView[] | null): void {
    this.effects = effects ?? [];
    this.isOneStep = effects === null || effects.length > 0;
    this.view = state;
  }

  private remember(state: StateView): void {
    this.states.delete(state.node);
    this.states.set(state.node, state);
    if (this.states.size > MOST_STATES) {
      const oldest = this.states.keys().next().value;
      if (oldest !== undefined) this.states.delete(oldest);
    }
  }

  private tellLost(): void {
    const text = this.socket.pending ? t("play.lostKept") : t("play.lost");
    toast({
      text,
      icon: "warn",
      isBad: true,
      stays: true,
      action: { label: t("play.retry"), run: () => this.retry() },
    });
  }

  private changed(status: Status): void {
    this.status = status;
    if (status === "lost" && this.match) {
      this.hasBeenLost = true;
      this.tellLost();
    } else if (status === "open" && this.hasBeenLost) {
      this.hasBeenLost = false;
      if (toasts.now?.stays) dismiss();
      toast({ text: t("play.again"), icon: "check", seconds: 2 });
    }
  }
}
