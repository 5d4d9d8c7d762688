// A phone in the hand: real touch input, on the boards where fingers went wrong.
import { test } from "node:test";
import assert from "node:assert/strict";
import {
  PHONE,
  createMatch,
  fingers,
  holds,
  middle,
  openMatch,
  serveTests,
  server,
  tap,
} from "./kit.mjs";

serveTests();

const onPhone = async (game, n = 0) =>
  openMatch(await createMatch(server, game, n), { ...PHONE, deviceScaleFactor: 2 });

/** A tap on each of two sites, and then what stands on the second. */
async function tapMove(page, from, to, what) {
  await tap(page, from);
  await tap(page, to);
  await holds(page, to, what);
}

test("a tap opens the choice of a promotion and does not take its first entry", async () => {
  const page = await onPhone("shogi");
  await tapMove(page, "7g", "7f", "pawn");
  await tapMove(page, "3c", "3d", "pawn");
  await tap(page, "8h");
  await tap(page, "2b");
  const menu = page.getByRole("menu");
  await menu.waitFor();
  // The click of the tap has come and gone when the page has handled two frames more.
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
  assert.equal(await menu.isVisible(), true, "the tap that opened the menu has not closed it");
  await holds(page, "8h", "bishop");
  const promoted = menu.getByRole("menuitem", { name: /horse|promoted/i });
  const box = await promoted.boundingBox();
  assert.ok(box.width >= 44 && box.height >= 44, "a fingertip hits an entry");
  await promoted.tap();
  await holds(page, "2b", "horse|promoted");
  await page.leave();
});

test("a pawn in chess becomes the piece that the finger chose, not always a queen", async () => {
  const page = await onPhone("chess");
  for (const [from, to, what] of [
    ["a2", "a4", "white pawn"],
    ["b7", "b5", "black pawn"],
    ["a4", "b5", "white pawn"],
    ["h7", "h6", "black pawn"],
    ["b5", "b6", "white pawn"],
    ["h6", "h5", "black pawn"],
    ["b6", "c7", "white pawn"],
    ["h5", "h4", "black pawn"],
  ])
    await tapMove(page, from, to, what);
  await tap(page, "c7");
  await tap(page, "b8");
  await page.getByRole("menuitem", { name: "knight" }).tap();
  await holds(page, "b8", "white knight");
  await page.leave();
});

test("the loupe is a disc on the board and says what its button does", async () => {
  const page = await onPhone("four-handed-chess");
  const names = await page.evaluate(() =>
    [...document.querySelectorAll('[role="application"] [role="button"]')]
      .map((it) => it.getAttribute("aria-label"))
      .filter((it) => /pawn, \d move/.test(it))
      .map((it) => it.split(",")[0]),
  );
  await tap(page, names[0]);
  const loupe = page.locator(".bw-loupe");
  await loupe.waitFor();
  await loupe.getByRole("button", { name: "Pick up" }).waitFor();
  // Whatever the glass draws beyond its disc is not there for the eye nor for the finger.
  const seen = await page.locator(".bw-loupe-glass").evaluate((it) => {
    const style = getComputedStyle(it);
    const box = it.getBoundingClientRect();
    return { overflow: style.overflow, clip: style.clipPath, width: box.width, height: box.height };
  });
  assert.equal(seen.overflow, "hidden");
  assert.equal(seen.clip, "circle(50%)");
  assert.deepEqual([seen.width, seen.height], [96, 96]);
  const glass = await loupe.boundingBox();
  const board = await page.locator(".bw-board").boundingBox();
  assert.ok(
    glass.x >= board.x - 1 &&
      glass.y >= board.y - 1 &&
      glass.x + glass.width <= board.x + board.width + 1,
    "the loupe stays on the board",
  );
  await loupe.getByRole("button", { name: "Pick up" }).tap();
  const target = await page.evaluate(
    () =>
      [...document.querySelectorAll('[role="application"] [role="button"]')]
        .map((it) => it.getAttribute("aria-label"))
        .find((it) => /can move here/.test(it))
        ?.split(",")[0],
  );
  await tap(page, target);
  await loupe.getByRole("button", { name: "Move here" }).tap();
  await holds(page, target, "pawn");
  await page.leave();
});

test("a stone is placed by a second tap under the loupe", async () => {
  const page = await onPhone("gomoku");
  await tap(page, "h8");
  await page.locator(".bw-loupe").getByRole("button", { name: "Place here" }).waitFor();
  await holds(page, "h8", "empty");
  await tap(page, "h8");
  await holds(page, "h8", "stone");
  await page.leave();
});

test("a dragged piece counts where the finger is, not where it floats", async () => {
  const page = await onPhone("chess");
  const hand = await fingers(page);
  const [x, y] = await middle(page, "e2");
  const [toX, toY] = await middle(page, "e4");
  await hand.down(x, y);
  await hand.move(x, y - 20);
  await hand.move(toX, toY + 4);
  await hand.move(toX, toY);
  const carried = await page.locator(".bw-carried").boundingBox();
  assert.ok(carried.y + carried.height / 2 < toY - 10, "the piece is drawn above the finger");
  await hand.up();
  await holds(page, "e4", "white pawn");
  await page.leave();
});
