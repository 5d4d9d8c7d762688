// Colours for a line of rules: comments, strings, the words that open a list, and names.
export interface Painted {
  text: string;
  kind: "k" | "st" | "cm" | "nm" | "";
}

const TOKEN = /(;.*$)|("(?:[^"])*"?)|(\()([^\s()";]+)|([A-Z][\w-]*)|([^();"A-Z]+|.)/g;

export function paint(line: string): Painted[] {
  const found: Painted[] = [];
  for (const match of line.matchAll(TOKEN)) {
    const [whole, comment, string, open, head, name] = match;
    if (comment !== undefined) found.push({ text: comment, kind: "cm" });
    else if (string !== undefined) found.push({ text: string, kind: "st" });
    else if (open !== undefined && head !== undefined)
      found.push({ text: "(", kind: "" }, { text: head, kind: /^[A-Z]/.test(head) ? "nm" : "k" });
    else if (name !== undefined) found.push({ text: name, kind: "nm" });
    else found.push({ text: whole, kind: "" });
  }
  return found;
}
