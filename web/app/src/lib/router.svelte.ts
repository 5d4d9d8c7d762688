// Pages by the history API. Links are ordinary <a href>: `catchLinks` turns them into page changes.

export type Route =
  | { page: "library" }
  | { page: "new"; game: string; n: number }
  | { page: "play"; id: string }
  | { page: "edit"; id: string }
  | { page: "problems"; game: string }
  | { page: "mine" }
  | { page: "settings"; section: string }
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
  if (first === "d" && second !== undefined && parts.length === 2) return { page: "problems", game: second };
  if (first === "my" && parts.length === 1) return { page: "mine" };
  if (first === "settings" && parts.length <= 2) return { page: "settings", section: second ?? "look" };
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

export const here = $state({ path: location.pathname, search: location.search, count: 0 });

function arrive(): void {
  here.path = location.pathname;
  here.search = location.search;
  here.count += 1;
}

export function go(to: string, replace = false): void {
  if (replace) history.replaceState(null, "", to);
  else history.pushState(null, "", to);
  arrive();
  scrollTo(0, 0);
}

export function catchLinks(): void {
  addEventListener("popstate", arrive);
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    if (link.pathname.startsWith("/api/") || (link.hash && link.pathname === location.pathname)) return;
    event.preventDefault();
    go(link.pathname + link.search + link.hash);
  });
}
