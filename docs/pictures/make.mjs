// Draws what the terminal shows as SVG: node docs/pictures/make.mjs
// Needs the release build (./run makes it).
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";

const colors = {
  31: "#d1242f", 91: "#d1242f", 33: "#b08800", 93: "#b08800", 32: "#1a7f37", 92: "#1a7f37",
  34: "#2f6feb", 94: "#2f6feb", 36: "#1b7c83", 96: "#1b7c83",
};
// Spaces that count: viewers fold ordinary ones.
const escape = (text) => text.replace(/ /g, "\u00a0").replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

/** Text with terminal colours to lines of coloured spans. */
function lines(text) {
  let style = {};
  return text.replace(/\n+$/, "").split("\n").map((line) => {
    const spans = [];
    for (const part of line.split(/(\x1b\[[0-9;]*m)/)) {
      const codes = part.match(/^\x1b\[([0-9;]*)m$/);
      if (!codes) {
        if (part) spans.push({ text: part, ...style });
        continue;
      }
      for (const code of (codes[1] || "0").split(";").map(Number)) {
        if (code === 0) style = {};
        else if (code === 1) style = { ...style, bold: true };
        else if (colors[code]) style = { ...style, color: colors[code] };
      }
    }
    return spans;
  });
}

function svg(text) {
  const rows = lines(text);
  const columns = Math.max(...rows.map((row) => row.reduce((sum, it) => sum + it.text.length, 0)));
  const [charWidth, lineHeight, pad] = [8.43, 19, 18];
  const width = Math.ceil(columns * charWidth + 2 * pad);
  const height = rows.length * lineHeight + 2 * pad;
  const body = rows.map((row, idx) => {
    const spans = row.map((it) => {
      const fill = it.color ? ` fill="${it.color}"` : "";
      const weight = it.bold ? ' font-weight="bold"' : "";
      return `<tspan${fill}${weight}>${escape(it.text)}</tspan>`;
    });
    return `<text x="${pad}" y="${pad + 14 + idx * lineHeight}">${spans.join("")}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" xml:space="preserve" font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14" fill="#24292f">
<rect width="100%" height="100%" rx="8" fill="#f6f4ef"/>
${body.join("\n")}
</svg>
`;
}

const run = (...args) => {
  const shown = args.filter((it) => !it.startsWith("--color")).join(" ");
  const { stdout } = spawnSync("target/release/boardwright", args, { encoding: "utf8" });
  return `\x1b[1m$ boardwright ${shown}\x1b[0m\n${stdout}`;
};

writeFileSync("docs/pictures/check.svg", svg(run("check", "--color=always", "docs/pictures/wolf.zrf")));
writeFileSync("docs/pictures/show.svg", svg(run("show", "games/xiangqi/xiangqi.zrf")));
