import type { CDPSession } from "playwright-core";
import { describe, expect, it } from "vitest";
import { open, type Demo } from "./page";

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, deviceScaleFactor: 2 };

interface Finger {
  x: number;
  y: number;
}

async function fingers(demo: Demo): Promise<{
  down(...at: Finger[]): Promise<void>;
  move(...at: Finger[]): Promise<void>;
  up(): Promise<void>;
}> {
  const session: CDPSession = await demo.page.context().newCDPSession(demo.page);
  const send = (type: "touchStart" | "touchMove" | "touchEnd", at: Finger[]) =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints: at });
  return {
    down: async (...at) => {
      await send("touchStart", at);
    },
    move: async (...at) => {
      await send("touchMove", at);
    },
    up: async () => {
      await send("touchEnd", []);
    },
  };
}

describe("finger", () => {
  it("plays chess by taps on a narrow screen, with coordinates in the cells", async () => {
    const demo = await open("chess", "", PHONE);
    expect(await demo.marks("bw-coord-cell")).toBe(16);
    await demo.tap("e2");
    expect(await demo.marks("bw-dot")).toBe(2);
    await demo.tap("e4");
    await expect.poll(demo.moves).toEqual(["e2 - e4"]);
  });

  it("draws a dragged piece above the finger, and drops it where the finger is", async () => {
    const demo = await open("chess", "", PHONE);
    const hand = await fingers(demo),
      a = await demo.center("e2"),
      b = await demo.center("e4");
    await hand.down(a);
    await hand.move({ x: a.x, y: a.y - 6 });
    expect(await demo.marks("bw-carried")).toBe(0);
    await hand.move(b);
    await expect.poll(() => demo.marks("bw-carried")).toBe(1);
    await expect.poll(() => demo.marks("bw-over")).toBe(1);
    const drawn = await demo.page.locator(".bw-carried").boundingBox();
    expect((drawn?.y ?? 0) + (drawn?.height ?? 0) / 2).toBeCloseTo(b.y - 24, 0);
    await hand.up();
    await expect.poll(demo.moves).toEqual(["e2 - e4"]);
  });

  it("never scrolls the page from the board", async () => {
    const demo = await open("chess", "", { ...PHONE, viewport: { width: 360, height: 300 } });
    const hand = await fingers(demo),
      a = await demo.center("d6");
    await hand.down(a);
    await hand.move({ x: a.x, y: a.y - 60 });
    await hand.move({ x: a.x, y: a.y - 90 });
    await hand.up();
    expect(await demo.page.evaluate(() => window.scrollY)).toBe(0);
  });

  it("needs the loupe on nineteen lines: one tap shows, the second plays", async () => {
    const demo = await open("gomoku", "", PHONE);
    await demo.tap("g12");
    expect(await demo.moves()).toEqual([]);
    expect(await demo.page.locator(".bw-loupe-name").textContent()).toBe("g12");
    await demo.page.waitForTimeout(320);
    await demo.tap("g12");
    await expect.poll(demo.moves).toEqual(["0 g12"]);
    expect(await demo.page.locator(".bw-loupe").isVisible()).toBe(false);
  });

  it("slides the loupe along and plays by its button", async () => {
    const demo = await open("gomoku", "", PHONE);
    const hand = await fingers(demo);
    await hand.down(await demo.center("c5"));
    await hand.move(await demo.center("d5"));
    await hand.move(await demo.center("f6"));
    await expect.poll(() => demo.page.locator(".bw-loupe-name").textContent()).toBe("f6");
    await hand.up();
    // on a busy machine a tap becomes a long press, which a person would repeat
    const place = demo.page.getByRole("button", { name: "Place here" });
    await expect
      .poll(
        async () => {
          if ((await demo.moves()).length === 0)
            await place.tap({ timeout: 2000 }).catch(() => undefined);
          return demo.moves();
        },
        { timeout: 15_000 },
      )
      .toEqual(["0 f6"]);
  });

  it("plays ninety-one hexes directly", async () => {
    const demo = await open("hex", "", PHONE);
    await demo.tap("f5");
    await demo.tap("f6");
    await expect.poll(demo.moves).toEqual(["f5 - f6"]);
  });

  it("zooms by pinching, after which no loupe is needed", async () => {
    const demo = await open("gomoku", "", PHONE);
    const hand = await fingers(demo),
      at = await demo.center("g12");
    await hand.down({ x: at.x - 20, y: at.y }, { x: at.x + 20, y: at.y });
    for (const gap of [30, 45, 60])
      await hand.move({ x: at.x - gap, y: at.y }, { x: at.x + gap, y: at.y });
    await hand.up();
    await expect.poll(() => demo.page.locator(".bw-map").isVisible()).toBe(true);
    expect(await demo.moves()).toEqual([]);
    await demo.tap("g12");
    await expect.poll(demo.moves).toEqual(["0 g12"]);
  });

  it("asks about a piece by a long press", async () => {
    const demo = await open("chess", "", PHONE);
    const hand = await fingers(demo);
    await hand.down(await demo.center("b1"));
    await demo.page.waitForTimeout(600);
    await hand.up();
    expect(await demo.log()).toContain("ask b1");
    expect(await demo.moves()).toEqual([]);
  });

  it("sets the levels of a cube in two columns, large enough for a finger", async () => {
    const demo = await open("cube", "", { ...PHONE, viewport: { width: 390, height: 844 } });
    const box = await demo.page.locator('.bw-site[data-name="Aa1"]').boundingBox();
    expect(box?.width).toBeGreaterThan(28);
    await demo.tap("Bc1");
    await demo.tap("Cc1");
    await expect.poll(demo.moves).toEqual(["Bc1 - Cc1"]);
  });

  it("drops from a hand by dragging", async () => {
    const demo = await open("shogi", "", { ...PHONE, viewport: { width: 360, height: 800 } });
    const hand = await fingers(demo),
      box = await demo.page.locator('#near .bw-hp[data-kind="Silver"]').boundingBox();
    const to = await demo.center("e5");
    await hand.down({ x: (box?.x ?? 0) + 20, y: (box?.y ?? 0) + 20 });
    await hand.move({ x: to.x, y: to.y + 60 });
    await hand.move(to);
    await hand.up();
    await expect.poll(demo.moves).toEqual(["4 e5"]);
  });
});
