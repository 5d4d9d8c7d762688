import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { open, type Demo } from "./page";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const focused = (demo: Demo) =>
  demo.page.evaluate(() => document.activeElement?.getAttribute("data-name"));
async function keys(demo: Demo, ...list: string[]) {
  for (const key of list) await demo.page.keyboard.press(key);
}

describe("keyboard: moving the cursor", () => {
  it("is one stop of Tab and travels from there", async () => {
    const demo = await open("chess");
    await keys(demo, "Tab");
    expect(await focused(demo)).toBe("a8");
    expect(await demo.marks("bw-cursor")).toBe(1);
    await keys(demo, "ArrowDown", "ArrowRight");
    expect(await focused(demo)).toBe("b7");
    await keys(demo, "ArrowUp", "ArrowUp");
    expect(await focused(demo)).toBe("b8");
    expect(await demo.log()).toContain("sound tick");
    expect(await demo.page.locator('.bw-site[tabindex="0"]').count()).toBe(1);
    await keys(demo, "Tab");
    expect(await focused(demo)).toBeNull();
  });

  it("takes six letters on hexes, page keys on levels and rings", async () => {
    let demo = await open("hex");
    await demo.click("f6");
    await keys(demo, "w", "e", "d", "s");
    expect(await focused(demo)).toBe("h5");
    demo = await open("cube");
    await demo.click("Bb3");
    await keys(demo, "PageUp");
    expect(await focused(demo)).toBe("Cb3");
    demo = await open("rings");
    await demo.click("b5");
    await keys(demo, "PageUp");
    expect(await focused(demo)).toBe("c5");
  });
});

describe("keyboard: moves", () => {
  it("plays a whole exchange without a pointer", async () => {
    const demo = await open("chess");
    await keys(demo, "Tab", "n", "n", "n");
    expect(await focused(demo)).toBe("c2");
    await keys(demo, "Enter");
    expect(await demo.page.locator("#polite").textContent()).toBe(
      "pawn c2 picked up, 2 destinations",
    );
    await keys(demo, "n");
    expect(await focused(demo)).toBe("c4");
    await keys(demo, "Enter");
    expect(await demo.moves()).toEqual(["c2 - c4"]);
    expect(await focused(demo)).toBe("c4");
    await keys(demo, "Shift+N", " ", "Shift+N", " ");
    expect((await demo.moves()).length).toBe(2);
  });

  it("cancels by Escape and undoes a step by Backspace", async () => {
    const demo = await open("draughts", "set.autoContinue=false");
    await keys(demo, "Tab", "n", "Enter");
    expect(await demo.marks("bw-selected")).toBe(1);
    await keys(demo, "Escape");
    expect(await demo.marks("bw-selected")).toBe(0);
    await keys(demo, "Enter", "n", "Enter");
    expect(await demo.moves()).toEqual(["a1 - c3"]);
    await keys(demo, "Backspace");
    expect(await demo.log()).toContain("undo false");
    expect(await demo.piece("a1")).toBe("draughts-white-man");
    expect(await demo.piece("b2")).toBe("draughts-black-man");
  });

  it("chooses what a pawn becomes", async () => {
    const demo = await open("promo");
    await keys(
      demo,
      "Tab",
      "n",
      "Enter",
      "n",
      "Enter",
      "ArrowDown",
      "ArrowDown",
      "ArrowDown",
      "Enter",
    );
    expect(await demo.moves()).toEqual(["Pawn b7 - b8 = Knight"]);
    expect(await focused(demo)).toBe("b8");
  });

  it("reads moves, the last move and all pieces", async () => {
    const demo = await open("chess");
    await demo.click("g1");
    await demo.click("f3");
    await demo.click("b8");
    await keys(demo, "m");
    expect(await demo.page.locator("#polite").textContent()).toMatch(/a6.*c6|c6.*a6/);
    await keys(demo, "l");
    expect(await demo.page.locator("#polite").textContent()).toBe(
      "White: knight g1 to f3. Your move.",
    );
    await keys(demo, "p");
    expect(await demo.page.locator("#polite").textContent()).toMatch(/White: .*knight f3/);
  });
});

describe("keyboard: edit mode", () => {
  it("places, turns through the pieces, removes", async () => {
    const demo = await open(
      "chess",
      `set.editing=${encodeURIComponent('{"tool":"place","piece":{"player":0,"kind":2}}')}`,
    );
    await demo.click("e4");
    await demo.click("e5");
    await keys(demo, " ", "ArrowUp", "ArrowUp", "Delete");
    expect((await demo.log()).filter((it) => it.startsWith("edit"))).toEqual([
      "edit e4 0 2",
      "edit e5 0 2",
      "edit e5 0 3",
      "edit e7 -",
    ]);
    expect(await demo.piece("e4")).toBe("chess-white-rook");
    expect(await demo.piece("e7")).toBeNull();
  });

  it("drags pieces about and off the board", async () => {
    const demo = await open("chess", `set.editing=${encodeURIComponent('{"tool":"move"}')}`);
    await demo.drag("d1", "d5");
    expect(await demo.piece("d5")).toBe("chess-white-queen");
    expect(await demo.piece("d1")).toBeNull();
    const a = await demo.center("d5");
    await demo.page.mouse.move(a.x, a.y);
    await demo.page.mouse.down();
    await demo.page.mouse.move(4, 4, { steps: 4 });
    await demo.page.mouse.up();
    expect(await demo.piece("d5")).toBeNull();
  });
});

describe("screen reader", () => {
  it("hears square, piece and what can be done", async () => {
    const demo = await open("chess");
    expect(await demo.label("b1")).toBe("b1, white knight, 2 moves");
    expect(await demo.label("e4")).toBe("e4, empty");
    await demo.click("b1");
    expect(await demo.label("c3")).toBe("c3, empty, knight can move here");
    expect(await demo.page.locator('.bw-site[data-name="b1"]').getAttribute("aria-pressed")).toBe(
      "true",
    );
    const board = demo.page.locator(".bw-board");
    expect(await board.getAttribute("role")).toBe("application");
    expect(await board.getAttribute("aria-roledescription")).toBe("board");
    expect(await board.getAttribute("aria-label")).toBe("Chess. White to move");
  });

  it("hears that something can be taken, and the move itself", async () => {
    const demo = await open("promo");
    await demo.click("h1");
    expect(await demo.label("h8")).toBe("h8, black rook, rook can capture");
    await demo.click("h8");
    expect(await demo.page.locator("#polite").textContent()).toBe(
      "White: rook h1 to h8, captures black rook. Your move.",
    );
  });

  it("presses a site without a pointer", async () => {
    const demo = await open("chess");
    await demo.page
      .locator('.bw-site[data-name="e2"]')
      .evaluate((node) => node.dispatchEvent(new MouseEvent("click", { bubbles: true })));
    expect(await demo.marks("bw-selected")).toBe(1);
  });

  for (const game of ["chess", "gomoku", "hex", "cube", "shogi", "rings", "oddities", "pictured"]) {
    it(`finds no fault in ${game}, light and dark`, async () => {
      for (const theme of ["light", "dark"]) {
        const demo = await open(game, `theme=${theme}`);
        if (game === "oddities") {
          await demo.click("e4");
          await demo.click("e6");
        }
        await demo.page.evaluate(AXE);
        const found = await demo.page.evaluate(async () => {
          const result = await (
            window as never as {
              axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
            }
          ).axe.run();
          return result.violations.map((it) => `${it.id}: ${it.nodes[0]?.html.slice(0, 120)}`);
        });
        expect(found).toEqual([]);
      }
    });
  }
});
