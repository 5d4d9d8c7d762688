// What newcomers stumbled over, so that nobody does again. Each test bears the name of the stumble.
import { test } from "node:test";
import assert from "node:assert/strict";
import { join } from "node:path";
import {
  Server,
  accessible,
  browser,
  click,
  createMatch,
  drag,
  engine,
  holds,
  move,
  openMatch,
  person,
  root,
  serveTests,
  server,
  site,
  texts,
  visit,
} from "./kit.mjs";

serveTests();

const pieces = (page) =>
  page.evaluate(() => document.querySelectorAll(".bw-layer-pieces .bw-piece").length);

test("an empty board is not started without a question, and its toast stays behind", async () => {
  const page = await openMatch(await createMatch(server, "chess"));
  await page.getByRole("link", { name: "Edit position" }).click();
  await page.getByText("White has 20 legal moves").waitFor();
  await page.getByRole("button", { name: "Clear" }).click();
  await page.getByRole("status").getByText("White has no pieces.").waitFor();
  await page.getByRole("button", { name: "Start from here" }).click();
  const question = page.getByRole("dialog");
  await question.getByText(/over immediately/).waitFor();
  await accessible(page, "the question of the editor");
  await question.getByRole("button", { name: "Back to the board" }).click();
  assert.match(page.url(), /\/edit$/);
  // Cleared again, then left: nothing there could be undone any more.
  await page.getByRole("button", { name: "Starting position" }).click();
  await page.getByText("White has 20 legal moves").waitFor();
  await page.getByRole("button", { name: "Clear" }).click();
  await page.getByText("Board cleared").waitFor();
  await page.getByRole("link", { name: "Cancel" }).click();
  await holds(page, "e2", "white pawn");
  assert.equal(await page.getByText("Board cleared").count(), 0);
  await page.leave();
});

test("a board without kings is called so before it is played", async () => {
  const page = await openMatch(await createMatch(server, "chess"));
  await page.getByRole("link", { name: "Edit position" }).click();
  await page.getByRole("button", { name: "Remove" }).click();
  await click(page, "e1");
  await page.getByRole("status").getByText("White has no King.").waitFor();
  await page.getByRole("button", { name: "Start from here" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Start anyway" }).click();
  await page.waitForURL(/\/m\/[^/]+$/);
  await holds(page, "e1", "empty");
  await page.leave();
});

test("a hint goes with the state it speaks of", async () => {
  const page = await openMatch(await createMatch(server, "tic-tac-toe"));
  await page.keyboard.press("h");
  const hint = page.getByRole("status").filter({ hasText: /Best move: / });
  await hint.waitFor();
  const names = await page
    .getByRole("application")
    .getByRole("button")
    .evaluateAll((all) => all.map((it) => it.getAttribute("aria-label").split(",")[0]));
  await click(page, names[4]);
  await holds(page, names[4], "^(?!.*empty)");
  await hint.waitFor({ state: "detached" });
  await page.leave();
});

test("dice are no pieces: not in a hand, not in a count, not letters", async () => {
  const page = await openMatch(await createMatch(server, "royal-ur", 0, [person, engine]));
  await page
    .getByText(/You rolled \d/)
    .or(page.getByText(/Black rolled \d/))
    .first()
    .waitFor();
  const hand = page.getByRole("group", { name: /hand/i });
  assert.deepEqual(
    await hand
      .last()
      .getByRole("button")
      .evaluateAll((all) => all.map((it) => it.dataset.kind)),
    ["Piece"],
  );
  await page.getByText("7 pieces").first().waitFor();
  const [first] = await texts(page);
  assert.match(first, /^[0-4]$/);
  await page
    .getByRole("radio", { name: "Letters" })
    .or(page.getByRole("button", { name: "Letters" }))
    .first()
    .click();
  await page.waitForFunction(
    () => document.querySelectorAll('.bw-layer-pieces use[href^="#p-die-"]').length === 1,
  );
  await page.evaluate(() =>
    fetch("/api/user", {
      method: "PUT",
      headers: {
        "content-type": "application/json",
        "x-boardwright-key": localStorage.getItem("bw.owner"),
      },
      body: JSON.stringify({ favourites: [], recent: [], preferences: {} }),
    }),
  );
  await page.leave();
});

test("after a throw the pieces that can move are marked, and the throw stands in its player’s column", async () => {
  const page = await openMatch(
    await createMatch(server, "snakes-and-ladders", 0, [person, person, person]),
  );
  for (let n = 0; n < 2; n += 1) {
    await page.waitForFunction(
      (n) => document.querySelectorAll('ol[aria-label="Moves"] .chance').length === n + 1,
      n,
    );
    const at = await page.evaluate(() => {
      const cells = [...document.querySelectorAll('ol[aria-label="Moves"] li .cell')];
      return cells.findLastIndex((it) => it.querySelector(".chance")) % 3;
    });
    assert.equal(at, n % 3);
    const marked = page.locator(".bw-movable-line");
    const can = page.locator(".bw-hp.bw-can");
    assert.ok((await marked.count()) + (await can.count()) > 0, "something is marked");
    const target = (await can.count()) > 0 ? can.first() : marked.first();
    const box = await target.boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    const dot = page.locator(".bw-layer-targets .bw-dot").first();
    // Either the click was the whole move, or it picked up a piece and its targets are shown.
    await page.waitForFunction(
      (n) =>
        document.querySelector(".bw-layer-targets .bw-dot") ||
        document.querySelectorAll('ol[aria-label="Moves"] .cell button:not(.chance)').length > n,
      n,
    );
    if (await dot.count()) {
      const spot = await dot.boundingBox();
      await page.mouse.click(spot.x + spot.width / 2, spot.y + spot.height / 2);
    }
    await page.waitForFunction(
      (n) =>
        document.querySelectorAll('ol[aria-label="Moves"] .cell button:not(.chance)').length > n,
      n,
    );
  }
  await page.leave();
});

test("the solution is found within the puzzle, and joins no list of one’s own games", async () => {
  const page = await openMatch(await createMatch(server, "peg-solitaire"));
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Show the solution" }).click();
  await page.getByText("The solution. Play a different move").waitFor();
  const id = new URL(page.url()).pathname.split("/").pop();
  const list = await (
    await fetch(`${server.address}/api/matches`, { headers: server.headers })
  ).json();
  assert.ok(!list.some((it) => it.id === id), "it is not listed");
  await page.leave();
});

test("moves are counted and written as players do", async () => {
  const match = await createMatch(server, "chess");
  const page = await openMatch(match);
  for (const [from, to, what] of [
    ["e2", "e4", "white pawn"],
    ["d7", "d5", "black pawn"],
    ["e4", "d5", "white pawn"],
    ["g8", "f6", "black knight"],
  ]) {
    await move(page, from, to);
    await holds(page, to, what);
  }
  assert.deepEqual(await texts(page), ["e2–e4", "d7–d5", "e4×d5", "Ng8–f6"]);
  await page.goto(`${server.address}/my`);
  await page.locator(`a[href="/m/${match.id}"]`).getByText("Move 2").waitFor();
  await page.leave();
});

test("saving says when moves are left out", async () => {
  const page = await openMatch(await createMatch(server, "chess"));
  await move(page, "e2", "e4");
  await holds(page, "e4", "white pawn");
  await page.keyboard.press("u");
  await holds(page, "e2", "white pawn");
  await page.getByRole("button", { name: "More", exact: true }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "Save as .zsg" }).click(),
  ]);
  assert.match(download.suggestedFilename(), /\.zsg$/);
  await page.getByText(/1 other move is not in the file/).waitFor();
  await page.leave();
});

test("a game is started from the picture of a menu, and a section from its list", async () => {
  const page = await visit(browser, server, "/g/menu/0");
  await page.getByRole("application").waitFor();
  await accessible(page, "a selection screen");
  assert.equal(await page.getByText("Back to the first page").count(), 0);
  await page
    .getByRole("button", { name: /^Draughts/ })
    .last()
    .click();
  await page.getByRole("heading", { level: 1, name: "Draughts" }).waitFor();
  await page.getByText("Back to the first page").waitFor();
  const spot = await page.getByRole("application").getByRole("button").first().boundingBox();
  await page.mouse.click(spot.x + spot.width / 2, spot.y + spot.height / 2);
  await page.getByRole("heading", { level: 1, name: "English Draughts" }).waitFor();
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.getByRole("application").waitFor();
  await page.waitForURL(/\/m\//);
  assert.equal(await pieces(page), 24);
  await page.leave();
});

test("boards of tiles and holes have coordinates", async () => {
  for (const game of ["royal-ur", "peg-solitaire"]) {
    const page = await openMatch(await createMatch(server, game));
    const shown = await page.locator(".bw-coords text").allTextContents();
    for (const label of ["a", "b", "c", "1", "2"])
      assert.ok(shown.includes(label), `${game} has ${label} among ${shown}`);
    await page.leave();
  }
});

test("small pictures have the pieces that were chosen", async () => {
  const own = await Server.start();
  const page = await visit(browser, own, "/settings/look");
  await page.getByRole("radio", { name: "Letters", exact: true }).click();
  await page.getByRole("link", { name: "Library" }).first().click();
  const first = page.locator(".card .thumb img").first();
  await first.waitFor();
  assert.match(await first.getAttribute("src"), /set=letters/);
  const [drawn, letters] = await Promise.all(
    ["", "?set=letters"].map(async (it) =>
      (await fetch(`${own.address}/api/games/chess/0/thumb.svg${it}`)).text(),
    ),
  );
  assert.notEqual(drawn, letters);
  assert.match(letters, /<text/);
  await page.leave();
  await own.stop();
});

test("the settings say what they are, and where one is", async () => {
  const page = await visit(browser, server, "/settings/engine");
  await page.getByRole("navigation", { name: "Settings" }).getByText("Settings").waitFor();
  assert.equal(await page.locator('.snav [aria-current="page"]').innerText(), "Engine");
  assert.equal(
    await page.locator('header a[href="/settings"]').getAttribute("aria-current"),
    "page",
  );
  await page.leave();
});

test("no key is offered where there are none", async () => {
  const options = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const page = await visit(browser, server, "/g/chess/0", options);
  await page.getByRole("button", { name: "Play", exact: true }).waitFor();
  assert.equal(await page.getByText("starts with your last choices").isVisible(), false);
  await page.leave();
});

test("a flipped board is still flipped when the page is loaded again", async () => {
  const page = await openMatch(await createMatch(server, "chess"));
  const isBelow = () =>
    page.evaluate(() => {
      const at = (name) =>
        document.querySelector(`[data-name="${name}"]`).getBoundingClientRect().top;
      return at("a8") > at("a1");
    });
  assert.equal(await isBelow(), false);
  await page.getByRole("button", { name: "Flip the board" }).click();
  await page.waitForFunction(
    () =>
      document.querySelector('[data-name="a8"]').getBoundingClientRect().top >
      document.querySelector('[data-name="a1"]').getBoundingClientRect().top,
  );
  await page.reload();
  await page.getByRole("application").waitFor();
  await page.waitForFunction(() => document.querySelector('[data-name="a8"]'));
  assert.equal(await isBelow(), true);
  await page.leave();
});

test("the card of a piece says where it stands, wherever the pointer has gone", async () => {
  const page = await openMatch(await createMatch(server, "chess"), {
    viewport: { width: 1440, height: 900 },
  });
  const box = await page.locator('[data-name="g1"]').boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  const card = page.getByRole("region", { name: "Piece" });
  await card.getByText("on g1").waitFor();
  await page.mouse.move(5, 5);
  await card.getByText("on g1").waitFor();
  await page.leave();
});

test("the blue ring of the keyboard appears after a move by mouse", async () => {
  const page = await openMatch(await createMatch(server, "chess"));
  await drag(page, "e2", "e4");
  await holds(page, "e4", "white pawn");
  assert.equal(await page.locator(".bw-cursor").count(), 0);
  await page.keyboard.press("ArrowUp");
  await page.locator(".bw-cursor").waitFor();
  await page.leave();
});

test("L reads the squares of the last move instead of the move", async () => {
  const page = await openMatch(await createMatch(server, "chess"));
  await move(page, "d2", "d4");
  await holds(page, "d4", "white pawn");
  await site(page, "a1").focus();
  await page.keyboard.press("l");
  await page.locator('[aria-live="polite"]').getByText("White: pawn d2 to d4").waitFor({
    state: "attached",
  });
  await page.leave();
});

test("a click-click move waits for the server before the piece moves", async () => {
  const match = await createMatch(server, "chess");
  const page = await visit(browser, server, "/");
  let keep;
  const kept = new Promise((done) => (keep = done));
  const isHeld = { now: false };
  await page.routeWebSocket(/socket/, (socket) => {
    const far = socket.connectToServer();
    far.onMessage((message) => {
      if (!isHeld.now || !String(message).includes('"moved"')) socket.send(message);
      else keep(() => socket.send(message));
    });
  });
  await page.goto(`${server.address}/m/${match.id}?key=${match.key}`);
  await page.getByRole("application").waitFor();
  isHeld.now = true;
  await move(page, "e2", "e4");
  // The server has not been heard, and the pawn stands where it was put.
  await page.locator('.bw-piece[data-at="e4"]').waitFor();
  assert.equal(await page.locator('ol[aria-label="Moves"] .cell button').count(), 0);
  (await kept)();
  await holds(page, "e4", "white pawn");
  await page.leave();
});

test("the end of a game is told in Lisp", async () => {
  const page = await openMatch(await createMatch(server, "chess"));
  for (const [from, to, what] of [
    ["f2", "f3", "white pawn"],
    ["e7", "e5", "black pawn"],
    ["g2", "g4", "white pawn"],
    ["d8", "h4", "black queen"],
  ]) {
    await move(page, from, to);
    await holds(page, to, what);
  }
  await page.getByRole("heading", { name: "Black wins" }).waitFor();
  assert.equal(await page.getByText("checkmated King").isVisible(), false);
  await page.locator("details.rule summary").click();
  await page.getByText("checkmated King").waitFor();
  await accessible(page, "a result with its rule");
  await page.leave();
});

test("axe finds lists without items among one’s own rule files", async () => {
  const page = await visit(browser, server, "/my");
  await page.locator('input[type="file"]').first().setInputFiles(join(root, "web/tests/pond.zrf"));
  await page.waitForURL(/\/g\//);
  await page.goto(`${server.address}/my`);
  await page
    .getByRole("button", { name: /^Delete / })
    .first()
    .waitFor();
  await accessible(page, "My games with a rule file");
  await page.leave();
});

test("a game by link shows no link", async () => {
  const page = await visit(browser, server, "/g/chess/0");
  await page.getByRole("radio", { name: "By link" }).last().click();
  await page.getByRole("button", { name: "Play", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText(/only on this computer/).waitFor();
  assert.match(await dialog.getByRole("textbox").first().inputValue(), /key=/);
  await accessible(page, "the link of a new game");
  await page.leave();
});

test("letters with tails are cut in the title of a piece card", async () => {
  const page = await openMatch(await createMatch(server, "chess"));
  const at = await site(page, "d1").boundingBox();
  await page.mouse.click(at.x + at.width / 2, at.y + at.height / 2, { button: "right" });
  const title = page.getByRole("heading", { name: "Queen" });
  await title.waitFor();
  const room = await title.evaluate((it) => {
    const range = document.createRange();
    range.selectNodeContents(it);
    return it.getBoundingClientRect().bottom - range.getBoundingClientRect().bottom;
  });
  assert.ok(room >= 0, `the box ends ${-room} pixels above the letters`);
  await page.leave();
});
