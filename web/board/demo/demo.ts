// The widget alone on a page: ?game=chess&theme=dark&board=slate. Tests drive it too,
// through window.demo.
import type { MoveView, StateView } from "$protocol";
import { createBoard, type Board, type Settings } from "../src/index";
import { FIXTURES } from "./fixtures";

const query = new URLSearchParams(location.search);
const name = query.get("game") ?? "chess";
const theme = query.get("theme");
if (theme) document.documentElement.dataset["theme"] = theme;
document.documentElement.dataset["board"] = query.get("board") ?? "walnut";

const by = (id: string) => document.getElementById(id) as HTMLElement;
const fixture = (FIXTURES[name] ?? FIXTURES["chess"])?.();
if (!fixture) throw new Error("no such game");
by("title").textContent = fixture.game.title;

const log: string[] = [];
let now: StateView = fixture.start;
const history: StateView[] = [];

const board: Board = createBoard(by("stage"), {
  animationMs: Number(query.get("ms") ?? 200),
  onMove(move: MoveView) {
    log.push(`move ${move.long}`);
    if (query.has("deaf")) return; // as a referee who refuses
    history.push(now);
    now = fixture.play(now, move);
    board.show(now, { effects: move.effects, own: query.has("own") });
  },
  onSelect(site) {
    log.push(`select ${site === null ? "-" : fixture.game.layout.cells[site]?.name}`);
  },
  onClickSite(site) {
    log.push(`click ${fixture.game.layout.cells[site]?.name}`);
  },
  onAskPiece(site) {
    log.push(`ask ${fixture.game.layout.cells[site]?.name}`);
  },
  onAnnounce(text, assertive) {
    by(assertive ? "urgent" : "polite").textContent = text;
    log.push(`say ${text}`);
  },
  onSound(sound) {
    log.push(`sound ${sound}`);
  },
  onDraw(arrows) {
    log.push(`draw ${arrows.length}`);
  },
  onUndoStep(all) {
    log.push(`undo ${all}`);
    now = history.pop() ?? now;
    board.show(now);
  },
  onEdit(site, piece) {
    log.push(
      `edit ${fixture.game.layout.cells[site]?.name} ${piece ? `${piece.player} ${piece.kind}` : "-"}`,
    );
    now = {
      ...now,
      pieces: [
        ...now.pieces.filter((it) => it.site !== site),
        ...(piece ? [{ site, ...piece }] : []),
      ],
    };
    board.show(now, { animate: false });
  },
});
board.setGame(fixture.game);
board.setSeats(fixture.game.players.map((_, i) => i));
const settings = Object.fromEntries(
  [...query]
    .filter(([key]) => key.startsWith("set."))
    .map(([key, value]) => [key.slice(4), JSON.parse(value)]),
) as Partial<Settings>;
board.set(settings);
board.show(now);
if (now.hands.length) {
  board.createHand(by("far"), { player: 1, far: true, keep: true });
  board.createHand(by("near"), { player: 0, keep: true });
}
Object.assign(window, {
  demo: {
    board,
    fixture,
    log,
    state: () => now,
    show: (next: Partial<StateView>) => {
      now = { ...now, ...next };
      board.show(now, { animate: false });
    },
  },
});
