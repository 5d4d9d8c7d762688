// Which node of the record is shown, and how the board gets there.
import type { Command, EffectView, NodeView, StateView } from "$protocol";
import { prefs } from "./prefs.svelte";
import type { MatchRecord } from "./record.svelte";

export class Viewer {
  node = $state(0);
  state = $state.raw<StateView | null>(null);
  /** Effects of the move to `state`, if they are known. */
  effects = $state.raw<EffectView[]>([]);
  /** Whether `state` is one move after the state before it: then the board animates. */
  isOneStep = $state(false);
  isAutoplaying = $state(false);

  line = $derived.by(() => {
    const current = this.record.match?.current ?? this.node;
    return this.record.tree.line(this.node, current);
  });
  isLive = $derived.by(() => this.record.match !== null && this.node === this.record.match.current);

  /** `onNode` is called when another node was chosen. */
  constructor(
    private readonly record: MatchRecord,
    private readonly send: (command: Command) => void,
    private readonly onNode: () => void,
  ) {}

  /** Chooses a node; its state is asked for if it is not known. */
  goTo(node: number): void {
    if (!this.record.tree.byId.has(node) || node === this.node) return;
    const isOneStep = this.record.tree.parent(node) === this.node;
    this.node = node;
    const known = this.record.stateAt(node);
    if (known) this.show(known, isOneStep ? null : []);
    else this.send({ type: "look", node });
    this.onNode();
  }

  /** Chooses the node this many places along the line, as far as it reaches. */
  step(by: number): void {
    const at = this.line.indexOf(this.node);
    const node = this.line[Math.max(0, Math.min(this.line.length - 1, at + by))];
    if (node !== undefined) this.goTo(node);
  }

  /** `effects` null: one step whose effects are not known; the board works them out. */
  show(state: StateView, effects: EffectView[] | null): void {
    this.effects = effects ?? [];
    this.isOneStep = effects === null || effects.length > 0;
    this.state = state;
  }

  /** Shows a state that was asked for, unless another node was chosen meanwhile. */
  receive(state: StateView): void {
    if (state.node !== this.node) return;
    const isOneStep = this.record.tree.parent(this.node) === this.state?.node;
    this.show(state, isOneStep ? null : []);
  }

  /** The nodes of the unfinished move, first step first. */
  get openSteps(): NodeView[] {
    const steps: NodeView[] = [];
    let at = this.record.tree.byId.get(this.node);
    while (at && at.partial) {
      steps.unshift(at);
      at = at.parent === null ? undefined : this.record.tree.byId.get(at.parent);
    }
    return steps;
  }

  toggleAutoplay(): void {
    if (this.isAutoplaying) {
      this.stopAutoplay();
      return;
    }
    if (this.isAtEnd) this.goTo(this.line[0] ?? 0);
    this.isAutoplaying = true;
    const next = () => {
      if (!this.isAutoplaying) return;
      this.step(1);
      if (this.isAtEnd) this.isAutoplaying = false;
      else setTimeout(next, prefs.autoplay);
    };
    setTimeout(next, 250);
  }

  stopAutoplay(): void {
    this.isAutoplaying = false;
  }

  private get isAtEnd(): boolean {
    return this.line.indexOf(this.node) >= this.line.length - 1;
  }
}
