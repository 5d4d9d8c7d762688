// Rules in Markdown as plain data, which a page shows as elements. Nothing of the text
// becomes markup: what is not understood stays text.

export type Span =
  | { type: "text" | "bold" | "italic" | "code"; text: string }
  | { type: "link"; text: string; href: string }
  | { type: "piece"; label: string; text: string };
export type Block =
  | { type: "heading"; level: number; spans: Span[] }
  | { type: "paragraph"; spans: Span[] }
  | { type: "list"; ordered: boolean; items: Span[][] };

const MARK =
  /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\[([^\]]+)\]\((https?:\/\/[^\s)]+)\)|(?:<\?=?\s*)?showpiece\(\s*["']([^"']{1,12})["']\s*,\s*["']([^"']{0,60})["']\s*\)\s*;?(?:\s*\?>)?/g;

/** The parts of a line: code, emphasis, links to the web, pieces. */
export function spans(text: string): Span[] {
  const all: Span[] = [];
  let at = 0;
  for (const found of text.matchAll(MARK)) {
    if (found.index > at) all.push({ type: "text", text: text.slice(at, found.index) });
    const [, code, bold, italic, linked, href, label, caption] = found;
    if (code !== undefined) all.push({ type: "code", text: code });
    else if (bold !== undefined) all.push({ type: "bold", text: bold });
    else if (italic !== undefined) all.push({ type: "italic", text: italic });
    else if (linked !== undefined && href !== undefined)
      all.push({ type: "link", text: linked, href });
    else all.push({ type: "piece", label: label ?? "", text: caption ?? "" });
    at = found.index + found[0].length;
  }
  if (at < text.length) all.push({ type: "text", text: text.slice(at) });
  return all;
}

/** Headings, lists and paragraphs of a text. */
export function blocks(text: string): Block[] {
  const all: Block[] = [];
  let lines: string[] = [];
  const end = () => {
    if (lines.length > 0) all.push({ type: "paragraph", spans: spans(lines.join("\n")) });
    lines = [];
  };
  for (const raw of text.split("\n")) {
    const line = raw.trim();
    const heading = /^(#{1,6})\s+(.*)$/.exec(line);
    const item = /^(?:([-*+])|\d{1,3}[.)])\s+(.*)$/.exec(line);
    if (heading) {
      end();
      const level = (heading[1] ?? "#").length;
      all.push({ type: "heading", level, spans: spans(heading[2] ?? "") });
    } else if (item) {
      end();
      const ordered = item[1] === undefined;
      const last = all.at(-1);
      const entry = spans(item[2] ?? "");
      if (last?.type === "list" && last.ordered === ordered) last.items.push(entry);
      else all.push({ type: "list", ordered, items: [entry] });
    } else if (line === "") end();
    else lines.push(line);
  }
  end();
  return all;
}
