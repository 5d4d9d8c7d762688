// Source of every piece in this folder. `node make.mjs` rewrites *.svg and ../src/pieces/list.rs.
// Shapes are drawn once in a 100 x 100 box; a side is only a set of five colours.
// Turned pieces give the right half of their profile and are mirrored, as on a lathe.
import { writeFileSync, readdirSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
const here = dirname(fileURLToPath(import.meta.url));

// body, shade (turned away from the light), edge (outline), cut (engraved lines), shine (edge of light)
export const sides = {
  white: { body: '#fbf3e4', shade: '#e2cfb0', edge: '#3b2a1d', cut: '#7a5c40', shine: '#ffffff' },
  black: { body: '#463a35', shade: '#2e2521', edge: '#15100d', cut: '#d3bb98', shine: '#7d6a5d' },
  red:   { body: '#c4594a', shade: '#9c3f33', edge: '#4c1711', cut: '#ffe3d6', shine: '#e58d7c' },
  blue:  { body: '#4f7fa8', shade: '#386187', edge: '#152a3d', cut: '#e3f0fa', shine: '#86b0d3' },
  green: { body: '#5f9163', shade: '#456f49', edge: '#1a2f1c', cut: '#eaf5e2', shine: '#93bd92' },
  yellow: { body: '#ecc75a', shade: '#c99f35', edge: '#4a3508', cut: '#7a5a12', shine: '#fae6a4' },
  orange: { body: '#d98442', shade: '#b2632a', edge: '#4a230a', cut: '#ffe9d2', shine: '#f0b27e' },
  violet: { body: '#8a6aa6', shade: '#694e84', edge: '#2a1b38', cut: '#f1e6fa', shine: '#b79dcc' },
};
const order = Object.keys(sides);

// ---------------------------------------------------------------- lathe
// half: [['L',x,y] | ['C',x1,y1,x2,y2,x,y]] from the top centre (50,top) to the bottom centre.
const f = n => +n.toFixed(2);
function lathe(top, half) {
  const right = half.map(c => c[0] + c.slice(1).map(f).join(' ')).join('');
  const ends = [[50, top], ...half.map(c => c.slice(-2))];
  let left = '';
  for (let i = half.length - 1; i >= 0; i--) {
    const c = half[i], [x, y] = ends[i];
    left += c[0] === 'L' ? `L${f(100 - x)} ${f(y)}`
      : `C${f(100 - c[3])} ${f(c[4])} ${f(100 - c[1])} ${f(c[2])} ${f(100 - x)} ${f(y)}`;
  }
  return `M50 ${top}${right}${left}Z`;
}
// the foot that all turned pieces share: from the waist at y 72 to the table at y 91
const foot = (x = 66) => [
  ['C', x + 2.5, 75, x + 3.5, 76.5, x + 4, 79], ['L', x + 5, 79],
  ['C', x + 8.5, 79, x + 10, 81, x + 10, 84], ['L', x + 10, 88],
  ['C', x + 10, 90, x + 9, 91, x + 7, 91], ['L', 50, 91]];
const collar = (x, y, h = 5.4) => [['C', x + 2.9, y, x + 2.9, y + h, x, y + h]];
const footLine = (x = 66) => `M${100 - x - 4} 79.3H${x + 4}`;

// ---------------------------------------------------------------- chess
const pawn = lathe(21, [
  ['C', 57.6, 21, 63.4, 26.6, 63.4, 34], ['C', 63.4, 38.6, 61, 42.4, 57.8, 44.6],
  ['L', 62, 44.6], ...collar(62, 44.6), ['L', 56.6, 50],
  ['C', 57, 60, 59.6, 66.4, 64, 71.6], ...foot(64)]);
const rook = lathe(20, [
  ['L', 55.6, 20], ['L', 55.6, 26.4], ['L', 62.4, 26.4], ['L', 62.4, 20], ['L', 71.6, 20],
  ['C', 72.4, 20, 73, 20.6, 73, 21.4], ['L', 73, 35], ['C', 73, 38.4, 70.6, 39.6, 68.6, 41],
  ['C', 66.6, 42.4, 63.4, 43.2, 63.4, 45.4],
  ['C', 63.6, 56, 64.2, 64, 67, 71.6], ...foot(67)]);
const bishop = lathe(9.5, [
  ['C', 53, 9.5, 55.2, 11.7, 55.2, 14.6], ['C', 55.2, 16.8, 54.2, 18.2, 52.8, 19.2],
  ['C', 60, 24.4, 66.4, 32, 66.4, 40], ['C', 66.4, 45.4, 62.6, 49.6, 58.4, 51.2],
  ['L', 62.6, 51.2], ...collar(62.6, 51.2), ['L', 57, 56.6],
  ['C', 57.6, 63.6, 60.4, 68.2, 65.4, 72], ...foot(65.4)]);
const queen = lathe(22, [
  ['L', 57.4, 38.6], ['L', 67, 22.6], ['L', 69, 39.4], ['L', 81.4, 29.6],
  ['C', 77.4, 37.4, 73.4, 45.4, 70, 53.4], ['C', 66.4, 55, 63, 55.8, 62.4, 57], ...collar(62.4, 57),
  ['L', 58.2, 62.4], ['C', 59, 66.4, 62, 69.4, 67, 72], ...foot(67)]);
const queenBalls = [[50, 17.4], [68, 18], [32, 18], [83.6, 26], [16.4, 26]];
const king = lathe(4.5, [
  ['L', 53.4, 4.5], ['L', 52.9, 9.6], ['L', 58, 9.1], ['L', 58, 15.7], ['L', 52.9, 15.2], ['L', 53.4, 21.4],
  ['C', 56, 22.4, 57.2, 24, 58, 26], ['C', 62.6, 23.4, 69, 22.8, 74, 26.4], ['C', 80.2, 31, 79.6, 38.6, 76, 44],
  ['C', 73.6, 47.6, 71, 50.4, 69.4, 54], ['C', 66.4, 55.4, 63, 56, 62.4, 57.2], ...collar(62.4, 57.2),
  ['L', 58.2, 62.6], ['C', 59, 66.4, 62, 69.4, 67, 72], ...foot(67)]);

// horse head, looking left; joined to the common foot
const horseHead = 'M52.6 18.6C67 21.6 76.6 36 75.8 56C75.5 63 74.2 71 72 79H29.6C29.8 70.4 35.4 65.6 40.8 60.6C44 57.6 46 54.6 46.2 51.2C42.6 54.4 38.8 55.4 35.6 55.8C33.4 58.2 31.6 61.2 28.4 62.2C24.4 63.4 19.6 59.6 19.2 55.4C18.9 52 22 48.4 24 44.8C27.2 39 27.6 35.2 31.4 30.4C34.2 26.8 38.2 24.2 41.2 22C41.6 17.6 42.6 13.4 45.4 10C48.6 12.2 51.2 15 52.6 18.6Z';
const horseFoot = 'M27 79H73C77 79 79 81.4 79 84.4V88C79 90 78 91 76 91H24C22 91 21 90 21 88V84.4C21 81.4 23 79 27 79Z';
const mane = 'M56.6 25.6C66 31.6 70.4 43 69.4 58.4M52 29.6C59.4 34.6 63.2 43.4 62.8 55';
const eye = [40.4, 33.6, 2.7], nostril = [25.2, 54.2, 1.7];

// ---------------------------------------------------------------- small drawing language
// a part: {d, as:'body'|'cut'|'dot'|'shine'|'solid', w}
const P = (d, as = 'body', w) => ({ d, as, w });
const circle = (x, y, r) => `M${f(x - r)} ${f(y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
const turned = (d, cuts, shineD) => [P(d), ...(shineD ? [P(shineD, 'shine')] : []), ...cuts.map(c => P(c, 'cut'))];
const scale = (d, s, dx, dy) => { // scales absolute path data (M L C H V Z and circles' relative arcs)
  let out = '';
  for (const m of d.matchAll(/([MLCHVZa])([^MLCHVZa]*)/g)) {
    const n = (m[2].match(/-?\d+\.?\d*/g) || []).map(Number);
    if (m[1] === 'H') out += 'H' + f(n[0] * s + dx);
    else if (m[1] === 'V') out += 'V' + f(n[0] * s + dy);
    else if (m[1] === 'Z') out += 'Z';
    else if (m[1] === 'a') out += `a${f(n[0] * s)} ${f(n[1] * s)} 0 1 0 ${f(n[5] * s)} 0`;
    else out += m[1] + n.map((v, i) => f(v * s + (i % 2 ? dy : dx))).join(' ');
  }
  return out;
};
const head = (s, dx, dy) => [
  P(scale(horseHead, s, dx, dy)), P(scale(mane, s, dx, dy), 'cut'),
  P(scale(circle(...eye), s, dx, dy), 'dot'), P(scale(circle(...nostril), s, dx, dy), 'dot')];
const horse = [...head(1, 0, 0), P(horseFoot)];
// the compounds wear what they borrow: a mitre, a battlement, a coronet, a horn
const smallHead = head(0.84, 9.4, 12.8);
const mitre = 'M50.6 3.4C53 3.4 54.8 5.2 54.8 7.5C54.8 9.2 54 10.4 52.8 11.2C58.4 14.6 62.6 19.4 62.4 25.4C62.3 28.6 61 31 59 32.6C53.6 29.8 45.6 28.4 39 29.6C37.4 27.8 37 25.4 37.6 22.6C38.8 17.4 43.4 13.6 48.6 11.2C47.3 10.3 46.4 9.2 46.4 7.5C46.4 5.2 48.2 3.4 50.6 3.4Z';
const battlement = 'M35 8.6L42 7.4L43 12.6L47.4 11.9L46.6 6.8L54.4 5.8L55 10.9L59.6 10.5L59.2 5.4L66.8 5.2L67.6 21C67.7 25.4 65 29.6 61.6 33C54.6 29.6 46.8 28.6 39.6 30C37.6 28.4 36.6 26 36.2 23Z';
const coronet = 'M51.4 10L56.6 20.6L66.4 10.6L63.4 32C55.4 28.8 46 28 38.4 29.6L32.6 12.4L43.8 20.8Z';
const horn = 'M34.6 28.4L17.6 6.2C16.8 5 18.4 3.4 19.6 4.4L40.6 22.6C38.4 24 36.4 26 34.6 28.4Z';

const shapes = {
  pawn:   turned(pawn, [footLine(64)], 'M41.6 30.4C42.8 27.4 45 25.6 47.6 25'),
  rook:   turned(rook, ['M31 35.4H69', 'M37 45.4H63', footLine(67)], 'M31 24V31'),
  bishop: turned(bishop, ['M58.2 27.4L50 39.4', 'M38.6 46.8C45.4 49 54.6 49 61.4 46.8', footLine(65.4)], 'M38 40C38.4 34.6 41.6 30 45.4 26.4'),
  queen:  [...queenBalls.map(([x, y]) => P(circle(x, y, 4.7))), ...turned(queen, ['M30.6 48C43 44.4 57 44.4 69.4 48', footLine(67)])],
  king:   turned(king, ['M30.2 49.4C43 45.2 57 45.2 69.8 49.4', 'M50 27V44.4', footLine(67)], 'M25.4 35C26.4 31.4 29.6 29.4 33.4 29.2'),
  knight: horse,
  unicorn: [P(horn), P('M25.6 10.4L21.6 14.2M31 15.6L26 20.6M36 21L31 25.6', 'cut'), ...horse],
  archbishop: [...smallHead, P(mitre), P('M55.4 17L49.6 24.4', 'cut'), P(horseFoot)],
  chancellor: [...smallHead, P(battlement), P('M36.6 22.6C46.4 20 57.6 20 67.2 22', 'cut'), P(horseFoot)],
  amazon: [...smallHead, ...[[51, 7], [67.6, 7.6], [31.2, 9.6]].map(([x, y]) => P(circle(x, y, 3.7))), P(coronet), P('M36.6 24.4C45.6 22 55.6 22.4 64 25.6', 'cut'), P(horseFoot)],
};

function drawParts(parts, c, id) {
  let defs = '', out = '';
  parts.forEach((p, i) => {
    if (p.as === 'body') {
      const cid = `${id}-${i}`;
      defs += `<clipPath id="${cid}"><path d="${p.d}"/></clipPath>`;
      out += `<path d="${p.d}" fill="${c.body}"/>`
        + `<path d="M57 0C63 30 61 66 66 100H100V0Z" fill="${c.shade}" clip-path="url(#${cid})"/>`
        + `<path d="${p.d}" fill="none" stroke="${c.edge}" stroke-width="${p.w || 3}" stroke-linejoin="round"/>`;
    } else if (p.as === 'cut') out += `<path d="${p.d}" fill="none" stroke="${c.cut}" stroke-width="${p.w || 2.6}" stroke-linecap="round" stroke-linejoin="round"/>`;
    else if (p.as === 'shine') out += `<path d="${p.d}" fill="none" stroke="${c.shine}" stroke-width="2.6" stroke-linecap="round"/>`;
    else if (p.as === 'dot') out += `<path d="${p.d}" fill="${c.cut}"/>`;
  });
  return (defs ? `<defs>${defs}</defs>` : '') + out;
}

// ---------------------------------------------------------------- draughts, stones
const ring = (r, c, w = 2.2, dash = '') => `<circle cx="50" cy="47" r="${r}" fill="none" stroke="${c}" stroke-width="${w}"${dash}/>`;
const groove = { white: c => ring(29, c.cut, 2) + ring(20, c.cut, 2), black: c => ring(29, c.cut, 2) +
  `<path d="${Array.from({ length: 12 }, (_, i) => { const a = i * Math.PI / 6, p = r => `${f(50 + r * Math.sin(a))} ${f(47 - r * Math.cos(a))}`; return `M${p(14)}L${p(22)}`; }).join('')}" stroke="${c.cut}" stroke-width="2.4" stroke-linecap="round"/>` };
groove.red = groove.yellow = groove.orange = groove.white; groove.blue = groove.green = groove.violet = groove.black;
const disc = (c, y, r = 38) => `<path d="M${50 - r} ${y}v7a${r} ${r} 0 0 0 ${2 * r} 0v-7Z" fill="${c.shade}" stroke="${c.edge}" stroke-width="3" stroke-linejoin="round"/><circle cx="50" cy="${y}" r="${r}" fill="${c.body}" stroke="${c.edge}" stroke-width="3"/>`;
const crown = c => `<path d="M33 40L42 47L50 33L58 47L67 40L63.6 58H36.4Z" fill="${c.cut}" stroke="${c.cut}" stroke-width="2.4" stroke-linejoin="round"/>`;
const man = (c, s) => disc(c, 47) + groove[s](c);
const band = (c, y, r) => `<path d="M${50 - r} ${y}v9a${r} ${r} 0 0 0 ${2 * r} 0v-9a${r} ${r} 0 0 1 ${-2 * r} 0Z" fill="${c.shade}" stroke="${c.edge}" stroke-width="3" stroke-linejoin="round"/>`;
const dking = (c, s) => band(c, 52, 35) + `<g transform="translate(0 -6)">${disc(c, 47, 35)}${ring(27.5, c.cut, 2)}${crown(c)}</g>`;
const glass = { white: ['#fffdf8', '#f6ecdb', '#d9c7aa'], black: ['#6b5d55', '#3a302c', '#1d1714'] };
const stone = (c, s, id) => { const [light, middle, dark] = glass[s] || [c.shine, c.body, c.shade];
  return `<defs><radialGradient id="${id}" cx=".36" cy=".3" r=".8"><stop offset="0" stop-color="${light}"/><stop offset=".55" stop-color="${middle}"/><stop offset="1" stop-color="${dark}"/></radialGradient></defs><circle cx="50" cy="50" r="44" fill="url(#${id})" stroke="${c.edge}" stroke-width="${s === 'black' ? 1.6 : 2.4}"/>`; };

// ---------------------------------------------------------------- character tokens
// Characters are drawn as strokes of a brush in a 100 x 100 box: a machine without a font for them shows them too.
const brush = {
  '王': 'M15 14H85M20 48H80M8 88H92M50 14V88',
  '玉': 'M15 14H85M20 48H80M8 88H92M50 14V88M66 62L78 76',
  '士': 'M10 36H90M50 6V88M22 88H78',
  '仕': 'M30 6Q22 30 6 46M20 34V94M40 38H96M68 8V88M46 88H92',
  '兵': 'M68 6Q50 14 26 18M26 16V58M26 36H78M58 36V58M6 58H94M38 66Q30 84 10 96M62 66Q72 84 90 96',
  '卒': 'M50 3V18M12 18H88M34 22Q28 42 12 54M32 36Q38 44 44 54M66 22Q60 42 50 54M64 36Q72 46 86 54M6 68H94M50 56V98',
  '車': 'M14 18H86M26 32H74V68H26ZM26 50H74M8 82H92M50 4V98',
  '相': 'M5 30H46M26 6V96M25 32Q18 56 4 70M28 38L44 54M56 14H90V92H56ZM56 40H90M56 66H90',
  '帥': 'M26 4L18 16M12 18V90M12 18H40V46H12M12 60H42V90H12M52 28H92V72Q92 80 83 77M52 28V80M72 8V98',
  '將': 'M30 4V98M11 8V38H30M5 60H30M17 60Q16 82 5 96M60 4Q54 20 42 32M57 14H88Q80 42 44 56M64 24L71 31M57 35L64 42M42 66H97M78 54V90Q78 98 67 93M52 75L60 85',
  '象': 'M42 2Q36 12 22 20M38 10H64L56 20M22 22H78V40H22ZM50 22V40M50 40Q36 50 12 56M44 47Q62 62 55 90Q52 98 40 92M53 58Q40 70 12 76M57 72Q44 86 12 95M80 46Q72 54 58 60M60 58Q74 80 95 90',
  '馬': 'M26 8V62M26 8H82M26 26H76M26 44H76M52 8V62M26 62H88Q88 88 82 94Q78 98 68 92M13 74L7 92M30 76L34 88M46 74L51 86M62 72L69 83',
  '炮': 'M9 34L15 48M43 28L35 44M26 6Q28 50 4 92M27 50Q32 74 46 88M64 4Q58 20 48 32M59 18H92V54Q92 63 82 60M58 36H77V56H58M58 36V80Q58 92 69 92H87Q96 92 96 78',
  '砲': 'M4 14H46M24 14Q20 40 4 58M16 48H40V86H16ZM64 4Q58 20 50 32M60 18H92V54Q92 63 82 60M59 36H77V56H59M59 36V80Q59 92 70 92H87Q96 92 96 78',
  '飛': 'M8 10H68Q68 32 92 38M90 6L76 15M76 20L90 27M46 48H76Q76 74 96 84M98 46L84 55M84 60L96 68M38 18Q26 28 8 32M44 32Q30 40 8 44M6 62H54M24 42Q22 76 6 95M42 36V97',
  '角': 'M38 4Q30 18 13 30M34 12H63L51 27M24 28V64Q24 84 8 96M24 28H78V88Q78 97 66 93M24 46H78M24 64H78M51 28V92',
  '金': 'M50 4Q36 26 5 42M50 4Q64 26 95 42M30 42H70M16 60H84M50 42V90M29 68L36 81M71 68L63 81M8 92H92',
  '銀': 'M26 4Q20 20 3 34M26 4Q34 16 47 26M13 37H40M7 55H46M27 37V86M13 64L18 75M41 64L35 75M5 93L47 85M58 10H89V50H58M58 30H89M58 10V92L74 84M95 56L76 68M66 52Q76 80 98 94',
  '桂': 'M3 28H41M22 5V97M22 32Q16 54 2 68M24 38L39 52M50 22H93M71 5V45M45 45H98M50 69H93M71 53V93M43 93H98',
  '香': 'M72 4Q50 12 22 14M8 27H92M50 10V54M46 29Q34 44 7 54M54 29Q66 44 93 54M28 60H72V96H28ZM28 78H72',
  '歩': 'M50 2V41M50 20H82M24 15V41M5 42H95M50 46V72Q50 79 41 76M30 52Q24 64 11 72M68 50L83 63M84 66Q60 92 18 98',
  '龍': 'M27 1V12M7 14H48M16 20L21 31M41 19L35 31M3 34H53M11 44V78Q11 90 4 97M11 44H44V88Q44 97 35 94M11 60H44M11 75H44M60 3V27M60 13H93M60 28H90V45H60M60 45V82Q60 95 72 95H89Q98 95 97 80M68 57H88M68 69H88M68 81H88',
  'と': 'M36 8Q40 30 48 44M82 26Q50 40 32 56Q14 74 28 86Q44 96 84 88',
  '全': 'M50 4Q36 28 4 48M50 4Q64 28 96 48M28 47H72M24 67H76M50 47V91M11 91H89',
  '圭': 'M20 22H80M50 4V45M10 45H90M20 69H80M50 53V93M6 93H94',
  '杏': 'M7 22H93M50 2V55M46 24Q32 42 7 53M54 24Q68 42 93 53M26 63H74V95H26Z',
};
const glyph = (t, x, y, size, ink) => { const d = brush[t], n = d.split('M').length - 1, w = n > 14 ? 7 : n > 9 ? 8 : 9.5;
  return `<path d="${d}" transform="translate(${f(x - size / 2)} ${f(y - size / 2)}) scale(${f(size / 100)})" fill="none" stroke="${ink}" stroke-width="${w}" stroke-linecap="round" stroke-linejoin="round"/>`; };
const lat = `Vollkorn,"Iowan Old Style",Palatino,Georgia,serif`;
const wood = { body: '#f0d9ac', shade: '#d7b57c', edge: '#5b3d1d', ink: '#2a1a0e', red: '#9c2417' };
const text = (t, x, y, size, fill, fam, weight = 700) => `<text x="${x}" y="${y}" font-family='${fam}' font-size="${size}" font-weight="${weight}" text-anchor="middle" fill="${fill}">${t}</text>`;
const wedge = k => { // shogi: five sides, larger for higher rank
  const h = 44 * k, w = 38 * k, cx = 50, b = 50 + h * .98, t = 50 - h;
  return `M${cx} ${f(t)}L${f(cx + w * .74)} ${f(t + h * .34)}L${f(cx + w)} ${f(b)}H${f(cx - w)}L${f(cx - w * .74)} ${f(t + h * .34)}Z`;
};
const shogi = (ch, k, red, latin) => {
  const d = wedge(k), d2 = wedge(k * .9);
  return `<path d="${d}" transform="translate(0 2.5)" fill="${wood.shade}" stroke="${wood.edge}" stroke-width="2.6" stroke-linejoin="round"/><path d="${d}" fill="${wood.body}" stroke="${wood.edge}" stroke-width="2.6" stroke-linejoin="round"/>`
    + (latin ? text(ch, 50, 50 + (ch.length > 1 ? 19 : 22) * k, (ch.length > 1 ? 36 : 46) * k, red ? wood.red : wood.ink, lat)
             : glyph(ch, 50, 50 + 7.5 * k, 51 * k, red ? wood.red : wood.ink));
};
const xq = (ch, red, latin) => {
  const ink = red ? '#a3261a' : '#1f3328';
  const inner = red ? `<circle cx="50" cy="48" r="34.5" fill="none" stroke="${ink}" stroke-width="2.2"/>`
    : `<path d="${Array.from({ length: 8 }, (_, i) => { const a = (i + .5) * Math.PI / 4; return (i ? 'L' : 'M') + f(50 + 37 * Math.cos(a)) + ' ' + f(48 + 37 * Math.sin(a)); }).join('')}Z" fill="none" stroke="${ink}" stroke-width="2.2" stroke-linejoin="round"/>`;
  return `<circle cx="50" cy="53" r="43" fill="${wood.shade}" stroke="${wood.edge}" stroke-width="2.6"/><circle cx="50" cy="48" r="43" fill="#f6e5c3" stroke="${wood.edge}" stroke-width="2.6"/>${inner}`
    + (latin ? text(ch, 50, 63, 44, ink, lat) : glyph(ch, 50, 48, 45, ink));
};
const shogiSet = { king: ['王', 1, 0, 'K'], king2: ['玉', 1, 0, 'K'], rook: ['飛', .97, 0, 'R'], bishop: ['角', .97, 0, 'B'], gold: ['金', .93, 0, 'G'], silver: ['銀', .93, 0, 'S'], knight: ['桂', .88, 0, 'N'], lance: ['香', .86, 0, 'L'], pawn: ['歩', .82, 0, 'P'], dragon: ['龍', .97, 1, '+R'], horse: ['馬', .97, 1, '+B'], psilver: ['全', .93, 1, '+S'], pknight: ['圭', .88, 1, '+N'], plance: ['杏', .86, 1, '+L'], tokin: ['と', .82, 1, '+P'] };
const xqSet = { general: ['帥', '將', 'K'], advisor: ['仕', '士', 'A'], elephant: ['相', '象', 'E'], horse: ['馬', '馬', 'H'], chariot: ['車', '車', 'R'], cannon: ['炮', '砲', 'C'], soldier: ['兵', '卒', 'P'] };

// ---------------------------------------------------------------- things: dice, marks, walls
const bone = { body: '#fbf3e4', shade: '#e2cfb0', edge: '#3b2a1d', ink: '#2a1a0e' };
const square = (x, y, side, r, fill, stroke, w = 3) => `<rect x="${x}" y="${y}" width="${side}" height="${side}" rx="${r}" fill="${fill}" stroke="${stroke}" stroke-width="${w}"/>`;
const pips = { 0: [], 1: [[0, 0]], 2: [[-1, -1], [1, 1]], 3: [[-1, -1], [0, 0], [1, 1]], 4: [[-1, -1], [1, -1], [-1, 1], [1, 1]], 5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]], 6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]] };
const die = n => square(14, 18, 72, 15, bone.shade, bone.edge) + square(14, 13, 72, 15, bone.body, bone.edge) + pips[n].map(([x, y]) => `<circle cx="${50 + 20 * x}" cy="${49 + 20 * y}" r="7.6" fill="${bone.ink}"/>`).join('');
const things = {
  'nothing': '',
  'mark-x': `<path d="M24 24L76 76M76 24L24 76" stroke="#4c1711" stroke-width="19" stroke-linecap="round"/><path d="M24 24L76 76M76 24L24 76" stroke="#c4594a" stroke-width="13" stroke-linecap="round"/>`,
  'mark-o': `<circle cx="50" cy="50" r="30" fill="none" stroke="#152a3d" stroke-width="19"/><circle cx="50" cy="50" r="30" fill="none" stroke="#4f7fa8" stroke-width="13"/>`,
  'wall': square(2, 2, 96, 4, '#8a5a44', '#4a2c1e', 4) + `<path d="M2 34H98M2 66H98M35 2V34M68 2V34M18 34V66M50 34V66M82 34V66M35 66V98M68 66V98" stroke="#4a2c1e" stroke-width="4"/>`,
  'crate': square(12, 12, 76, 5, '#d9a763', '#553720', 4) + square(22, 22, 56, 2, '#c48f4d', '#553720', 3) + `<path d="M24 24L76 76M76 24L24 76" stroke="#553720" stroke-width="9"/><path d="M24 24L76 76M76 24L24 76" stroke="#d9a763" stroke-width="4.5"/>`,
  'crate-stored': square(12, 12, 76, 5, '#7fae83', '#24402f', 4) + square(22, 22, 56, 2, '#5f9163', '#24402f', 3) + `<path d="M32 52L45 65L70 36" fill="none" stroke="#eaf5e2" stroke-width="9" stroke-linecap="round" stroke-linejoin="round"/>`,
  'block': square(8, 8, 84, 8, '#6f5e4f', '#2a2019', 4) + square(20, 20, 60, 4, 'none', '#b9a68f', 2.4),
  'arrow': `<path d="M50 9L79 44H62V91H38V44H21Z" fill="#4f7fa8" stroke="#152a3d" stroke-width="4" stroke-linejoin="round"/>`,
  'flag': `<path d="M30 10V92" stroke="#2a1a0e" stroke-width="7" stroke-linecap="round"/><path d="M33 14H80L68 31L80 48H33Z" fill="#c4594a" stroke="#4c1711" stroke-width="3.4" stroke-linejoin="round"/>`,
  'dot': `<circle cx="50" cy="50" r="17" fill="#276549" stroke="#fbf3e4" stroke-width="4"/>`,
  'lamp-on': `<circle cx="50" cy="50" r="40" fill="#f6d365" stroke="#4a3508" stroke-width="3.4"/><circle cx="50" cy="50" r="25" fill="#fff3c4"/>`,
  'lamp-off': `<circle cx="50" cy="50" r="40" fill="#5a4a3d" stroke="#2a2019" stroke-width="3.4"/><circle cx="50" cy="50" r="25" fill="#463a35"/>`,
};
for (let n = 1; n <= 8; n++) { const w = [36, 48, 60, 72, 84, 90, 95, 100][n - 1]; things[`disk-${n}`] = `<rect x="${f(50 - w / 2)}" y="30" width="${f(w)}" height="44" rx="14" fill="${sides[['red', 'orange', 'yellow', 'green', 'blue', 'violet', 'white', 'black'][n - 1]].body}" stroke="#2a1a0e" stroke-width="3.4"/>`; }
for (const n of Object.keys(pips)) things[`die-${n}`] = die(n);

// ---------------------------------------------------------------- write
for (const n of readdirSync(here)) if (n.endsWith('.svg')) unlinkSync(join(here, n));
const names = [];
const put = (name, inner) => {
  names.push(name);
  writeFileSync(join(here, name + '.svg'), `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">${inner}</svg>\n`);
};
for (const s of order) {
  for (const [n, parts] of Object.entries(shapes)) put(`chess-${s}-${n}`, drawParts(parts, sides[s], `c${s}${n}`));
  put(`draughts-${s}-man`, man(sides[s], s)); put(`draughts-${s}-king`, dking(sides[s], s)); put(`stone-${s}`, stone(sides[s], s, `st${s}`));
}
for (const [n, [ch, k, red, l]] of Object.entries(shogiSet)) { put(`shogi-${n}`, shogi(ch, k, red)); if (n !== 'king2') put(`shogi-latin-${n}`, shogi(l, k, red, true)); }
for (const [n, [r, b, l]] of Object.entries(xqSet)) { put(`xiangqi-red-${n}`, xq(r, true)); put(`xiangqi-black-${n}`, xq(b, false)); put(`xiangqi-latin-red-${n}`, xq(l, true, true)); put(`xiangqi-latin-black-${n}`, xq(l, false, true)); }
for (const [n, inner] of Object.entries(things)) put(n, inner);
names.sort();
writeFileSync(join(here, '../src/pieces/list.rs'), `// Written by pieces/make.mjs.\n\n/// Every drawing: its name and the SVG file, sorted by name.\npub(super) const ALL: &[(&str, &str)] = &[\n${names.map(n => `    (\"${n}\", include_str!(\"../../pieces/${n}.svg\")),`).join('\n')}\n];\n`);
console.log(names.length, 'pieces');
