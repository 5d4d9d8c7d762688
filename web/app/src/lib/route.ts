// Maps an address to a page.

export type Route =
  | { page: "library" }
  | { page: "new"; game: string; n: number }
  | { page: "play"; id: string }
  | { page: "edit"; id: string }
  | { page: "problems"; game: string }
  | { page: "mine" }
  | { page: "settings"; section: string }
  | { page: "studio"; game: string; looksOnly: boolean }
  | { page: "keys" }
  | { page: "lost" };

export function route(path: string): Route {
  const parts = path.split("/").filter(Boolean).map(decode);
  const [first, second, third] = parts;
  if (first === undefined) return { page: "library" };
  if (first === "g" && second !== undefined && parts.length <= 3) {
    const n = third === undefined ? 0 : Number(third);
    return Number.isInteger(n) && n >= 0 ? { page: "new", game: second, n } : { page: "lost" };
  }
  if (first === "m" && second !== undefined) {
    if (parts.length === 2) return { page: "play", id: second };
    if (parts.length === 3 && third === "edit") return { page: "edit", id: second };
  }
  if (first === "d" && second !== undefined && parts.length === 2)
    return { page: "problems", game: second };
  if (first === "p" && second !== undefined) {
    if (parts.length === 2) return { page: "studio", game: second, looksOnly: false };
    if (parts.length === 3 && third === "looks")
      return { page: "studio", game: second, looksOnly: true };
  }
  if (first === "my" && parts.length === 1) return { page: "mine" };
  if (first === "settings" && parts.length <= 2)
    return { page: "settings", section: second ?? "look" };
  if (first === "keys" && parts.length === 1) return { page: "keys" };
  return { page: "lost" };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
