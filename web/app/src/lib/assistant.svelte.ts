// What the server works out about the state that is shown: analysis, hints, facts about a site.
import type { Command, Event, LineView, Site, ThinkingView } from "$protocol";
import { prefs } from "./prefs.svelte";
import type { MatchRecord } from "./record.svelte";
import { dismiss, say, toast } from "./toast.svelte";
import type { Viewer } from "./viewer.svelte";
import { t } from "./words";

export interface Analysis {
  node: number;
  lines: LineView[];
  depth: number;
  nodes: number;
  perSecond: number;
}
export type Probed = Extract<Event, { type: "probed" }>;
export type Hint = Extract<Event, { type: "hint" }>;
export type WhyNot = Extract<Event, { type: "whyNot" }>;

/** Time that a pointer rests on a site before the site is asked about. */
const PROBE_DELAY_MS = 60;

export class Assistant {
  thinking = $state.raw<ThinkingView | null>(null);
  isPaused = $state(false);
  analysis = $state.raw<Analysis | null>(null);
  isAnalysing = $state(false);
  hint = $state.raw<Hint | null>(null);
  probed = $state.raw<Probed | null>(null);
  private probeTimer: ReturnType<typeof setTimeout> | undefined;
  private hintToast = -1;
  private isStray = false; // the click that was asked about last may have meant nothing

  constructor(
    private readonly record: MatchRecord,
    private readonly viewer: Viewer,
    private readonly send: (command: Command) => void,
  ) {}

  analyse(on: boolean): void {
    this.isAnalysing = on;
    if (!on || this.analysis?.node !== this.viewer.node) this.analysis = null;
    // an engine that works on its own move is not disturbed; analysis starts when it has moved
    if (on && this.isEngineMoving) return;
    this.send({ type: "analyse", on, node: this.viewer.node, lines: prefs.lines });
  }

  /** Another node is shown: analysis goes on there. */
  follow(): void {
    if (this.isAnalysing) this.analyse(true);
  }

  askHint(): void {
    this.send({ type: "hint" });
  }

  /** A hint is about one state and goes with it. */
  dropHint(): void {
    this.hint = null;
    dismiss(this.hintToast);
  }

  pause(paused: boolean): void {
    this.isPaused = paused;
    this.send({ type: "pause", paused });
  }

  /** Asks about a site, unless the pointer only passes over it. */
  probe(site: Site): void {
    clearTimeout(this.probeTimer);
    const ask = () => this.send({ type: "probe", site, node: this.viewer.node });
    this.probeTimer = setTimeout(ask, PROBE_DELAY_MS);
  }

  /** Asks why a move is not legal; the answer is shown and spoken. */
  askWhyNot(from: Site | null, to: Site | null, isStray: boolean): void {
    this.isStray = isStray;
    this.send({ type: "whyNot", node: this.viewer.node, from, to });
  }

  receiveWhyNot({ node, from, text, isEvident }: WhyNot, explain: (site: Site) => void): void {
    if (node !== this.viewer.node || (this.isStray && (isEvident || text === null))) return;
    const sentence = text ?? t("play.notLegal");
    const action =
      from === null ? {} : { action: { label: t("play.howItMoves"), run: () => explain(from) } };
    toast({ text: sentence, icon: "info", ...action });
    say(sentence, true);
  }

  receiveAnalysis(analysis: Analysis): void {
    if (this.isAnalysing && analysis.node === this.viewer.node) this.analysis = analysis;
  }

  receiveHint(hint: Hint): void {
    if (hint.node !== this.viewer.node) return;
    this.hint = hint;
    const move = this.viewer.state?.moves.find((one) => one.long === hint.move)?.short ?? hint.move;
    const text = hint.why ? t("play.hint", { move, why: hint.why }) : t("play.hintPlain", { move });
    this.hintToast = toast({ text, icon: "hint", seconds: 8 });
  }

  private get isEngineMoving(): boolean {
    const match = this.record.match;
    const seat = match?.state.seat ?? null;
    const isEngine = seat !== null && match?.seats[seat]?.setup.type === "engine";
    return isEngine && !this.isPaused && match?.state.outcome === null;
  }
}
