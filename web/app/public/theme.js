// Runs before the first paint, so that the page never flashes in the wrong theme.
(() => {
  const root = document.documentElement;
  const read = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  const chosen = read("bw.theme");
  const dark =
    chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  root.dataset.theme = dark ? "dark" : "light";
  const board = read("bw.board");
  if (board === "baize" || board === "slate" || board === "ink") root.dataset.board = board;
  else if (!board && matchMedia("(prefers-contrast: more)").matches) root.dataset.board = "ink";
})();
