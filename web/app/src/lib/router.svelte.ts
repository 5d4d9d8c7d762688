// Pages by the history API. Links are ordinary <a href>: `catchLinks` turns them into page changes.

import { untrack } from "svelte";

export { route, type Route } from "./route";

export const here = $state({ path: location.pathname, search: location.search, count: 0 });

function arrive(): void {
  here.path = location.pathname;
  here.search = location.search;
  // an effect that navigates must not depend on the current address
  here.count = untrack(() => here.count) + 1;
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
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin)
      return;
    if (link.pathname.startsWith("/api/") || (link.hash && link.pathname === location.pathname))
      return;
    event.preventDefault();
    go(link.pathname + link.search + link.hash);
  });
}
