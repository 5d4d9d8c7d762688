import { describe, expect, it } from "vitest";
import { open } from "./page";

describe("mouse", () => {
  it("plays by click and click, with targets at once", async () => {
    const demo = await open("chess");
    await demo.click("g1");
    expect(await demo.marks("bw-dot")).toBe(2);
    expect(await demo.marks("bw-selected")).toBe(1);
    await demo.click("f3");
    expect(await demo.moves()).toEqual(["g1 - f3"]);
    expect(await demo.piece("f3")).toBe("chess-white-knight");
    expect(await demo.piece("g1")).toBeNull();
    expect(await demo.marks("bw-dot")).toBe(0);
    expect(await demo.marks("bw-fill-last")).toBe(2);
    expect(await demo.marks("bw-ticks")).toBe(1);
    expect(demo.faults).toEqual([]);
  });

  it("drags a piece to its target", async () => {
    const demo = await open("chess");
    await demo.drag("e2", "e4");
    expect(await demo.moves()).toEqual(["e2 - e4"]);
    expect(await demo.page.locator(".bw-carried").count()).toBe(0);
  });

  it("shows a piece in the hand, its ghost and the cell below", async () => {
    const demo = await open("chess");
    const a = await demo.center("e2"),
      b = await demo.center("e4");
    await demo.page.mouse.move(a.x, a.y);
    await demo.page.mouse.down();
    await demo.page.mouse.move(a.x + 3, a.y);
    expect(await demo.marks("bw-carried")).toBe(0);
    await demo.page.mouse.move(b.x, b.y, { steps: 4 });
    expect(await demo.marks("bw-carried")).toBe(1);
    expect(await demo.marks("bw-ghost")).toBe(1);
    expect(await demo.marks("bw-over")).toBe(1);
    await demo.page.keyboard.press("Escape");
    expect(await demo.marks("bw-carried")).toBe(0);
    await demo.page.mouse.up();
    expect(await demo.moves()).toEqual([]);
  });

  it("lets a piece glide back from nowhere and keeps it picked up", async () => {
    const demo = await open("chess");
    await demo.drag("e2", "e6");
    expect(await demo.moves()).toEqual([]);
    expect(await demo.marks("bw-selected")).toBe(1);
    await demo.click("e3");
    expect(await demo.moves()).toEqual(["e2 - e3"]);
  });

  it("changes the selection, puts back, and forgets it beside the board", async () => {
    const demo = await open("chess");
    await demo.click("g1");
    await demo.click("e2");
    expect((await demo.log()).filter((it) => it.startsWith("select"))).toEqual([
      "select g1",
      "select e2",
    ]);
    await demo.click("e2");
    expect(await demo.marks("bw-selected")).toBe(0);
    await demo.click("g1");
    await demo.click("e5");
    expect(await demo.marks("bw-selected")).toBe(0);
  });

  it("castles by the king or by pointing at the rook, both pieces together", async () => {
    for (const to of ["g1", "h1"]) {
      const demo = await open("promo");
      await demo.click("e1");
      await demo.click(to);
      expect(await demo.piece("g1")).toBe("chess-white-king");
      expect(await demo.piece("f1")).toBe("chess-white-rook");
    }
  });

  it("asks what a pawn becomes, by pictures, and takes Escape for an answer", async () => {
    const demo = await open("promo");
    await demo.drag("b7", "b8");
    const menu = demo.page.locator("[role=menu]");
    expect(
      await menu
        .locator("[role=menuitem]")
        .evaluateAll((all) => all.map((it) => it.getAttribute("aria-label"))),
    ).toEqual(["queen", "rook", "bishop", "knight"]);
    expect(await demo.page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe(
      "queen",
    );
    await demo.page.keyboard.press("Escape");
    expect(await menu.count()).toBe(0);
    expect(await demo.piece("b7")).toBe("chess-white-pawn");
    await demo.click("b7");
    await demo.click("b8");
    await demo.page.keyboard.press("ArrowDown");
    await demo.page.keyboard.press("Enter");
    expect(await demo.piece("b8")).toBe("chess-white-rook");
  });

  it("lists moves by name where pictures would be the same", async () => {
    const demo = await open("oddities");
    await demo.click("e4");
    await demo.click("e6");
    const items = demo.page.locator("[role=menuitem]");
    expect(await items.allTextContents()).toEqual([
      "Camelopard e4 - e6 way 1",
      "Camelopard e4 - e6 way 2",
      "Camelopard e4 - e6 way 3",
    ]);
    await items.nth(1).click();
    expect(await demo.moves()).toEqual(["Camelopard e4 - e6 way 2"]);
  });

  it("enters moves in place, copies, and takes by one click", async () => {
    let demo = await open("oddities");
    await demo.click("c4");
    await demo.click("c4");
    expect(await demo.moves()).toEqual(["Ant c4 = Wizard"]);
    demo = await open("oddities");
    await demo.click("b4");
    expect(await demo.moves()).toEqual(["copy to b4"]);
    demo = await open("oddities");
    await demo.click("g4");
    expect(await demo.moves()).toEqual(["x g4"]);
    expect(await demo.piece("g4")).toBeNull();
  });

  it("plays clear moves at once if asked to, and swallows the click after", async () => {
    const demo = await open("chess", "set.smartMoves=true");
    await demo.click("e4");
    expect(await demo.moves()).toEqual(["e2 - e4"]);
    await demo.click("h5");
    expect(await demo.moves()).toEqual(["e2 - e4", "h7 - h5"]);
    await demo.click("e4");
    expect(await demo.moves()).toEqual(["e2 - e4", "h7 - h5", "e4 - e5"]);
    await demo.click("e5");
    expect(await demo.moves()).toHaveLength(3);
  });

  it("goes on with a chain by itself, crosses what is taken, and ends it", async () => {
    const demo = await open("draughts", "set.autoContinue=false");
    await demo.click("a1");
    await demo.click("c3");
    expect(await demo.marks("bw-gone")).toBe(1);
    expect(await demo.marks("bw-cross")).toBe(1);
    expect(await demo.marks("bw-path")).toBe(1);
    expect(await demo.marks("bw-selected")).toBe(1);
    await demo.click("e5");
    expect(await demo.moves()).toEqual(["a1 - c3", "c3 - e5"]);
    expect(await demo.marks("bw-gone")).toBe(0);
  });

  it("drops from a hand by drag and by click", async () => {
    const demo = await open("shogi", "", { viewport: { width: 900, height: 1100 } });
    const pawn = demo.page.locator('#near .bw-hp[data-kind="Pawn"]');
    await pawn.click();
    expect(await demo.marks("bw-dot")).toBe(41);
    expect(await pawn.getAttribute("aria-pressed")).toBe("true");
    await pawn.click();
    expect(await demo.marks("bw-dot")).toBe(0);
    const box = await pawn.boundingBox(),
      to = await demo.center("e5");
    await demo.page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 20);
    await demo.page.mouse.down();
    await demo.page.mouse.move(to.x, to.y, { steps: 5 });
    await demo.page.mouse.up();
    expect(await demo.moves()).toEqual(["7 e5"]);
    expect(await demo.page.locator('#near .bw-hp[data-kind="Pawn"] .bw-count').textContent()).toBe(
      "1",
    );
    expect(await demo.page.locator("#far .bw-hp").getAttribute("aria-disabled")).toBe("false");
  });

  it("does not drop a held piece by a stray click", async () => {
    const demo = await open("shogi");
    await demo.click("e5");
    expect(await demo.moves()).toEqual([]);
  });

  it("draws arrows with the right button and asks about a piece by a right click", async () => {
    const demo = await open("chess");
    const a = await demo.center("b1"),
      b = await demo.center("c3");
    await demo.page.mouse.move(a.x, a.y);
    await demo.page.mouse.down({ button: "right" });
    await demo.page.mouse.move(b.x, b.y);
    await demo.page.mouse.up({ button: "right" });
    expect(await demo.marks("bw-arrow")).toBe(1);
    await demo.page.mouse.click(a.x, a.y, { button: "right" });
    expect(await demo.log()).toContain("ask b1");
    await demo.click("e5");
    expect(await demo.marks("bw-arrow")).toBe(0);
  });

  it("zooms by wheel under the pointer, shows a map, and fits again", async () => {
    const demo = await open("gomoku");
    const before = await demo.center("q4");
    await demo.page.mouse.move(before.x, before.y);
    await demo.page.keyboard.down("Control");
    await demo.page.mouse.wheel(0, -300);
    await demo.page.keyboard.up("Control");
    const after = await demo.center("q4");
    expect(Math.hypot(after.x - before.x, after.y - before.y)).toBeLessThan(2);
    expect(await demo.page.locator(".bw-map").isVisible()).toBe(true);
    await demo.click("q4");
    expect(await demo.moves()).toEqual(["0 q4"]);
    await demo.page.getByRole("button", { name: "Fit the board" }).click();
    expect(await demo.page.locator(".bw-map").isVisible()).toBe(false);
  });

  it("previews a stone where a click would drop it", async () => {
    const demo = await open("gomoku");
    const at = await demo.center("c3");
    await demo.page.mouse.move(at.x, at.y);
    expect(await demo.page.locator(".bw-layer-hover .bw-preview").count()).toBe(1);
  });

  it("is quiet when it is not your move", async () => {
    const demo = await open("chess");
    await demo.page.evaluate(() =>
      (window as never as { demo: { board: { setSeats(s: number[]): void } } }).demo.board.setSeats(
        [1],
      ),
    );
    await demo.click("e2");
    await demo.click("e4");
    expect(await demo.moves()).toEqual([]);
    expect(await demo.label("e2")).toBe("e2, white pawn");
  });
});
