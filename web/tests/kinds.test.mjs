// Every kind of game looks and plays as its players know it.
import { test } from "node:test";
import assert from "node:assert/strict";
import {
  PHONE,
  accessible,
  browser,
  click,
  createMatch,
  engine,
  holds,
  middle,
  move,
  openMatch,
  person,
  serveTests,
  server,
  texts,
  visit,
} from "./kit.mjs";

serveTests();

const DESK = { viewport: { width: 1440, height: 900 } };
const TABLET = { viewport: { width: 1024, height: 768 } };

const sitDown = async (game, options = DESK, seats = null, n = 0) =>
  openMatch(await createMatch(server, game, n, seats), options);
const box = (page, what) => page.locator(what).first().boundingBox();

test("Go: komi tiles and pass stones beside the board, no button to pass, no score", async () => {
  const page = await sitDown("go");
  assert.equal(await page.locator(".bw-handbox").count(), 0, "stones need no tray");
  assert.equal(await page.getByRole("button", { name: /komi|first-pass/ }).count(), 0);
  await page.getByText("7 points").waitFor();
  await click(page, "e5");
  await holds(page, "e5", "black stone");
  await page
    .locator(".plate.me")
    .getByText(/[^\d]1 point$/)
    .waitFor();
  const pass = page.getByRole("group", { name: "Pass" }).getByRole("button");
  await pass.click();
  await page.locator('ol[aria-label="Moves"] .cell button').nth(1).waitFor();
  assert.deepEqual(await texts(page), ["e5", "Pass"]);
  await accessible(page, "Go");
  await pass.click();
  await page.getByText("Black wins").first().waitFor();
  await page.getByText("81 points").waitFor();
  await page.leave();
});

test("Kalah: seeds are not counted, and the free part of a house does not react", async () => {
  const page = await sitDown("mancala");
  const counts = () => page.locator(".bw-pile-count").allTextContents();
  await page.locator(".bw-pile-count").first().waitFor();
  assert.deepEqual((await counts()).sort(), [...Array(12).fill("4"), "0", "0"].sort());
  await page.getByText("24 points").first().waitFor();
  // The foot of the third house from the left, where no seed lies.
  const labels = page.locator(".bw-pile-count");
  const spot = await labels.nth(2).boundingBox();
  await page.mouse.click(spot.x + spot.width / 2, spot.y - 6);
  await page.waitForFunction(() =>
    [...document.querySelectorAll(".bw-pile-count")].some((it) => it.textContent === "5"),
  );
  assert.equal((await counts()).filter((it) => it === "5").length, 3);
  assert.equal((await counts()).filter((it) => it === "1").length, 1, "one seed in the store");
  await accessible(page, "Kalah");
  await page.leave();
});

test("Connect Four: a click at the top of a column does nothing", async () => {
  const page = await sitDown("connect-four");
  assert.equal(await page.locator(".bw-handbox").count(), 0);
  await click(page, "d6");
  await holds(page, "d1", "^(?!.*empty)");
  await click(page, "d6");
  await holds(page, "d2", "^(?!.*empty)");
  await page.leave();
});

test("English draughts: your men move towards you, and squares have no numbers", async () => {
  const page = await sitDown("english-draughts", DESK, [person, engine]);
  const [, mine] = await middle(page, "1");
  const [, theirs] = await middle(page, "32");
  assert.ok(mine > theirs, "Black, who is you, sits below");
  const plate = await box(page, ".plate.me");
  assert.match(await page.locator(".plate.me").innerText(), /Black/);
  assert.ok(plate.y > 450);
  assert.equal(await page.locator(".bw-coord-number").count(), 32);
  await page.getByText("Coordinates").waitFor();
  await page.leave();
});

test("chess: the second player still sits below", async () => {
  const page = await sitDown("chess", DESK, [engine, person]);
  const [, king] = await middle(page, "e8");
  const [, other] = await middle(page, "e1");
  assert.ok(king > other);
  assert.match(await page.locator(".plate.me").innerText(), /Black/);
  await page.leave();
});

test("reversi: a final of 36 and 32 pieces, of which nobody knows the score", async () => {
  const page = await sitDown("reversi");
  await page.getByText("2 points").first().waitFor();
  assert.equal(await page.locator(".bw-handbox").count(), 0);
  await page.leave();
});

test("trays of stones take the room of the board", async () => {
  for (const [game, options, least] of [
    ["gomoku", DESK, 760],
    ["gomoku", TABLET, 640],
    ["reversi", DESK, 760],
    ["hex", DESK, 700],
    ["gomoku", PHONE, 370],
  ]) {
    const page = await sitDown(game, options);
    const board = await box(page, ".bw-board");
    assert.ok(board.width >= least, `${game}: ${board.width} pixels at ${options.viewport.width}`);
    await page.leave();
  }
});

test("shogi: the board jumps at the first capture", async () => {
  const page = await sitDown("shogi");
  const before = await box(page, ".bw-board");
  for (const [from, to] of [
    ["7g", "7f"],
    ["3c", "3d"],
  ]) {
    await move(page, from, to);
    await holds(page, to, "pawn");
  }
  await move(page, "8h", "2b");
  await page.getByRole("menuitem").first().click();
  await holds(page, "2b", "black");
  assert.deepEqual(await box(page, ".bw-board"), before);
  await page.leave();
});

test("Ludo on a phone: the own plate and the toolbar lie below the screen", async () => {
  const page = await sitDown("ludo", PHONE);
  const plate = await box(page, ".plate.me");
  assert.ok(plate.y + plate.height <= 844, `the plate ends at ${plate.y + plate.height}`);
  const tools = await page.getByRole("toolbar").boundingBox();
  assert.ok(tools.y + tools.height <= 845, `the toolbar ends at ${tools.y + tools.height}`);
  await page.leave();
});

test("Ludo: an extra turn is shown as the failed turns of everybody else", async () => {
  const page = await sitDown("ludo", DESK, [person, person, person, person]);
  const list = 'ol[aria-label="Moves"] .cell button';
  /** Moves a marked piece; whoever cannot move passes without a hand. */
  const step = async () => {
    const movable = page.locator(".bw-movable-line, .bw-hp.bw-can").first();
    await movable.waitFor();
    const before = (await texts(page)).length;
    const spot = await movable.boundingBox();
    await page.mouse.click(spot.x + spot.width / 2, spot.y + spot.height / 2);
    // Either the click was the whole move, or its targets are shown.
    await page.waitForFunction(
      ([list, before]) =>
        document.querySelectorAll(list).length > before ||
        document.querySelector(".bw-layer-targets .bw-dot, .bw-layer-targets .bw-drop"),
      [list, before],
    );
    const mark = page.locator(".bw-layer-targets .bw-dot, .bw-layer-targets .bw-drop").first();
    const at = (await texts(page)).length > before ? null : await mark.boundingBox();
    if (at) await page.mouse.click(at.x + at.width / 2, at.y + at.height / 2);
    await page.waitForFunction(
      ([list, before]) => document.querySelectorAll(list).length > before + 1,
      [list, before],
    );
  };
  let six = -1;
  for (let n = 0; n < 60 && six < 0; n += 1) {
    const at = (await texts(page)).lastIndexOf("6");
    // A six that was moved with, not one that found no move.
    await step();
    if (at >= 0 && (await texts(page))[at + 1] !== "Pass") six = at;
  }
  assert.ok(six >= 0, "somebody moved with a six");
  // The throw, the move, and then the next throw of the same player.
  const after = (await texts(page)).slice(six + 1);
  assert.match(after[1], /^[1-6]$/, `after a six: ${after}`);
  const column = await page.evaluate(
    ([list, six]) => {
      const cells = [...document.querySelectorAll('ol[aria-label="Moves"] .cell')];
      const all = [...document.querySelectorAll(list)];
      const of = (i) => cells.indexOf(all[i].closest(".cell")) % 4;
      return [of(six), of(six + 2)];
    },
    [list, six],
  );
  assert.equal(column[0], column[1], "the same player throws again");
  await page.leave();
});

test("other names find nothing: othello, hnefatafl, checkers, 960", async () => {
  const page = await visit(browser, server, "/", DESK);
  const field = page.getByRole("searchbox");
  for (const [text, title] of [
    ["othello", "Reversi"],
    ["hnefatafl", "Tablut"],
    ["four in a row", "Connect Four"],
    ["lights out", "Turn Off"],
    ["japanese chess", "Shogi"],
    ["chinese chess", "Xiangqi"],
    ["checkers", "English Draughts"],
    ["baduk", "Go"],
    ["960", "Fischer Random Chess"],
  ]) {
    await field.fill(text);
    await page.locator(".card").getByText(title, { exact: true }).first().waitFor();
  }
  await page.leave();
});

test("on a phone the results of a search are below the fold, and Back loses them", async () => {
  const page = await visit(browser, server, "/", PHONE);
  await page.getByRole("searchbox").fill("othello");
  const card = page.locator(".card").getByText("Reversi", { exact: true });
  await card.waitFor();
  const at = await card.boundingBox();
  assert.ok(at.y + at.height < 844, `the result is at ${at.y}`);
  await accessible(page, "results on a phone");
  await card.tap();
  await page.waitForURL(/\/g\/reversi/);
  await page.goBack();
  await card.waitFor();
  assert.equal(await page.getByRole("searchbox").inputValue(), "othello");
  await page.leave();
});

test("Alice chess on a phone has squares of 21 pixels and an empty page below", async () => {
  const page = await sitDown("preset-alice-chess", PHONE);
  const square = await box(page, '.bw-site[data-name="e2"]');
  assert.ok(square.width >= 26, `a square is ${square.width} pixels wide`);
  await page.leave();
});

test("Raumschach: White begins at the near edge of every level", async () => {
  const page = await sitDown("raumschach", PHONE);
  const [, white] = await middle(page, "Aa1");
  const [, far] = await middle(page, "Aa5");
  assert.ok(white > far);
  await page.leave();
});

test("Xiangqi: the ring of the last move hides the character of the piece", async () => {
  const page = await sitDown("xiangqi");
  await move(page, "a4", "a5");
  await holds(page, "a5", "red");
  assert.equal(await page.locator(".bw-last-ring").count(), 0);
  assert.equal(await page.locator(".bw-layer-last .bw-fill-last").count(), 1, "it is marked below");
  await page.leave();
});

test("the goals of Sokoban are not marked", async () => {
  for (const n of [0, 2]) {
    const page = await sitDown("sokoban", DESK, null, n);
    await page.locator(".bw-goal").first().waitFor();
    await page.leave();
  }
});

test("messages and bars cover the board", async () => {
  for (const options of [DESK, TABLET, PHONE]) {
    for (const [game, piece] of [
      ["chess", "a1"],
      ["go", null],
    ]) {
      const page = await sitDown(game, options);
      if (piece) await click(page, piece);
      const bar = page.locator(".toast").first();
      await bar.waitFor();
      const [board, over] = [await box(page, ".bw-board"), await bar.boundingBox()];
      assert.ok(
        over.y >= board.y + board.height - 1,
        `${game} at ${options.viewport.width}: ${over.y} above ${board.y + board.height}`,
      );
      await page.leave();
    }
  }
});
