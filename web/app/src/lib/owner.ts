// The key of the person who runs the server. It comes in the address that Boardwright prints,
// after the `#`, is kept in this browser, and is sent with every request to our own server.
// Storage belongs to one host and port; a cookie would go to every port of the host.
const NAME = "bw.owner";
let key = stored();

function stored(): string {
  try {
    return localStorage.getItem(NAME) ?? "";
  } catch {
    return "";
  }
}

/** The key of an address such as `/#key=abc`; empty if it has none. */
export const keyIn = (hash: string): string => /^#key=([a-z0-9]+)$/.exec(hash)?.[1] ?? "";

/** Takes the key out of the address, where others could see it; true if there was one. */
export function takeKey(): boolean {
  const found = keyIn(location.hash);
  if (!found) return false;
  key = found;
  try {
    localStorage.setItem(NAME, found);
  } catch {
    // private window: the key is lost with the page
  }
  history.replaceState(history.state, "", location.pathname + location.search);
  return true;
}

/** What every request carries. */
export const ownerHeader = (): Record<string, string> => (key ? { "x-boardwright-key": key } : {});
