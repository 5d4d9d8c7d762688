import { describe, expect, it } from "vitest";
import { open, type Demo } from "./page";

type Handle = {
  demo: {
    board: {
      set(s: object): void;
      show(s: object, how?: object): void;
      ratio: number;
      isPictured: boolean;
    };
    fixture: { start: object };
    show(s: object): void;
    state(): { moves: object[] };
  };
};
const set = (demo: Demo, settings: object) =>
  demo.page.evaluate((s) => (window as never as Handle).demo.board.set(s), settings);

describe("the board", () => {
  it("flips sites, pieces and coordinates, and plays on", async () => {
    const demo = await open("chess");
    const before = await demo.center("a1");
    await set(demo, { flipped: true });
    const after = await demo.center("h8");
    expect(Math.hypot(before.x - after.x, before.y - after.y)).toBeLessThan(1);
    expect(await demo.page.locator(".bw-coord").first().textContent()).toBe("a");
    const [a, h] = await Promise.all(
      ["a", "h"].map(
        async (it) =>
          (await demo.page.locator(".bw-coord", { hasText: new RegExp(`^${it}$`) }).boundingBox())
            ?.x ?? 0,
      ),
    );
    expect(a).toBeGreaterThan(h as number);
    await demo.drag("e2", "e4");
    expect(await demo.moves()).toEqual(["e2 - e4"]);
  });

  it("turns shogi pieces with the board", async () => {
    const demo = await open("shogi");
    const turned = () =>
      demo.page.evaluate(() =>
        [...document.querySelectorAll(".bw-layer-pieces .bw-piece")]
          .filter((it) => it.querySelector('[transform*="rotate(180)"]'))
          .map((it) => it.getAttribute("data-at")),
      );
    expect(await turned()).toContain("a9");
    await set(demo, { flipped: true });
    const now = await turned();
    expect(now).toContain("a1");
    expect(now).not.toContain("a9");
  });

  it("shows the author's pictures at their natural size in the middle of their rectangles, and switches sets", async () => {
    const demo = await open("pictured");
    const read = () =>
      demo.page.evaluate(() => {
        const image = document.querySelector(".bw-piece image") as SVGImageElement,
          svg = document.querySelector(".bw-svg") as SVGSVGElement;
        const box = image.getBoundingClientRect(),
          whole = svg.getBoundingClientRect(),
          k = 340 / whole.width;
        return {
          x: (box.left - whole.left) * k,
          y: (box.top - whole.top) * k,
          width: box.width * k,
          url: image.getAttribute("href"),
        };
      });
    const first = await read();
    // the middle rectangle runs from 124 to 216 and from 114 to 206; the piece is 60 wide
    expect(first.x).toBeCloseTo(140, 0);
    expect(first.y).toBeCloseTo(130, 0);
    expect(first.width).toBeCloseTo(60, 0);
    await set(demo, { imageSet: 1 });
    expect((await read()).url).not.toBe(first.url);
    await set(demo, { imageSet: 2 });
    expect((await read()).url).toBe(first.url);
    await set(demo, { useImages: false });
    expect(await demo.marks("bw-tray")).toBe(1);
    expect(await demo.piece("b2")).toBe("stone-black");
  });

  it("changes the piece set and the theme without losing the game", async () => {
    const demo = await open("chess");
    await demo.drag("e2", "e4");
    await set(demo, { pieceSet: "letters", theme: "ink" });
    expect(await demo.piece("e4")).toBe("P");
    expect(await demo.page.locator(".bw-tray").evaluate((it) => getComputedStyle(it).fill)).toBe(
      "rgb(255, 255, 255)",
    );
    await demo.drag("e7", "e5");
    expect(await demo.moves()).toHaveLength(2);
  });

  it("marks check, goals, attackers, hints and what is asked", async () => {
    const demo = await open("chess");
    await demo.page.evaluate(() => (window as never as Handle).demo.show({ inCheck: [60] }));
    await set(demo, {
      marks: {
        arrows: [{ from: 62, to: 45 }],
        attackers: [57],
        probe: [40, 42],
        goals: [3, 4],
        asked: 57,
      },
    });
    for (const [name, n] of [
      ["bw-check", 1],
      ["bw-badge", 1],
      ["bw-arrow", 1],
      ["bw-attack", 1],
      ["bw-probe", 2],
      ["bw-goal", 2],
      ["bw-asked", 1],
    ] as const)
      expect(await demo.marks(name), name).toBe(n);
    await set(demo, { showAllMoves: true });
    expect(await demo.marks("bw-arrow-line")).toBe(20);
  });

  it("tells the page its shape", async () => {
    const demo = await open("cube");
    const ratio = await demo.page.evaluate(() => (window as never as Handle).demo.board.ratio);
    expect(
      Number(
        await demo.page.evaluate(() =>
          document.getElementById("stage")?.style.getPropertyValue("--ratio"),
        ),
      ),
    ).toBeCloseTo(ratio, 3);
    expect(ratio).toBeGreaterThan(1);
  });

  it("animates a move, and not for those who want no motion", async () => {
    const run = async (reducedMotion: "reduce" | "no-preference") => {
      const demo = await open("chess", "", { reducedMotion });
      await set(demo, { animationMs: 600 });
      await demo.click("e2");
      await demo.click("e4");
      return demo.page.evaluate(
        () => document.querySelector(".bw-layer-pieces")?.getAnimations({ subtree: true }).length,
      );
    };
    expect(await run("no-preference")).toBeGreaterThan(0);
    expect(await run("reduce")).toBe(0);
  });

  it("keeps the nodes of pieces that did not move", async () => {
    const demo = await open("chess");
    await demo.page.evaluate(() => {
      for (const it of document.querySelectorAll(".bw-piece"))
        (it as unknown as { old: boolean }).old = true;
    });
    await demo.drag("e2", "e4");
    expect(
      await demo.page.evaluate(
        () =>
          [...document.querySelectorAll(".bw-piece")].filter(
            (it) => !(it as unknown as { old?: boolean }).old,
          ).length,
      ),
    ).toBe(0);
  });

  it("stays fluid with nine hundred sites", async () => {
    const demo = await open("vast");
    // how many changes a new state makes decides, not how long they take on this machine
    const changes = await demo.page.evaluate(() => {
      const { demo: it } = window as never as Handle;
      const watch = new MutationObserver(() => undefined);
      watch.observe(document.body, {
        subtree: true,
        childList: true,
        attributes: true,
        characterData: true,
      });
      for (let i = 0; i < 10; i++)
        it.board.show({ ...it.state(), ply: i, lastSites: [i] }, { animate: false });
      return watch.takeRecords().length / 10;
    });
    const nodes = await demo.page.evaluate(() => document.querySelectorAll(".bw-svg *").length);
    expect(changes).toBeLessThan(100);
    expect(nodes).toBeLessThan(900 * 4);
  });
});

describe("an answer of the referee", () => {
  it("that refuses a dragged move lets the piece go home", async () => {
    const demo = await open("chess", "deaf");
    await demo.drag("e2", "e4");
    const where = () =>
      demo.page.evaluate(
        () =>
          (
            [...document.querySelectorAll(".bw-piece")].find(
              (it) => it.getAttribute("data-at") === "e2",
            ) as SVGGElement
          ).style.transform,
      );
    expect(await where()).toBe("translate(450px, 450px)");
    await set(demo, { disabled: true });
    await set(demo, { disabled: false });
    expect(await where()).toBe("translate(450px, 650px)");
  });

  it("lets an unfinished move go on when the board is free again", async () => {
    const demo = await open("draughts", "set.autoContinue=false");
    await demo.click("a1");
    await set(demo, { disabled: true });
    await set(demo, { disabled: false });
    await demo.click("a1");
    await demo.click("c3");
    await set(demo, { disabled: true });
    expect(await demo.marks("bw-selected")).toBe(0);
    await set(demo, { disabled: false });
    expect(await demo.marks("bw-selected")).toBe(1);
  });

  it("leaves clicks to the page while nothing can be moved", async () => {
    const demo = await open("chess", "set.disabled=true");
    await demo.click("e2");
    expect(await demo.log()).toEqual(["click e2"]);
  });
});
