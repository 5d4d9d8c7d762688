// Takes the pictures of the README and of docs/pictures.md: the library, and boards of
// every kind after a few moves. Run by `npm --prefix web run pictures`.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Server, createMatch, launch, root, visit } from "./kit.mjs";

const folder = join(root, "docs/pictures");
mkdirSync(folder, { recursive: true });

/** Boards, the number of the variant, and the moves that made them what they are. */
const boards = [
  ["chess", 0, ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"]],
  ["shogi", 0, ["7g7f", "3c3d", "2g2f", "8c8d"]],
  ["xiangqi", 0, []],
  ["glinski", 0, []],
  ["raumschach", 0, []],
  ["hex", 0, ["f6", "g5", "e7", "d8"]],
  ["nine-mens-morris", 0, []],
  ["royal-ur", 0, []],
  ["english-draughts", 0, ["1115", "2218", "1522", "2518"]],
  ["four-handed-chess", 0, []],
  ["reversi", 0, []],
  ["chinese-checkers", 0, []],
  ["gomoku", 0, ["h8", "h9", "i9", "g7"]],
  ["sokoban", 0, []],
];

const server = await Server.start();
const browser = await launch();
const shoot = async (path, name, options = {}) => {
  const page = await visit(browser, server, path, {
    viewport: { width: 1280, height: 800 },
    ...options,
  });
  await page.waitForLoadState("networkidle");
  await page.evaluate(() => document.fonts.ready);
  await page.waitForTimeout(400);
  await page.screenshot({ path: join(folder, `${name}.jpg`), type: "jpeg", quality: 82 });
  await page.leave();
};

await shoot("/", "library");
await shoot("/", "library-dark", { colorScheme: "dark" });
await shoot("/", "library-phone", { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 });
for (const [game, n, moves] of boards) {
  const match = await createMatch(server, game, n);
  if (moves.length > 0) await playAll(game, n, match, moves);
  const dark = ["hex", "raumschach", "gomoku"].includes(game);
  await shoot(`/m/${match.id}?key=${match.key}`, game, dark ? { colorScheme: "dark" } : {});
}
await browser.close();
await server.stop();

/** Plays moves through the socket, as the page does; moves are named by where they go. */
async function playAll(game, n, match, moves) {
  const page = await visit(browser, server, "/");
  await page.evaluate(
    async ([game, n, id, key, moves]) => {
      const { cells } = (await (await fetch(`/api/games/${game}/${n}`)).json()).layout;
      const name = (site) => (site === null ? "" : cells[site].name);
      const socket = new WebSocket(
        `${location.origin.replace("http", "ws")}/api/matches/${id}/socket?key=${key}`,
      );
      const next = () =>
        new Promise((done, fail) => {
          const hear = ({ data }) => {
            const event = JSON.parse(data);
            if (event.type === "refused") fail(new Error(event.message));
            const state =
              event.type === "match"
                ? event.match.state
                : event.type === "moved"
                  ? event.state
                  : null;
            if (!state) return;
            socket.removeEventListener("message", hear);
            done(state);
          };
          socket.addEventListener("message", hear);
        });
      let state = await next();
      for (const text of moves) {
        const move = state.moves.find((it) => name(it.from) + name(it.to) === text);
        if (!move) throw new Error(`${text} is not legal`);
        const answer = next();
        socket.send(
          JSON.stringify({
            type: "play",
            node: state.node,
            move: move.long,
            id: `${state.node} ${text}`,
          }),
        );
        state = await answer;
      }
      socket.close();
    },
    [game, n, match.id, match.key, moves],
  );
  await page.leave();
}
