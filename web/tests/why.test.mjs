// A refused move says why: by mouse, finger and keys, for the eye and for a screen reader.
import { test } from "node:test";
import assert from "node:assert/strict";
import {
  accessible,
  click,
  createMatch,
  drag,
  fingers,
  holds,
  middle,
  move,
  openMatch,
  serveTests,
  server,
  site,
} from "./kit.mjs";

serveTests();

const sitDown = async (game, seats = null, options = {}) =>
  openMatch(await createMatch(server, game, 0, seats), options);

/** The sentence is on the page and in the region that screen readers read at once. */
async function told(page, sentence) {
  await page.locator(".toast").getByText(sentence).waitFor();
  await page.locator('[aria-live="assertive"]').getByText(sentence).waitFor({ state: "attached" });
}

async function intoCheck(page) {
  for (const [from, to, what] of [
    ["e2", "e4", "white pawn"],
    ["f7", "f6", "black pawn"],
    ["d1", "h5", "white queen"],
  ]) {
    await move(page, from, to);
    await holds(page, to, what);
  }
}
const IN_CHECK = "Your king is in check, and this move does not stop it.";

test("in check, a knight that is dragged goes back without a word", async () => {
  const page = await sitDown("chess");
  await intoCheck(page);
  // It cannot be picked up, so pressing it is the attempt.
  await drag(page, "b8", "c6");
  await told(page, IN_CHECK);
  await holds(page, "b8", "black knight");
  await accessible(page, "a reason");
  const how = page.locator(".toast").getByRole("button", { name: "How it moves" });
  await how.click();
  await page.getByRole("region", { name: "Piece" }).getByText("Knight").first().waitFor();
  await page.leave();
});

test("a piece that is dropped where it may not go says why not", async () => {
  const page = await sitDown("chess");
  await drag(page, "e2", "d3");
  await told(page, "Your pawn moves to d3 only to capture.");
  await drag(page, "g1", "g4");
  await told(page, "Your knight cannot move to g4.");
  await page.leave();
});

test("a stray click beside the targets only puts the piece back", async () => {
  const page = await sitDown("chess");
  await page.evaluate(() => {
    const region = document.querySelector('[aria-live="assertive"]');
    globalThis.heard = [];
    new MutationObserver(() => globalThis.heard.push(region.textContent)).observe(region, {
      childList: true,
      characterData: true,
      subtree: true,
    });
  });
  await click(page, "g1");
  await click(page, "g5");
  await page.waitForFunction(() => document.querySelectorAll(".bw-dot").length === 0);
  await click(page, "e2");
  // The answer to the second question comes after the one to the first would have.
  await click(page, "d3");
  await told(page, "Your pawn moves to d3 only to capture.");
  assert.deepEqual(await page.evaluate(() => globalThis.heard), [
    "Your pawn moves to d3 only to capture.",
  ]);
  await page.leave();
});

test("a finger hears that capturing is compulsory", async () => {
  const page = await sitDown("english-draughts", null, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  const hand = await fingers(page);
  const pull = async (from, to) => {
    const [x, y] = await middle(page, from);
    const [toX, toY] = await middle(page, to);
    await hand.down(x, y);
    await hand.move((x + toX) / 2, (y + toY) / 2);
    await hand.move(toX, toY);
    await hand.up();
  };
  await pull("11", "15");
  await holds(page, "15", "black");
  await pull("22", "18");
  await holds(page, "18", "white");
  await pull("9", "13");
  await told(page, "You can capture, so you must.");
  await page.leave();
});

test("keys are told the reason too", async () => {
  const page = await sitDown("chess");
  await site(page, "a1").focus();
  await page.keyboard.press("Enter");
  await told(page, "Your rook has no legal move.");
  await site(page, "b1").focus();
  await page.keyboard.press("Enter");
  await site(page, "b3").focus();
  await page.keyboard.press("Enter");
  await told(page, "Your knight cannot move to b3.");
  await page.leave();
});

test("a click on one’s own piece while the other side is to move says whose turn it is", async () => {
  const page = await sitDown("chess", [
    { type: "person", name: "" },
    { type: "guest", name: "" },
  ]);
  await move(page, "e2", "e4");
  await holds(page, "e4", "white pawn");
  await click(page, "d2");
  await told(page, "Not your turn: Black is to move.");
  await page.leave();
});

test("the code of a preset says in its own words why a turn is refused", async () => {
  const page = await sitDown("preset-chess");
  await drag(page, "e2", "e5");
  const toast = page.locator(".toast");
  await toast.waitFor();
  assert.notEqual((await toast.innerText()).trim(), "");
  await holds(page, "e2", "pawn");
  await page.leave();
});
