// What the browser tests share: a real server on a free port, a real Chromium, and
// the hands of a player. Any error in the page's console fails the test it came in.
import { spawn, execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import assert from "node:assert/strict";
import { after, before } from "node:test";
import { chromium } from "playwright-core";

const here = dirname(fileURLToPath(import.meta.url));
export const root = join(here, "../..");
const target = process.env.CARGO_TARGET_DIR ?? join(root, "target");
export const program = process.env.BOARDWRIGHT ?? join(target, "debug/boardwright");
const axeSource = readFileSync(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
);

/** A running server with a folder of its own. */
export class Server {
  static async start(data = mkdtempSync(join(tmpdir(), "boardwright-"))) {
    const server = new Server();
    server.data = data;
    await server.begin();
    return server;
  }
  async begin(port = 0) {
    this.process = spawn(
      program,
      ["serve", "--port", String(port), "--data", this.data, "--no-open"],
      { stdio: ["ignore", "pipe", "pipe"] },
    );
    let said = "";
    this.process.stderr.on("data", (bytes) => {
      said += bytes;
    });
    const url = await new Promise((found, lost) => {
      this.process.stdout.on("data", (bytes) => {
        said += bytes;
        const it = said.match(/(http:\/\/[^\s/]+)\/#key=(\w+)\n/);
        if (it) found(it);
      });
      this.process.on("exit", (code) => lost(new Error(`the server ended with ${code}: ${said}`)));
    });
    [this.address, this.key] = [url[1], url[2]];
  }
  /** What a request of the person at the machine carries. */
  get headers() {
    return { "x-boardwright-key": this.key };
  }
  get port() {
    return Number(new URL(this.address).port);
  }
  /** Ends it at once, as a power cut would. */
  async kill() {
    const gone = new Promise((done) => this.process.on("exit", done));
    this.process.kill("SIGKILL");
    await gone;
  }
  async stop() {
    await this.kill();
    rmSync(this.data, { recursive: true, force: true });
  }
}

export const launch = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-dev-shm-usage",
      "--disable-background-networking",
      "--disable-component-update",
      "--mute-audio",
    ],
  });

/** A fresh page of a visitor, who has the key unless `guest` is set; `leave` fails if the page complained. */
export async function visit(browser, server, path = "/", { guest = false, ...options } = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 860 },
    reducedMotion: "reduce",
    acceptDownloads: true,
    ...options,
  });
  if (!guest)
    await context.addInitScript((key) => localStorage.setItem("bw.owner", key), server.key);
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  page.complaints = [];
  page.allowed = [/AudioContext encountered an error/]; // a machine without loudspeakers
  page.on("console", (it) => {
    if (it.type() === "error") page.complaints.push(it.text());
  });
  page.on("pageerror", (it) => page.complaints.push(String(it)));
  await page.goto(server.address + path);
  page.leave = async () => {
    const bad = page.complaints.filter((it) => !page.allowed.some((ok) => ok.test(it)));
    await context.close();
    assert.deepEqual(bad, [], "the console has errors");
  };
  return page;
}

/** The server and the browser of the tests in one file, from `serveTests` on. */
export let server, browser;

/** Starts a server and a browser before the tests of a file, and ends both after them. */
export function serveTests() {
  before(async () => {
    [server, browser] = await Promise.all([Server.start(), launch()]);
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });
}

/** Opens the page of a match, and waits for its board. */
export async function openMatch(match, options) {
  const page = await visit(browser, server, `/m/${match.id}?key=${match.key}`, options);
  await page.getByRole("application").waitFor();
  page.match = match;
  return page;
}

/** A phone in the hand, for `visit`. */
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** Who sits in a seat: a person without a name, and an engine that answers at once. */
export const person = { type: "person", name: "" };
export const engine = { type: "engine", level: 1, seconds: 0.1, depth: null, variety: 0 };

/** Starts a game from its page; `seats` says who plays, by the words of the page's menus. */
export async function createMatch(server, game, n = 0, seats = null, setup = null) {
  const view = await (await fetch(`${server.address}/api/games/${game}/${n}`)).json();
  const all = view.players
    .filter((it) => it.isSeat)
    .map((_, idx) => seats?.[idx] ?? { type: "person", name: `P${idx + 1}` });
  const answer = await fetch(`${server.address}/api/matches`, {
    method: "POST",
    headers: { "content-type": "application/json", ...server.headers },
    body: JSON.stringify({ game, n, seats: all, setup }),
  });
  assert.ok(answer.ok, await answer.clone().text());
  return answer.json();
}

/** The board's site with this name. */
export const site = (page, name) =>
  page
    .locator('[role="application"]')
    .getByRole("button", { name: new RegExp(`^${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")},`) });

/** The middle of a site on the screen. */
export async function middle(page, name) {
  const box = await site(page, name).first().boundingBox();
  assert.ok(box, `${name} is not on the screen`);
  return [box.x + box.width / 2, box.y + box.height / 2];
}

export async function click(page, name) {
  await page.mouse.click(...(await middle(page, name)));
}

/** A finger touches a site and leaves it. */
export async function tap(page, name) {
  await page.touchscreen.tap(...(await middle(page, name)));
}

/** One finger of a real touch screen. */
export async function fingers(page) {
  const session = await page.context().newCDPSession(page);
  const send = (type, touchPoints) =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints });
  return {
    down: (x, y) => send("touchStart", [{ x, y }]),
    move: (x, y) => send("touchMove", [{ x, y }]),
    up: () => send("touchEnd", []),
  };
}

/** The moves of the list beside the board, as they are written there. */
export const texts = (page) => page.locator('ol[aria-label="Moves"] .cell button').allInnerTexts();

/** How many moves the list shows. */
export const plies = (page) =>
  page.getByRole("list", { name: /moves/i }).getByRole("listitem").count();

/** Two clicks make a move; waits until the last square is marked as arrived. */
export async function move(page, from, to) {
  if (from) await click(page, from);
  await click(page, to);
}

export async function drag(page, from, to) {
  await page.mouse.move(...(await middle(page, from)));
  await page.mouse.down();
  const [x, y] = await middle(page, to);
  await page.mouse.move(x - 3, y - 3, { steps: 4 });
  await page.mouse.move(x, y);
  await page.mouse.up();
}

/** Waits until a site says something of what stands there. */
export const holds = (page, name, what) =>
  page.waitForFunction(
    ([name, what]) =>
      [...document.querySelectorAll('[role="application"] [role="button"]')].some((it) => {
        const label = it.getAttribute("aria-label") ?? "";
        return label.startsWith(`${name},`) && new RegExp(what, "i").test(label);
      }),
    [name, what],
  );

/** Fails if axe finds anything on the page. */
export async function accessible(page, where) {
  // The page's own policy allows no foreign script, so it is evaluated, not inserted.
  await page.evaluate(axeSource);
  const found = await page.evaluate(() =>
    globalThis.axe.run(document, { resultTypes: ["violations"] }),
  );
  const short = found.violations.map(
    (it) =>
      `${it.id}: ${it.help} (${it.nodes
        .slice(0, 3)
        .map((n) => n.target.join(" "))
        .join("; ")})`,
  );
  assert.deepEqual(short, [], `axe on ${where}`);
}

export const boardwright = (...args) =>
  execFileSync(program, args, { cwd: root, encoding: "utf8" });
