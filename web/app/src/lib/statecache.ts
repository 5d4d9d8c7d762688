// The states that were shown last, so that stepping through a record asks for each once.
import type { StateView } from "$protocol";

const MAX_STATES = 400;

export class StateCache {
  private readonly byNode = new Map<number, StateView>();

  add(state: StateView): void {
    this.byNode.delete(state.node); // a map keeps the order of insertion: the newest is last
    this.byNode.set(state.node, state);
    if (this.byNode.size <= MAX_STATES) return;
    const oldest = this.byNode.keys().next().value;
    if (oldest !== undefined) this.byNode.delete(oldest);
  }

  at(node: number): StateView | null {
    return this.byNode.get(node) ?? null;
  }
}
