import { expect, test } from "vitest";
import { blocks, spans } from "../src/lib/markdown";

test("headings, lists and paragraphs", () => {
  const all = blocks("# Rules\n\nTake **all**\nof it.\n\n- one\n- `two`\n1. first\n");
  expect(all.map((one) => one.type)).toEqual(["heading", "paragraph", "list", "list"]);
  expect(all[1]).toEqual({
    type: "paragraph",
    spans: [
      { type: "text", text: "Take " },
      { type: "bold", text: "all" },
      { type: "text", text: "\nof it." },
    ],
  });
});

test("only addresses of the web become links, and markup stays text", () => {
  expect(spans("[a](javascript:x) <b>no</b>")).toEqual([
    { type: "text", text: "[a](javascript:x) <b>no</b>" },
  ]);
  expect(spans("[a](https://pond.example/x)")).toEqual([
    { type: "link", text: "a", href: "https://pond.example/x" },
  ]);
});

test("pieces are named as the original names them", () => {
  expect(spans('The <? showpiece("K", "King"); ?> moves.')).toEqual([
    { type: "text", text: "The " },
    { type: "piece", label: "K", text: "King" },
    { type: "text", text: " moves." },
  ]);
});
