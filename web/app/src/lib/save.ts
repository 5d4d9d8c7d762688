// What the pages do with saved games beside opening them.
import type { GameView } from "$protocol";
import * as api from "./api";
import { tell } from "./open";
import { go } from "./router.svelte";
import type { Session } from "./session.svelte";
import { toast } from "./toast.svelte";
import { t } from "./words";

/** A save has the moves up to where play stands: says so if there are others. */
export function tellSaved(session: Session): void {
  const match = session.match;
  if (!match) return;
  const nOthers = match.nodes.length - session.tree.path(match.current).length;
  if (nOthers > 0)
    toast({ text: t("more.savedWithout", { n: nOthers }), icon: "info", seconds: 8 });
}

/** A match of its own that plays the solution from the start. */
export async function showSolution(game: GameView | null): Promise<void> {
  if (!game) return;
  try {
    go(`/m/${(await api.solution(game.game, game.n)).id}?replay=1`);
  } catch (problem) {
    tell(problem);
  }
}
