// Game Courier presets through the page: whole games, refusals, problems, the studio.
import { test } from "node:test";
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  accessible,
  browser,
  createMatch,
  drag,
  holds,
  move,
  openMatch,
  serveTests,
  server,
  visit,
} from "./kit.mjs";

serveTests();

const sitDown = async (game, n = 0, seats = null, options = {}) =>
  openMatch(await createMatch(server, game, n, seats), options);

/** How many turns the list shows. */
const turns = (page) => page.locator("ol.moves .cell button").count();

/** A line of moves by clicks, each waited for: on the board, and in the list of turns. */
async function line(page, moves) {
  for (const [from, to, what] of moves) {
    const before = await turns(page);
    await move(page, from, to);
    await holds(page, to, what);
    await page.waitForFunction(
      (n) => document.querySelectorAll("ol.moves .cell button").length > n,
      before,
    );
  }
}

/** Turns written one after the other, each waited for in the list. */
async function write(page, turns) {
  const field = page.getByRole("textbox", { name: "Your move" });
  for (const turn of turns) {
    await field.fill(turn);
    await field.press("Enter");
    await page.waitForFunction(
      () =>
        document.querySelector(".turnbox input")?.value === "" ||
        document.querySelector(".turnbox input") === null,
    );
  }
}

test("chess: fool's mate by clicks", async () => {
  const page = await sitDown("preset-chess");
  await line(page, [
    ["f2", "f3", "white pawn"],
    ["e7", "e5", "black pawn"],
    ["g2", "g4", "white pawn"],
    ["d8", "h4", "black queen"],
  ]);
  await page.getByText("Black wins").first().waitFor();
  await page.getByText("Checkmate!").first().waitFor();
  await accessible(page, "a preset that is won");
  await page.leave();
});

test("chess: a stalemate", async () => {
  const page = await sitDown("preset-chess");
  // The shortest one known, by Sam Loyd.
  await write(page, [
    "P e2-e3",
    "p a7-a5",
    "Q d1-h5",
    "r a8-a6",
    "Q h5-a5",
    "p h7-h5",
    "P h2-h4",
    "r a6-h6",
    "Q a5-c7",
    "p f7-f6",
    "Q c7-d7",
    "k e8-f7",
    "Q d7-b7",
    "q d8-d3",
    "Q b7-b8",
    "q d3-h7",
    "Q b8-c8",
    "k f7-g6",
  ]);
  await move(page, "c8", "e6");
  await page.getByText("Draw").first().waitFor();
  await page.getByText("Stalemate.").first().waitFor();
  await page.leave();
});

test("chess: castling to both sides, on the square or on the rook", async () => {
  const page = await sitDown("preset-chess");
  await write(page, [
    "N g1-f3",
    "n b8-c6",
    "P e2-e4",
    "p d7-d6",
    "B f1-e2",
    "b c8-e6",
    "P d2-d3",
    "q d8-d7",
  ]);
  await move(page, "e1", "g1");
  await holds(page, "g1", "white king");
  await holds(page, "f1", "white rook");
  // The king may be put on the rook too.
  await drag(page, "e8", "a8");
  await holds(page, "c8", "black king");
  await holds(page, "d8", "black rook");
  await page.leave();
});

test("chess: en passant, and a promotion that the page asks about", async () => {
  const page = await sitDown("preset-chess");
  await line(page, [
    ["e2", "e4", "white pawn"],
    ["a7", "a6", "black pawn"],
    ["e4", "e5", "white pawn"],
    ["d7", "d5", "black pawn"],
    ["e5", "d6", "white pawn"],
  ]);
  await holds(page, "d5", "empty");
  await line(page, [
    ["a6", "a5", "black pawn"],
    ["d6", "c7", "white pawn"],
    ["a5", "a4", "black pawn"],
  ]);
  await move(page, "c7", "b8");
  const menu = page.getByRole("menu");
  await menu.waitFor();
  assert.equal(await menu.getByRole("menuitem").count(), 4);
  await menu.getByRole("menuitem", { name: /knight/i }).click();
  await holds(page, "b8", "white knight");
  // Written without what it becomes, the code asks.
  await write(page, [
    "r a8-a5",
    "P h2-h4",
    "r a5-h5",
    "P g2-g4",
    "p g7-g6",
    "P g4-h5",
    "p g6-h5",
    "N b8-c6",
    "p b7-c6",
    "N g1-h3",
    "p a4-a3",
    "N h3-g5",
    "p a3-b2",
    "N g5-h7",
  ]);
  await page.getByRole("textbox", { name: "Your move" }).fill("p b2-a1");
  await page.keyboard.press("Enter");
  const asked = page.getByRole("dialog");
  await asked.waitFor();
  await accessible(page, "a question of the code");
  await asked.getByRole("button", { name: /^q/ }).click();
  await holds(page, "a1", "black queen");
  await page.leave();
});

test("a turn that is refused stays in its line, with the reason", async () => {
  const page = await sitDown("preset-chess");
  const field = page.getByRole("textbox", { name: "Your move" });
  await field.fill("P e2-e5 // bold");
  await field.press("Enter");
  await page
    .getByRole("region", { name: "Type your move" })
    .getByText("The P cannot move so.")
    .waitFor();
  assert.equal(await field.inputValue(), "P e2-e5 // bold");
  await accessible(page, "a refused turn");
  await field.fill("P e2-e4 // a start");
  await field.press("Enter");
  await holds(page, "e4", "white pawn");
  assert.equal(await field.inputValue(), "");
  await page.getByText("a start").first().waitFor();
  await page.leave();
});

test("a turn typed without its piece is sent once, and no message comes", async () => {
  const match = await createMatch(server, "preset-chess");
  const page = await visit(browser, server, "/keys");
  const plays = [];
  page.on("websocket", (socket) =>
    socket.on("framesent", ({ payload }) => {
      const command = JSON.parse(String(payload));
      if (command.type === "play") plays.push(command.move);
    }),
  );
  await page.goto(`${server.address}/m/${match.id}?key=${match.key}`);
  await page.getByRole("application").waitFor();
  await write(page, ["e2-e4"]);
  await holds(page, "e4", "white pawn");
  // A take-back sends the whole match to everybody, and that was when a turn was resent.
  const other = await visit(browser, server, `/m/${match.id}?key=${match.key}`);
  await other.getByRole("application").waitFor();
  await write(other, ["e7-e5 // a reply"]);
  await holds(page, "e5", "black pawn");
  await page.getByRole("button", { name: "Take back" }).click();
  await holds(page, "e7", "black pawn");
  await holds(other, "e7", "black pawn");
  assert.deepEqual(plays, ["e2-e4"]);
  assert.equal(await page.locator(".place .toast").count(), 0);
  await other.leave();
  await page.leave();
});

test("shogi: what was captured is dropped from beside the board", async () => {
  const page = await sitDown("preset-shogi");
  await write(page, ["P 7g-7f", "p 3c-3d", "B 8h-2b; +B-2b", "s 3a-2b"]);
  const hand = page
    .getByRole("application")
    .getByRole("button", { name: /^[u-y][a-i], black bishop/i });
  await hand.first().waitFor();
  const at = (await hand.first().getAttribute("aria-label")).split(",")[0];
  await move(page, at, "5e");
  await holds(page, "5e", "black bishop");
  await page.leave();
});

test("shogi: a drop gives mate", async () => {
  const page = await sitDown("preset-shogi", 1);
  await page.getByText("Black mates in one, with a drop.").first().waitFor();
  const hand = page
    .getByRole("application")
    .getByRole("button", { name: /^[u-y][a-i], black gold/i });
  const at = (await hand.first().getAttribute("aria-label")).split(",")[0];
  await move(page, at, "5b");
  await page.getByText("Solved").first().waitFor();
  await page.getByText("G*5b").first().waitFor();
  await page.leave();
});

test("xiangqi: generals that would face each other are refused", async () => {
  const page = await sitDown("preset-xiangqi");
  await line(page, [
    ["e4", "e5", "red soldier"],
    ["e7", "e6", "black soldier"],
    ["e5", "e6", "red soldier"],
    ["a7", "a6", "black soldier"],
  ]);
  // It is not offered, and written it is refused.
  await move(page, "e6", "d6");
  await holds(page, "e6", "red soldier");
  await page.getByRole("textbox", { name: "Your move" }).fill("P e6-d6");
  await page.keyboard.press("Enter");
  await page
    .getByRole("region", { name: "Type your move" })
    .getByText("Your king is in check.")
    .waitFor();
  await holds(page, "e6", "red soldier");
  await page.leave();
});

test("a problem: wrong moves are refused on the spot, the right ones answered", async () => {
  const page = await sitDown("preset-chess", 2);
  await page.getByText("White mates in two.").first().waitFor();
  await move(page, "h1", "h2");
  await page
    .getByText(/not the solution/)
    .first()
    .waitFor();
  await holds(page, "h1", "white king");
  await move(page, "a2", "a7");
  await holds(page, "a7", "white rook");
  // The reply comes by itself.
  await holds(page, "g8", "black king");
  await move(page, "b1", "b8");
  await page.getByText("Solved").first().waitFor();
  await accessible(page, "a problem that is solved");
  await page.leave();
});

test("the open board: anything goes, and what is written may do more", async () => {
  const page = await sitDown("preset-open-board");
  await page.getByText("Rules not enforced").first().waitFor();
  await move(page, "e2", "e5");
  await holds(page, "e5", "white pawn");
  await move(page, "d8", "d2");
  await holds(page, "d2", "black queen");
  await write(page, ["Q-e4; a2-", "swap a1 h8"]);
  await holds(page, "e4", "white queen");
  await holds(page, "a2", "empty");
  await holds(page, "a1", "black rook");
  assert.equal(await page.getByRole("button", { name: "Hint" }).isDisabled(), true);
  await page.leave();
});

test("the engine answers where the code tells its moves", async () => {
  const engine = { type: "engine", level: 3, seconds: 0.5, depth: null, variety: 0 };
  const page = await sitDown("preset-chess", 0, [{ type: "person", name: "P1" }, engine]);
  await move(page, "e2", "e4");
  await holds(page, "e4", "white pawn");
  await page.waitForFunction(
    () => document.querySelectorAll("ol[aria-label] li button").length >= 2,
    null,
    { timeout: 30_000 },
  );
  await page.leave();
});

test("a game is written down, and goes on from its record", async () => {
  const page = await sitDown("preset-chess");
  await write(page, ["P e2-e4 // a start", "p e7-e5"]);
  const record = await (
    await fetch(`${server.address}/api/matches/${page.match.id}/save.zsg`)
  ).text();
  assert.match(record, /^boardwright record 1\n/);
  assert.match(record, /turn: P e2-e4 \/\/ a start\nturn: p e7-e5\n/);
  const file = join(server.data, "game.txt");
  writeFileSync(file, record);
  await page.goto(`${server.address}/`);
  await page.getByTestId("open-file").setInputFiles(file);
  await page.waitForURL(/\/m\//);
  await holds(page, "e5", "black pawn");
  await move(page, "g1", "f3");
  await holds(page, "f3", "white knight");
  await page.leave();
});

test("presets stand in the library, with a mark of their own", async () => {
  const page = await visit(browser, server, "/");
  await page.getByRole("button", { name: "Presets" }).click();
  await page.getByRole("link", { name: "Circular Chess" }).waitFor();
  assert.equal((await page.locator(".card .badge", { hasText: "Preset" }).count()) >= 14, true);
  await accessible(page, "the presets of the library");
  await page.getByRole("link", { name: "Open Board" }).click();
  await page
    .getByText(/No engine available/)
    .first()
    .waitFor();
  await page.leave();
});

test("the studio: an error shows its line, a turn is tried, a version saved and played", async () => {
  const page = await visit(browser, server, "/p/preset-chess");
  await page.getByText(/^Checked in/).waitFor();
  await accessible(page, "the studio");
  const trial = page.getByRole("textbox", { name: "Try a move" });
  await trial.fill("P e2-e5");
  await trial.press("Enter");
  await page.getByText("The P cannot move so.").waitFor();
  await trial.fill("P e2-e4");
  await trial.press("Enter");
  await page.getByText("Legal. Black then has 20 legal moves.").waitFor();
  await page.getByRole("tab", { name: "Code" }).click();
  const code = page.getByRole("textbox", { name: "Post-Move 1" });
  await code.fill("// after White\ngosub juge 1;\ndei nonsense;");
  await page.getByRole("region", { name: "Post-Move 1" }).getByText("line 3").first().waitFor();
  await page.getByText("`dei` is not a command").first().waitFor();
  await accessible(page, "an error in the code");
  await page.getByRole("button", { name: "Full listing" }).click();
  await page
    .locator("pre.listing")
    .getByText(/dei nonsense/)
    .waitFor();
  await page.getByRole("button", { name: "Revert" }).click();
  await page.getByRole("tab", { name: "Game" }).click();
  await page.getByRole("textbox", { name: "Game" }).fill("House Chess");
  await page.getByText(/^Checked in/).waitFor();
  await page.getByRole("button", { name: "Save as my own" }).click();
  await page.waitForURL(/\/p\/my-/);
  await page.getByRole("heading", { name: "House Chess" }).waitFor();
  await page.getByRole("link", { name: "Play this preset" }).click();
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.waitForURL(/\/m\//);
  await page.getByRole("application").waitFor();
  await move(page, "d2", "d4");
  await holds(page, "d4", "white pawn");
  await page.leave();
});

test("the studio reads settings from elsewhere, and says what it did not understand", async () => {
  const page = await visit(browser, server, "/p/preset-open-board");
  await page.getByRole("tab", { name: "Text" }).click();
  await page
    .getByRole("textbox", { name: "Address or settings" })
    .fill("https://example.org/play.php?game=Tiny&fen=k2/3/2K&cols=3&wolves=3");
  await page.getByRole("button", { name: "Import" }).click();
  await page.getByText(/wolves/).waitFor();
  await page.getByRole("heading", { name: "Tiny" }).waitFor();
  await page
    .getByRole("application")
    .getByRole("button", { name: /^c1, white king/i })
    .waitFor({ state: "attached" });
  await accessible(page, "an import");
  await page.leave();
});

test("looks are customized and saved; the match begun before keeps its own", async () => {
  const page = await sitDown("preset-chess");
  await page.goto(`${server.address}/p/preset-chess/looks`);
  await page.getByText(/^Checked in/).waitFor();
  await accessible(page, "the page of looks");
  assert.equal(await page.getByRole("tab").count(), 0);
  await page.getByRole("textbox", { name: "Colors", exact: true }).fill("224466 DDEEFF");
  await page.waitForFunction(() =>
    [...document.querySelectorAll(".bw-cell")].some((it) => it.style.fill === "rgb(34, 68, 102)"),
  );
  await page.getByRole("button", { name: "Save as my own" }).click();
  await page.waitForURL(/\/p\/my-.*looks/);
  const own = decodeURIComponent(page.url().match(/\/p\/([^/]+)/)[1]);
  const match = await createMatch(server, own);
  // The preset is changed while a match goes on.
  await page.getByRole("textbox", { name: "Colors", exact: true }).fill("446622 EEFFDD");
  await page.getByRole("button", { name: "Save version" }).click();
  await page.getByText("Saved to the library").waitFor();
  await page.goto(`${server.address}/m/${match.id}?key=${match.key}`);
  await page.waitForFunction(() =>
    [...document.querySelectorAll(".bw-cell")].some((it) => it.style.fill === "rgb(34, 68, 102)"),
  );
  await page.getByText(/The preset has changed since/).waitFor();
  await page.leave();
});

test("a preset that somebody brings joins their games", async () => {
  const page = await visit(browser, server, "/");
  const file = join(server.data, "preset.txt");
  writeFileSync(
    file,
    "game: Pond Chess\ncode: k2/3/2K\ncolumns: 3\npieces:\n  K <b>Wolf</b>\n  k Sheep\n",
  );
  await page.getByTestId("open-file").setInputFiles(file);
  await page.waitForURL(/\/g\/my-/);
  await page.getByRole("heading", { name: "Pond Chess" }).waitFor();
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.waitForURL(/\/m\//);
  // Names are text, whatever they hold.
  await holds(page, "c1", "white <b>wolf</b>");
  await page.leave();
});

for (const [name, path, act] of [
  ["a match", null, null],
  ["the studio", "/p/preset-circular-chess", null],
  ["code", "/p/preset-xiangqi", "Code"],
  ["text", "/p/preset-horseshoe", "Text"],
]) {
  test(`dark, and on a phone: ${name}`, async () => {
    const options = { viewport: { width: 390, height: 844 }, colorScheme: "dark", hasTouch: true };
    const page = path
      ? await visit(browser, server, path, options)
      : await sitDown("preset-xiangqi", 0, null, options);
    if (act) await page.getByRole("tab", { name: act }).click();
    await page.getByRole("application").waitFor();
    assert.equal(
      await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
      true,
      "nothing sticks out",
    );
    await accessible(page, `${name} on a phone`);
    await page.leave();
  });
}
