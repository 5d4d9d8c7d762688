import { expect, test } from "vitest";
import { keyIn } from "../src/lib/owner";

test("the key is read from the printed address and from nothing else", () => {
  expect(keyIn("#key=abc234")).toBe("abc234");
  for (const other of ["", "#", "#main", "#key=", "#key=a b", "#key=a&b=c", "#akey=abc"])
    expect(keyIn(other)).toBe("");
});
