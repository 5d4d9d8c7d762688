// How presets look in the page: pictures of boards and pieces, colours, and plain pages.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import {
  Server,
  accessible,
  createMatch,
  holds,
  launch,
  middle,
  move,
  site,
  visit,
} from "./kit.mjs";
import { bitmap, zip } from "./files.mjs";

let server, browser;
before(async () => {
  [server, browser] = await Promise.all([Server.start(), launch()]);
  if (process.env.SHOTS) mkdirSync(process.env.SHOTS, { recursive: true });
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const PHONE = { viewport: { width: 390, height: 780 }, deviceScaleFactor: 2 };
const shot = (page, name) =>
  process.env.SHOTS ? page.screenshot({ path: `${process.env.SHOTS}/${name}.png` }) : null;

/** Uploads a preset with its files, and gives its id. */
async function upload(settings, files = {}) {
  const archive = zip({ "pond/preset.txt": Buffer.from(settings), ...files });
  const form = new FormData();
  form.append("files", new Blob([archive]), "pond.zip");
  const answer = await fetch(`${server.address}/api/games`, {
    method: "POST",
    headers: server.headers,
    body: form,
  });
  const told = await answer.json();
  assert.ok(answer.ok, JSON.stringify(told));
  return told.games?.[0]?.id ?? told[0]?.id ?? told.opened?.[0]?.id;
}

async function sitDown(game, options = {}) {
  const match = await createMatch(server, game);
  const page = await visit(browser, server, `/m/${match.id}?key=${match.key}`, options);
  await page.getByRole("application").waitFor();
  return page;
}

const checks = (size) => (x, y) =>
  (Math.floor(x / size) + Math.floor(y / size)) % 2 ? [60, 110, 160] : [220, 230, 240];
const blob = (color) => (x, y) => (Math.hypot(x - 21, y - 22) < 18 ? color : [0, 255, 0]);

test("a picture of the whole board lies under its squares", async () => {
  const id = await upload("game: Whole\nbackground: board.bmp\n", {
    "pond/board.bmp": bitmap(480, 480, checks(60)),
  });
  const page = await sitDown(id);
  const image = page.locator("image.bw-picture").first();
  await image.waitFor();
  const box = await image.boundingBox();
  // Squares are eighths of the picture: a1 is in its lower left corner.
  const [x, y] = await middle(page, "a1");
  assert.ok(Math.abs(x - (box.x + box.width / 16)) < 2, `${x} ${JSON.stringify(box)}`);
  assert.ok(Math.abs(y - (box.y + (box.height * 15) / 16)) < 2, `${y} ${JSON.stringify(box)}`);
  await move(page, "e2", "e4");
  await holds(page, "e4", "white pawn");
  await shot(page, "whole");
  await page.leave();
});

test("a small picture is repeated, and only on squares", async () => {
  const id = await upload(
    "game: Tile\nbackground: tile.bmp\ncode: rnbqkbnr/pppppppp/8/8/--4--/8/PPPPPPPP/RNBQKBNR\n",
    { "pond/tile.bmp": bitmap(100, 100, checks(50)) },
  );
  const page = await sitDown(id, PHONE);
  const pattern = page.locator("pattern image");
  await pattern.waitFor({ state: "attached" });
  assert.equal(await page.locator("pattern").getAttribute("width"), "100");
  const d = await page.locator("g.bw-picture path").getAttribute("d");
  assert.equal(d.match(/M/g).length, 60, "holes are not covered");
  await shot(page, "tile-phone");
  await page.leave();
});

test("a custom board takes its size from its picture, and each side its own", async () => {
  const id = await upload(
    "game: Three\nshape: custom\ncode: P1p\ncoordinates:\n  left 50 150\n  top 150 50\n  right 250 150\n" +
      "background: first.bmp\nbackground-2: second.bmp\n",
    {
      "pond/first.bmp": bitmap(300, 200, () => [200, 220, 200]),
      "pond/second.bmp": bitmap(300, 200, () => [220, 200, 200]),
    },
  );
  const page = await sitDown(id);
  const image = page.locator("image.bw-picture").first();
  await image.waitFor();
  const box = await image.boundingBox();
  assert.ok(Math.abs(box.width / box.height - 1.5) < 0.02, JSON.stringify(box));
  const [x, y] = await middle(page, "top");
  assert.ok(
    Math.abs(x - (box.x + box.width / 2)) < 2 && Math.abs(y - (box.y + box.height / 4)) < 2,
  );
  assert.match(await image.getAttribute("href"), /first\.bmp/);
  await page.keyboard.press("f");
  await page.waitForFunction(() =>
    document.querySelector("image.bw-picture")?.getAttribute("href")?.includes("second.bmp"),
  );
  assert.equal(await page.locator("image.bw-picture").first().getAttribute("transform"), null);
  await page.leave();
});

test("a preset's own piece set is drawn, also one of the original's", async () => {
  const pieces = {
    "pond/mine/k.bmp": bitmap(42, 45, blob([30, 30, 30])),
    "pond/mine/flip/K.bmp": bitmap(42, 45, blob([240, 200, 40])),
  };
  const text = "width: 42\nheight: 45\npieces:\n  K flip/K.bmp\n  k k.bmp\n";
  const php =
    '<? $dir = "x"; $pieces = array("K" => "flip/K.bmp", "k" => "k.bmp");\n$width = 42; $height = 45; ?>';
  for (const index of [{ "pond/mine/set.txt": text }, { "pond/mine/mine.php": php }]) {
    const files = Object.fromEntries(
      Object.entries({ ...pieces, ...index }).map(([name, data]) => [name, Buffer.from(data)]),
    );
    const id = await upload("game: Own\nset: mine\ncode: k7/8/8/8/8/8/8/K7\n", files);
    const page = await sitDown(id);
    await page.locator('image[href*="flip/K.bmp"]').first().waitFor();
    const king = await page.locator('image[href*="flip/K.bmp"]').first().boundingBox();
    const square = await site(page, "a1").first().boundingBox();
    assert.ok(king.width > square.width * 0.7, `${king.width} of ${square.width}`);
    await shot(page, "set");
    await page.leave();
  }
});

test("the author's colours of squares, border and labels are shown from the first view", async () => {
  const id = await upload(
    "game: Colours\ncolors: 204060 C0D0E0\nborder-color: 802020\ntext-color: FFFF80\nborder-size: 40\nfont: serif\n",
  );
  const page = await sitDown(id);
  const fills = await page
    .locator("path.bw-cell")
    .evaluateAll((all) => all.map((it) => getComputedStyle(it).fill));
  assert.deepEqual(fills.sort(), ["rgb(192, 208, 224)", "rgb(32, 64, 96)"]);
  const tray = page.locator(".bw-tray").first();
  assert.equal(await tray.evaluate((it) => getComputedStyle(it).fill), "rgb(128, 32, 32)");
  const label = page.locator(".bw-coords text").first();
  assert.equal(await label.evaluate((it) => getComputedStyle(it).fill), "rgb(255, 255, 128)");
  assert.match(await label.evaluate((it) => getComputedStyle(it).fontFamily), /serif/);
  await shot(page, "colours");
  await page.leave();
  const thumb = await (await fetch(`${server.address}/api/games/${id}/0/thumb.svg`)).text();
  assert.match(thumb, /#204060/i);
  assert.match(thumb, /#802020/i);
});

test("without scripts a game is played by links and forms", async () => {
  const page = await visit(browser, server, "/", { javaScriptEnabled: false, guest: true });
  await page.getByRole("link", { name: /without scripts/ }).click();
  await page.getByRole("link", { name: "Tic-Tac-Toe", exact: true }).click();
  await shot(page, "text-begin");
  await page.getByLabel(/You play/).selectOption({ label: "all sides" });
  await page.getByRole("button", { name: "Begin" }).click();
  await page.getByText("It is your turn.").waitFor();
  await shot(page, "text");
  const moves = page.locator("form.moves button");
  const n = await moves.count();
  await moves.first().click();
  await page.getByText("Last move:").waitFor();
  assert.equal(await moves.count(), n - 1);
  await page.getByRole("button", { name: "Take back" }).click();
  await page.waitForFunction((n) => document.querySelectorAll("form.moves button").length === n, n);
  await page.getByRole("button", { name: "Resign" }).click();
  await page.getByText(/wins/).waitFor();
  await page.leave();
});

test("the plain pages are accessible", async () => {
  for (const path of ["/text", "/text/game/chess/0"]) {
    const page = await visit(browser, server, path, { guest: true });
    await accessible(page, path);
    await page.leave();
  }
});
