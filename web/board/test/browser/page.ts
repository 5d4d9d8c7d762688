// A page with one demo game, and the few verbs that the tests need.
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import { afterAll, expect, inject } from "vitest";

let browser: Browser | null = null;
const pages: { close(): Promise<void> }[] = [];

export interface Demo {
  page: Page;
  click(site: string): Promise<void>;
  tap(site: string): Promise<void>;
  center(site: string): Promise<{ x: number; y: number }>;
  drag(from: string, to: string): Promise<void>;
  log(): Promise<string[]>;
  moves(): Promise<string[]>;
  /** The piece drawn on a site: the name of its drawing, or its letters. */
  piece(site: string): Promise<string | null>;
  label(site: string): Promise<string | null>;
  marks(kind: string): Promise<number>;
  faults: string[];
}

export async function open(
  game: string,
  query = "",
  options: BrowserContextOptions = {},
): Promise<Demo> {
  browser ??= await chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
  const context = await browser.newContext({ viewport: { width: 900, height: 900 }, ...options });
  pages.push(context);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(error.message));
  await page.goto(`${inject("address")}/?game=${game}&ms=0&${query}`);
  await page.waitForSelector(".bw-site");
  const site = (name: string) => page.locator(`.bw-site[data-name="${name}"]`);
  const center = async (name: string) => {
    const box = await site(name).boundingBox();
    expect(box, name).not.toBeNull();
    return { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
  };
  const log = () =>
    page.evaluate(() => (window as unknown as { demo: { log: string[] } }).demo.log);
  return {
    page,
    center,
    log,
    faults,
    click: async (name) => {
      const at = await center(name);
      await page.mouse.click(at.x, at.y);
    },
    tap: async (name) => {
      const at = await center(name);
      await page.touchscreen.tap(at.x, at.y);
    },
    drag: async (from, to) => {
      const a = await center(from),
        b = await center(to);
      await page.mouse.move(a.x, a.y);
      await page.mouse.down();
      await page.mouse.move((a.x + b.x) / 2, (a.y + b.y) / 2, { steps: 3 });
      await page.mouse.move(b.x, b.y, { steps: 3 });
      await page.mouse.up();
    },
    moves: async () =>
      (await log()).filter((it) => it.startsWith("move ")).map((it) => it.slice(5)),
    piece: (name) =>
      page.evaluate((at) => {
        const node = [...document.querySelectorAll(".bw-piece")].find(
          (it) => it.getAttribute("data-at") === at,
        );
        const art = node?.querySelector("use")?.getAttribute("href");
        return art ? art.slice(3) : (node?.textContent ?? null);
      }, name),
    label: (name) => site(name).getAttribute("aria-label"),
    marks: (kind) => page.locator(`.${kind}`).count(),
  };
}

afterAll(async () => {
  await Promise.all(pages.splice(0).map((it) => it.close()));
  await browser?.close();
  browser = null;
});
