import { join } from "node:path";
import { expect, it } from "vitest";
import { openRecording } from "../../src/index.js";
import { renderHtml } from "../../src/report/html/page.js";
import { resultOf } from "../../src/report/result-of-recording.js";
import { diagnostics } from "../scenario/help.js";
import { temporaryFolder } from "../support/folder.js";
import { play } from "./support.js";

const harbour = `
name: Two groups
lasts: 1h
handsets:
  harbour: { name: Old Harbour, count: 3, phone: "+2507880{00000}" }
  hill: { phone: "+250789000001" }
people:
  farmers: { count: 6, of: all, phone: "+2507811{00000}" }
story:
  - { at: 10m, text: { from: farmers, to: all, body: hello } }
`;

it("a report calls a group by its display name, and data by its key", async () => {
  const recording = join(temporaryFolder(), "run.db");
  await play(harbour, { recording });
  const reader = openRecording(recording);
  const page = renderHtml(reader);
  expect(page).toContain("Old Harbour (harbour)");
  expect(page).toContain("harbour/0");
  const { byGroup } = resultOf(reader);
  reader.close();
  expect(Object.keys(byGroup ?? {})).toEqual(["harbour", "hill"]);
});

it("a display name that is too long is an error", () => {
  const text = harbour.replace("Old Harbour", "x".repeat(61));
  expect(diagnostics(text)[0]).toMatchObject({ code: "bad-value", line: 5 });
});
