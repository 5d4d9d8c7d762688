// Opening what somebody brought: a saved game starts a match, a rule file joins "My games".
import type { DiagnosticView } from "$protocol";
import * as api from "./api";
import { isSave } from "./drop";
import { go } from "./router.svelte";
import { toast } from "./toast.svelte";
import { t } from "./words";

/** What was said about a file that was just opened, by game. */
export const known = new Map<string, DiagnosticView[]>();

export async function openFiles(files: api.NamedFile[]): Promise<void> {
  if (files.length === 0) return;
  const first = files[0];
  try {
    if (first && isSave(files)) {
      const created = await api.loadSave(first.file);
      go(`/m/${created.id}`);
      return;
    }
    const uploaded = await api.upload(files);
    const good = uploaded.games.find((game) => !game.broken) ?? uploaded.games[0];
    if (!good) {
      toast({
        text: uploaded.skipped[0]?.why ?? t("open.nothing"),
        icon: "warn",
        isBad: true,
        seconds: 8,
      });
      return;
    }
    for (const game of uploaded.games) if (game.broken) known.set(game.id, uploaded.diagnostics);
    const errors = uploaded.diagnostics.filter((one) => one.severity === "error").length;
    go(good.broken || errors > 0 ? `/d/${good.id}` : `/g/${good.id}/0`);
    if (!good.broken) {
      const skipped = uploaded.skipped.length;
      toast({
        text:
          skipped > 0
            ? t("open.joinedSkipped", { title: good.title, n: skipped })
            : t("open.joined", { title: good.title }),
        icon: "check",
      });
    }
  } catch (problem) {
    tell(problem);
  }
}

/** Any failure, in one sentence. */
export function tell(problem: unknown): void {
  if (problem instanceof api.Refusal) {
    toast({ text: api.sentences(problem.problem), icon: "warn", isBad: true, seconds: 8 });
  } else {
    toast({
      text: problem instanceof Error ? problem.message : String(problem),
      icon: "warn",
      isBad: true,
      seconds: 8,
    });
  }
}
