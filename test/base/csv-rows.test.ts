import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { csvRows } from "../../src/base/index.js";

const delimiters = [",", ";", "\t", "|"];
const value = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.constantFrom("", '"', '""', "a\r\nb", "\n", ";,\t|"),
);
const row = fc.array(value, { minLength: 1, maxLength: 4 });

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** Cuts a text into pieces of one length. */
function cut(text: string, length: number): string[] {
  return text.match(new RegExp(`[^]{1,${length}}`, "g")) ?? [];
}

describe("rows of CSV", () => {
  it("are what was written, however the file is read in pieces", () => {
    fc.assert(
      fc.property(
        fc.array(row),
        fc.constantFrom(...delimiters),
        fc.constantFrom("\n", "\r\n", "\r"),
        fc.boolean(),
        fc.integer({ min: 1, max: 20 }),
        (rows, delimiter, lineEnd, hasLastEnd, length) => {
          const lines = rows.map((values) => values.map(quoted).join(delimiter));
          const text = lines.join(lineEnd) + (hasLastEnd ? lineEnd : "");
          expect([...csvRows(cut(text, length), delimiter)]).toEqual(rows);
        },
      ),
    );
  });

  it("need no quotes for other values, keep quotes within them, and skip empty lines", () => {
    const text = 'phone,text\n\n+250,12" pipe\r\n\r\n, a "b" \n+1,"x\n';
    expect([...csvRows(['a,b\n1,say "hi"\n\n2,\n,3'], ",")]).toEqual([
      ["a", "b"],
      ["1", 'say "hi"'],
      ["2", ""],
      ["", "3"],
    ]);
    expect(() => [...csvRows([text], ",")]).toThrow("a quoted value has no end");
    expect(() => [...csvRows(['a,b\n"x" y,2\n'], ",")]).toThrow("a quoted value is followed by more text");
  });
});
