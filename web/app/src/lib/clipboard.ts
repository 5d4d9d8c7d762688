import { toast } from "./toast.svelte";
import { t } from "./words";

export async function copy(text: string, said: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast({ text: said, icon: "check" });
  } catch {
    // no clipboard without a secure page: offer the text itself
    const area = document.createElement("textarea");
    area.value = text;
    area.setAttribute("aria-hidden", "true");
    area.className = "sr";
    document.body.append(area);
    area.select();
    const isDone = document.execCommand("copy");
    area.remove();
    toast(isDone ? { text: said, icon: "check" } : { text: t("error.noCopy"), icon: "warn" });
  }
}
