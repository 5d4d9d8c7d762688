// Tokens with letters, for pieces that have no drawing: the outline names the
// player, the letters the piece. Colours are classes (colours.css), never values.
// A test of crates/render compares the outlines with those of pictures.
import type { LookView } from "$protocol";
import { svg } from "./dom";

const CIRCLE = "M50 9a39 39 0 1 1 0 78a39 39 0 1 1 0 -78Z";
const OUTLINES: Record<LookView["token"], string> = {
  circle: CIRCLE,
  square:
    "M22 11H78C83 11 87 15 87 20V76C87 81 83 85 78 85H22C17 85 13 81 13 76V20C13 15 17 11 22 11Z",
  hexagon: "M92 48L71 84.4L29 84.4L8 48L29 11.6L71 11.6Z",
  shield: "M50 6C60 12 72 16 86 17C88 50 76 76 50 91C24 76 12 50 14 17C28 16 40 12 50 6Z",
};
const TONES = new Set(["white", "black", "red", "blue", "green", "yellow", "orange", "violet"]);

/** Draws a token in a box of 100 by 100. */
export function drawToken(look: LookView): SVGGElement {
  const d = OUTLINES[look.token] ?? CIRCLE;
  const letters = [...look.letters].slice(0, 3).join("");
  const size = letters.length > 2 ? 27 : letters.length > 1 ? 36 : 46;
  const text = svg("text", { class: "bw-letters", x: 50, y: 48 + size * 0.34, "font-size": size });
  text.textContent = letters;
  const group = svg(
    "g",
    { class: `bw-token bw-tone-${TONES.has(look.tone) ? look.tone : "white"}` },
    svg("path", { class: "bw-token-side", d, transform: "translate(0 5)" }),
    svg("path", { class: "bw-token-top", d }),
    svg("path", {
      class: "bw-token-cut",
      d,
      transform: "translate(50 48) scale(.84) translate(-50 -48)",
    }),
  );
  // more players than outlines: each four add a notch at the top
  const notches = Math.min(4, Math.max(0, look.notches));
  for (let i = 0; i < notches; i++) {
    const x = 50 + (i - (notches - 1) / 2) * 15;
    group.append(svg("path", { class: "bw-token-notch", d: `M${x - 5} 5H${x + 5}L${x} 17Z` }));
  }
  group.append(text);
  return group;
}
