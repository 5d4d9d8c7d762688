// Whole games through the page: one of each kind, by a player's hands.
import { test } from "node:test";
import assert from "node:assert/strict";
import {
  accessible,
  click,
  createMatch,
  drag,
  holds,
  move,
  openMatch,
  serveTests,
  server,
} from "./kit.mjs";

serveTests();

const sitDown = async (game, n = 0, seats = null, options = {}) =>
  openMatch(await createMatch(server, game, n, seats), options);

test("chess: en passant, a promotion by choice, castling and mate", async () => {
  const page = await sitDown("chess");
  await move(page, "e2", "e4");
  await holds(page, "e4", "white pawn");
  await drag(page, "f7", "f5");
  await holds(page, "f5", "black pawn");
  await move(page, "e4", "f5");
  await holds(page, "f5", "white pawn");
  await move(page, "g7", "g5");
  await holds(page, "g5", "black pawn");
  await move(page, "f5", "g6");
  await holds(page, "g5", "empty");
  await move(page, "a7", "a6");
  await holds(page, "a6", "black pawn");
  await move(page, "g6", "h7");
  await holds(page, "h7", "white pawn");
  await move(page, "a6", "a5");
  await holds(page, "a5", "black pawn");
  await move(page, "h7", "g8");
  // Four pieces share the click: the page asks.
  const menu = page.getByRole("menu");
  await menu.waitFor();
  assert.equal(await menu.getByRole("menuitem").count(), 4);
  await accessible(page, "the choice of a promotion");
  await menu.getByRole("menuitem", { name: /rook/i }).click();
  await holds(page, "g8", "white rook");
  await move(page, "h8", "g8");
  await holds(page, "g8", "black rook");
  for (const [from, to, what] of [
    ["g1", "h3", "white knight"],
    ["a5", "a4", "black pawn"],
    ["f1", "c4", "white bishop"],
    ["a4", "a3", "black pawn"],
    ["e1", "g1", "white king"],
  ]) {
    await move(page, from, to);
    await holds(page, to, what);
  }
  await holds(page, "f1", "white rook");
  for (const [from, to, what] of [
    ["a3", "b2", "black pawn"],
    ["d1", "h5", "white queen"],
    ["g8", "g6", "black rook"],
    ["h5", "g6", "white queen"],
  ]) {
    await move(page, from, to);
    await holds(page, to, what);
  }
  await page
    .getByText(/White wins|Black loses|White won|Black lost/)
    .first()
    .waitFor();
  await page
    .getByText(/checkmate/i)
    .first()
    .waitFor();
  await accessible(page, "the result");
  await page.leave();
});

test("draughts: a chain of two jumps, step by step", async () => {
  const page = await sitDown("english-draughts");
  for (const [from, to] of [
    ["9", "13"],
    ["22", "18"],
    ["6", "9"],
    ["25", "22"],
    ["12", "16"],
    ["21", "17"],
    ["2", "6"],
    ["18", "14"],
  ]) {
    await move(page, from, to);
    await holds(page, to, "man");
  }
  await move(page, "9", "18");
  await holds(page, "14", "empty");
  // Only one way is left, so the chain goes on by itself.
  await holds(page, "25", "black man");
  await holds(page, "22", "empty");
  await page.leave();
});

test("shogi: a captured bishop is dropped again", async () => {
  const page = await sitDown("shogi");
  assert.equal(await page.getByRole("application").getByRole("button").count(), 81);
  await move(page, "7g", "7f");
  await holds(page, "7f", "pawn");
  await move(page, "3c", "3d");
  await holds(page, "3d", "pawn");
  await move(page, "8h", "2b");
  const menu = page.getByRole("menu");
  await menu.waitFor();
  assert.equal(await menu.getByRole("menuitem").count(), 2);
  await page.keyboard.press("Enter");
  await holds(page, "8h", "empty");
  await move(page, "3a", "2b");
  await holds(page, "2b", "silver");
  await page
    .getByRole("button", { name: /bishop/i })
    .filter({ hasNot: page.locator('[role="application"]') })
    .last()
    .click();
  await click(page, "5e");
  await holds(page, "5e", "bishop");
  await page.leave();
});

test("hex: one click a stone, and a chain from side to side wins", async () => {
  const page = await sitDown("hex", 1);
  for (let row = 1; row <= 7; row += 1) {
    await click(page, `d${row}`);
    await holds(page, `d${row}`, "red");
    if (row < 7) {
      await click(page, `a${row}`);
      await holds(page, `a${row}`, "blue");
    }
  }
  await page
    .getByText(/Red (wins|won)/)
    .first()
    .waitFor();
  await page.leave();
});

test("a board of three dimensions is won through its levels", async () => {
  const page = await sitDown("tic-tac-toe-3d", 1);
  for (const name of ["Aa1", "Aa2", "Bb2", "Aa3", "Cc3"]) {
    await click(page, name);
    await holds(page, name, "token");
  }
  await page
    .getByText(/X (wins|won)/)
    .first()
    .waitFor();
  await page.leave();
});

test("four players take turns", async () => {
  const page = await sitDown("four-handed-chess");
  for (const [from, to, who] of [
    ["d2", "d4", "red"],
    ["b5", "d5", "blue"],
    ["d13", "d11", "yellow"],
    ["m4", "k4", "green"],
    ["e2", "e4", "red"],
  ]) {
    await move(page, from, to);
    await holds(page, to, who);
  }
  await page.leave();
});

test("dice fall by themselves, and the engine answers", async () => {
  const engine = { type: "engine", level: 1, seconds: 0.2, depth: null, variety: 0 };
  const page = await sitDown("royal-ur", 0, [engine, engine]);
  // Nobody touches anything: throws and moves come one after the other.
  await page.waitForFunction(() => document.querySelectorAll("ol li").length >= 8, null, {
    timeout: 60_000,
  });
  await page.leave();
});

test("a puzzle is solved by hand", async () => {
  const page = await sitDown("towers-of-hanoi");
  for (const [from, to] of [
    ["a3", "c1"],
    ["a2", "b1"],
    ["c1", "b2"],
    ["a1", "c1"],
    ["b2", "a1"],
    ["b1", "c2"],
    ["a1", "c3"],
  ]) {
    await move(page, from, to);
    await holds(page, to, "disk");
  }
  await page
    .getByText(/Solved|You (win|won)/i)
    .first()
    .waitFor();
  await accessible(page, "a solved puzzle");
  await page.leave();
});
