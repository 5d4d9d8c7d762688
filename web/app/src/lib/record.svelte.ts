// The record of one match as the server told it: every move that was made, and states of it.
import type { MatchView, NodeView, StateView } from "$protocol";
import { StateCache } from "./statecache";
import { Tree } from "./tree";

export class MatchRecord {
  match = $state.raw<MatchView | null>(null);
  tree = $derived(new Tree(this.match?.nodes ?? []));
  private readonly states = new StateCache();

  /** Takes over the whole match. */
  replace(match: MatchView): void {
    this.match = match;
    this.states.add(match.state);
  }

  /** Adds a move and makes it the current one. */
  addMove(node: NodeView, state: StateView, version: number): void {
    if (!this.match) return;
    const isKnown = this.match.nodes.some((one) => one.id === node.id);
    const nodes = isKnown ? this.match.nodes : [...this.match.nodes, node];
    this.match = { ...this.match, nodes, current: node.id, state, version };
    this.states.add(state);
  }

  addChat(name: string, text: string): void {
    if (!this.match) return;
    this.match = { ...this.match, chat: [...this.match.chat, { name, text }] };
  }

  editNode(id: number, change: Partial<NodeView>): void {
    if (!this.match) return;
    const edited = (node: NodeView) => (node.id === id ? { ...node, ...change } : node);
    this.match = { ...this.match, nodes: this.match.nodes.map(edited) };
  }

  addState(state: StateView): void {
    this.states.add(state);
  }

  /** The state at a node, if the server has told it. */
  stateAt(node: number): StateView | null {
    return node === this.match?.current ? this.match.state : this.states.at(node);
  }
}
