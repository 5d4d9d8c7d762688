// The pages as a visitor meets them: first steps, keyboard, touch, own files, and accidents.
import { test } from "node:test";
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  Server,
  accessible,
  boardwright,
  browser,
  click,
  createMatch,
  holds,
  move,
  openMatch,
  root,
  serveTests,
  server,
  site,
  visit,
} from "./kit.mjs";
import { bitmap, zip } from "./files.mjs";

serveTests();

test("from the first page to a move that the engine answers", async () => {
  const page = await visit(browser, server);
  await accessible(page, "the library");
  await page
    .getByRole("button", { name: "Play chess now" })
    .or(page.getByRole("link", { name: "Play chess now" }))
    .click();
  await page.getByRole("application").waitFor();
  await move(page, "e2", "e4");
  await holds(page, "e4", "white pawn");
  // The engine's answer stands in the list beside ours.
  await page.waitForFunction(
    () => document.querySelectorAll('ol[aria-label="Moves"] button').length >= 2,
    null,
    { timeout: 30_000 },
  );
  await page.leave();
});

test("the library is searched with a wrong letter, and a card opens the new game", async () => {
  const page = await visit(browser, server);
  await page.getByRole("searchbox").or(page.getByLabel("Search games")).first().fill("shogo");
  await page
    .getByRole("link", { name: /^Shogi/ })
    .first()
    .click();
  await page.getByRole("heading", { level: 1, name: "Shogi" }).waitFor();
  await accessible(page, "the new game");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.getByRole("application").waitFor();
  await page.leave();
});

for (const path of ["/", "/my", "/settings", "/keys", "/g/chess/0", "/nothing/here"]) {
  for (const colorScheme of ["light", "dark"]) {
    test(`axe finds nothing on ${path}, ${colorScheme}`, async () => {
      const page = await visit(browser, server, path, { colorScheme });
      await page.getByRole("heading", { level: 1 }).first().waitFor();
      await page.waitForLoadState("networkidle");
      await accessible(page, path);
      await page.leave();
    });
  }
}

test("a game by keyboard alone", async () => {
  const page = await openMatch(await createMatch(server, "tic-tac-toe"));
  await page.keyboard.press("Tab");
  for (let n = 0; n < 40; n += 1) {
    if (await page.evaluate(() => document.activeElement?.closest('[role="application"]') !== null))
      break;
    await page.keyboard.press("Tab");
  }
  const here = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "");
  const go = async (column, row) => {
    for (const key of ["ArrowLeft", "ArrowLeft", "ArrowDown", "ArrowDown"])
      await page.keyboard.press(key);
    for (let n = 0; n < column; n += 1) await page.keyboard.press("ArrowRight");
    for (let n = 0; n < row; n += 1) await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.waitForFunction(
      () => !/empty/.test(document.activeElement?.getAttribute("aria-label") ?? "empty"),
    );
  };
  assert.match(await here(), /empty/);
  await go(0, 0);
  await go(0, 1);
  await go(1, 0);
  await go(1, 1);
  await go(2, 0);
  await page
    .getByText(/wins|won/)
    .first()
    .waitFor();
  await page.leave();
});

test("a move by typing it", async () => {
  const page = await openMatch(await createMatch(server, "chess"));
  await page.keyboard.press("t");
  await page.getByRole("combobox").or(page.getByRole("textbox")).first().fill("e2e4");
  await page.keyboard.press("Enter");
  await holds(page, "e4", "white pawn");
  await page.leave();
});

test("touch on a screen of 360 pixels", async () => {
  const options = {
    viewport: { width: 360, height: 700 },
    hasTouch: true,
    isMobile: true,
    deviceScaleFactor: 2,
  };
  const page = await openMatch(await createMatch(server, "chess"), options);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 360, `the page is ${width} pixels wide`);
  const tap = async (name) => {
    const box = await site(page, name).first().boundingBox();
    await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
  };
  await tap("e2");
  await tap("e4");
  await holds(page, "e4", "white pawn");
  await accessible(page, "the play page on a phone");
  await page.leave();
  const library = await visit(browser, server, "/", options);
  assert.ok((await library.evaluate(() => document.documentElement.scrollWidth)) <= 360);
  await accessible(library, "the library on a phone");
  await library.leave();
});

test("a game is resumed after the page and the server are gone, and exported", async () => {
  const own = await Server.start();
  const match = await createMatch(own, "chess");
  let page = await visit(browser, own, `/m/${match.id}?key=${match.key}`);
  page.allowed.push(/WebSocket|ERR_CONNECTION_REFUSED|Failed to load resource/);
  await page.getByRole("application").waitFor();
  for (const [from, to, what] of [
    ["e2", "e4", "white pawn"],
    ["e7", "e5", "black pawn"],
    ["g1", "f3", "white knight"],
  ]) {
    await move(page, from, to);
    await holds(page, to, what);
  }
  await page.waitForFunction(
    () => document.querySelectorAll('ol[aria-label="Moves"] button').length === 3,
  );
  const port = own.port;
  await own.kill();
  await own.begin(port);
  await page.reload();
  await holds(page, "f3", "white knight");
  await move(page, "b8", "c6");
  await holds(page, "c6", "black knight");
  const save = await (await fetch(`${own.address}/api/matches/${match.id}/save.zsg`)).text();
  const file = join(mkdtempSync(join(tmpdir(), "boardwright-")), "game.zsg");
  writeFileSync(file, save, "latin1");
  const said = boardwright("replay", file, "--rules", join(root, "games/chess"));
  assert.match(said, /4/);
  await page.leave();
  await own.stop();
});

test("an uploaded zip with bitmaps is played with the author’s pictures", async () => {
  const rules = readFileSync(join(root, "web/tests/pond.zrf"));
  const green = [0, 255, 0];
  const files = {
    "Pond/pond.zrf": rules,
    "Pond/images/board.bmp": bitmap(300, 300, () => [70, 110, 160]),
    "Pond/images/wolf.bmp": bitmap(80, 80, (x, y) =>
      Math.hypot(x - 40, y - 40) < 36 ? [90, 90, 90] : green,
    ),
    "Pond/images/sheep.bmp": bitmap(80, 80, (x, y) =>
      Math.hypot(x - 40, y - 40) < 36 ? [240, 240, 240] : green,
    ),
    "../evil.zrf": Buffer.from('(game (title "Evil"))'),
  };
  const page = await visit(browser, server);
  await page
    .getByTestId("open-file")
    .setInputFiles({ name: "pond.zip", mimeType: "application/zip", buffer: zip(files) });
  await page.waitForURL(/\/(g|d|m)\//);
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.getByRole("application").waitFor();
  await page.waitForFunction(
    () =>
      document.querySelectorAll('[role="application"] image, [role="application"] img').length >= 3,
  );
  const drawn = await page.evaluate(() =>
    [...document.querySelectorAll("image")].map((it) => it.getAttribute("href")),
  );
  assert.ok(
    drawn.some((it) => it?.startsWith("/api/games/my-")),
    String(drawn),
  );
  await accessible(page, "a board of pictures");
  await page.leave();
});

test("text of a rule file never becomes markup", async () => {
  const evil = "<img src=x onerror=alert(1)><script>alert(2)</script>";
  const rules = `(game (title "${evil}") (description "${evil}") (history "${evil}") (players Wolf Sheep) (turn-order Wolf Sheep)
    (board (grid (start-rectangle 0 0 50 50) (dimensions ("a/b/c" (50 0)) ("1/2" (0 50))) (directions (e 1 0) (s 0 1))))
    (piece (name Stone) (help "${evil}") (description "${evil}") (drops ((verify empty?) add)))
    (board-setup (Wolf (Stone off 3)) (Sheep (Stone off 3))) (win-condition (Wolf Sheep) (pieces-remaining 3)))`;
  const page = await visit(browser, server);
  page.on("dialog", () => assert.fail("a script ran"));
  await page
    .getByTestId("open-file")
    .setInputFiles({ name: "evil.zrf", mimeType: "text/plain", buffer: Buffer.from(rules) });
  await page.waitForURL(/\/(g|d|m)\//);
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.getByRole("application").waitFor();
  await page.getByRole("tab", { name: "Rules" }).click();
  assert.equal(await page.locator('img[src="x"]').count(), 0);
  await page.leave();
});

test("broken rules are shown with their lines", async () => {
  const page = await visit(browser, server);
  const rules =
    '(game (title "Broken")\n  (players White Black)\n  (turn-order White Black)\n  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b" (10 0)) ("1/2" (0 10))) (directions (n 0 -1))))\n  (piece (name Man) (moves (nowhere add))))';
  await page
    .getByTestId("open-file")
    .setInputFiles({ name: "broken.zrf", mimeType: "text/plain", buffer: Buffer.from(rules) });
  await page
    .getByText(/nowhere/)
    .first()
    .waitFor();
  await accessible(page, "the problems of a rule file");
  await page.leave();
});

test("a saved game of the original is opened by dropping it", async () => {
  const text =
    "Zillions Save Game File Version 0.02 HH\r\nRulesFile=Chess.zrf\r\nVariantName=Chess\r\n1. Pawn e2 - e4\r\n1. Pawn e7 - e5\r\n";
  const page = await visit(browser, server);
  await page.getByTestId("open-file").setInputFiles({
    name: "old.zsg",
    mimeType: "application/octet-stream",
    buffer: Buffer.from(text, "latin1"),
  });
  await page.getByRole("application").waitFor();
  await holds(page, "e5", "black pawn");
  await page.leave();
});

test("two people at two screens, by a link", async () => {
  const match = await createMatch(server, "tic-tac-toe", 0, [
    { type: "person", name: "Ann" },
    { type: "guest" },
  ]);
  const first = await openMatch(match);
  assert.equal(match.invitations.length, 1);
  const second = await visit(
    browser,
    server,
    new URL(match.invitations[0].link, server.address).pathname +
      new URL(match.invitations[0].link, server.address).search,
  );
  await second.getByRole("application").waitFor();
  const names = await first
    .getByRole("application")
    .getByRole("button")
    .evaluateAll((all) => all.map((it) => it.getAttribute("aria-label").split(",")[0]));
  await click(first, names[4]);
  await second.waitForFunction(
    (name) =>
      [...document.querySelectorAll('[role="application"] [role="button"]')].some(
        (it) =>
          it.getAttribute("aria-label").startsWith(`${name},`) &&
          !/empty/.test(it.getAttribute("aria-label")),
      ),
    names[4],
  );
  await click(second, names[0]);
  await first.waitForFunction(
    (name) =>
      [...document.querySelectorAll('[role="application"] [role="button"]')].some(
        (it) =>
          it.getAttribute("aria-label").startsWith(`${name},`) &&
          !/empty/.test(it.getAttribute("aria-label")),
      ),
    names[0],
  );
  await first.leave();
  await second.leave();
});

test("every game of the library opens and shows its board", { timeout: 600_000 }, async () => {
  const { games } = await (await fetch(`${server.address}/api/library`)).json();
  assert.ok(games.length >= 70, `${games.length} games`);
  const page = await visit(browser, server);
  for (const game of games.filter((it) => !it.mine)) {
    const [variant] = game.variants;
    if (variant.isMenu) {
      await page.goto(`${server.address}/g/${game.id}/${variant.n}`);
      await page.getByRole("heading", { level: 1 }).first().waitFor();
      continue;
    }
    const match = await createMatch(server, game.id, variant.n);
    await page.goto(`${server.address}/m/${match.id}?key=${match.key}`);
    const board = page.getByRole("application");
    await board.waitFor();
    assert.ok((await board.getByRole("button").count()) > 3, `${game.id} has sites`);
  }
  await page.leave();
});

test("a guest is told how to become the owner, and the link with the key does it", async () => {
  const page = await visit(browser, server, "/my", { guest: true });
  await page.getByText("You are here as a guest.").waitFor();
  // the same tab, as when the link is pasted into it
  await page.goto(`${server.address}/my#key=${server.key}`);
  await page.waitForFunction(() => location.hash === "" && localStorage.getItem("bw.owner"));
  await page.getByText("You are here as a guest.").waitFor({ state: "detached" });
  await page.reload();
  await page.getByRole("heading", { name: "Rule files" }).waitFor();
  assert.equal(await page.getByText("You are here as a guest.").count(), 0);
  await page.leave();
});
