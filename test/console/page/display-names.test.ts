import { expect, it } from "vitest";
import { plainWords } from "../../../src/console/page/chain/plain-words.js";
import { selectorIn } from "../../../src/console/page/domain/display-name.js";
import { sentenceParts } from "../../../src/console/page/domain/sentence-parts.js";
import { titleOf } from "../../../src/console/page/fleet/names.js";
import { jumpTargets } from "../../../src/console/page/shell/jump-targets.js";
import type { FleetGroup } from "../../../src/console/protocol/index.js";

const groups: readonly FleetGroup[] = [
  { name: "old-harbour", label: "Old Harbour", firstChannel: 1, firstIndex: 0, count: 8 },
  { name: "3", label: "3", firstChannel: 9, firstIndex: 10, count: 2 },
];

it("a handset has its display name as title, and its selector if its group has none", () => {
  expect([0, 7, 8].map((index) => titleOf(groups, index))).toEqual(["Old Harbour 0", "Old Harbour 7", "3/10"]);
});

it("the quick jump offers handsets by display name, with the selector beside it", () => {
  const found = (text: string): string[] =>
    jumpTargets(text, { views: [], groups })
      .filter(({ kind }) => kind === "handset")
      .map(({ label, note, href }) => `${label} | ${note} | ${href}`);
  const second = "Old Harbour 2 | old-harbour/2 | #/handset/old-harbour/2";
  expect(found("old harbour 2")).toEqual([second]);
  expect(found("harbour/2")).toEqual([second]);
  expect(found("3 11")).toEqual(["3/11 | Handset, channel 10 | #/handset/3/11"]);
});

it("a handset can be typed by either name", () => {
  const read = ["Old Harbour 3", " old-harbour/3 ", "old harbour/3", "Old Harbour 8", "Old Harbour", "3/10", ""];
  expect(read.map((typed) => selectorIn(groups, typed))).toEqual([
    "old-harbour/3",
    "old-harbour/3",
    "old-harbour/3",
    undefined,
    undefined,
    "3/10",
    undefined,
  ]);
});

it("sentences show codes as words and handsets by name, but leave what people wrote, events and ranges", () => {
  expect(sentenceParts('mo_sms "is mo_sms at old-harbour/2?" at old-harbour/2', groups)).toEqual([
    { type: "mo_sms" },
    ' "is mo_sms at old-harbour/2?" at ',
    { handset: "old-harbour/2" },
  ]);
  expect(sentenceParts("makes event 3/17 (mt_dlvd)", groups)).toEqual(["makes event 3/17 (", { type: "mt_dlvd" }, ")"]);
  for (const plain of ["old-harbour/0..2 and old-harbour/9", "mill/2 waits", "the alarm of the flow", ""]) {
    expect(sentenceParts(plain, groups)).toEqual(plain === "" ? [] : [plain]);
  }
});

it("an audience hears of a step without ids, numbers and codes", () => {
  const person = { name: "Amina Sorel", selector: "amina/0", phone: "+12025550100" };
  const said = (kind: string, text: string, outcome?: "accepted" | "timeout"): string | undefined =>
    plainWords({ kind, text, person } as Parameters<typeof plainWords>[0], outcome && { outcome });
  expect(said("text", "Amina Sorel (+12025550100) sends the text to old-harbour/2")).toBe(
    "Amina Sorel sends the text to old-harbour/2",
  );
  expect(said("event", "the service stores message 9 and makes event 3/17 (mo_sms)")).toBeUndefined();
  expect(said("attempt", "try 1 at the receiver: answered 200", "accepted")).toBe("The application has it");
  expect(said("attempt", "try 1 at the receiver: no answer", "timeout")).toBe("The application did not take it");
  expect(said("queued", 'the answer to 3/17 asks for message 10: "Aonwe leo." to Amina')).toBe("Aonwe leo.");
  expect(said("heard", "amina/0 (+12025550100) reads message 10")).toBe("Amina Sorel reads it");
  expect(said("lost", "message 10 is lost: the carrier lost it")).toBe("the message is lost: the carrier lost it");
});
