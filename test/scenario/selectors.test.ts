import { describe, expect, it } from "vitest";
import { scenario } from "../../src/index.js";
import { selectorText } from "../../src/world/index.js";
import { diagnostics, sound } from "./help.js";

function cast(more: string): string {
  return `lasts: 1h
handsets:
  clinic: { count: 10, phone: "+2507880{0000}" }
  tally: { count: 5, phone: "+2507890{0000}" }
people:
  farmers: { count: 20, of: all, phone: "+2507811{0000}" }
  hidden: { of: [tally/1..2, clinic/0], phone: withheld }
${more}`;
}

/** The selectors of the story's steps, as they are resolved. */
function selected(...steps: string[]): string[] {
  const text = cast(`story:\n${steps.map((step) => `  - { at: 1m, ${step} }\n`).join("")}`);
  return sound(text).story.map(({ input }) => {
    if (!("input" in input) || !("of" in input.input) || input.input.of === undefined) throw new Error("no selector");
    return selectorText(input.input.of as Parameters<typeof selectorText>[0]);
  });
}

const told = (more: string): string[] =>
  diagnostics(cast(more)).map(
    ({ line, column, code, message, hint }) => `${line}:${column} ${code} ${message} (${hint})`,
  );

describe("selectors", () => {
  it("select all handsets, groups in a list, and shares of both", () => {
    const seen = selected(
      "kill: { of: all }",
      "kill: { of: 20% of all }",
      "kill: { of: [clinic/3, tally/0..4] }",
      "kill: { of: [50% of clinic, tally] }",
      "kill: { of: 10% of clinic each time }",
      "kill: { of: [tally/0] }",
    );
    expect(seen).toEqual([
      "all",
      "20% of all",
      "[clinic/3, tally/0..4]",
      "[50% of clinic/0..9, tally/0..4]",
      "10% of clinic/0..9 each time",
      "tally/0",
    ]);
  });

  it("are accepted in homes, traffic, conditions and expectations", () => {
    const text = cast(`
traffic:
  - { texts: { from: all, to: [clinic, tally/1], body: hello }, rate: 1/m, per: person }
story:
  - { at: 1m, text: { from: [farmers/0..3, hidden], to: all, body: hi } }
  - { at: 2m, when: { event: alarm, of: [clinic/1, tally] }, note: low }
  - { at: 3m, expect: { event: mo_sms, of: all, within: 5m } }
`);
    expect(sound(text).cast.traffic[0]?.each).toBe(21);
  });

  it("mean by 'all' the side of a call that the other one is not", () => {
    const { cast: played, story } = sound(
      cast(`
traffic:
  - { calls: { from: all, to: farmers }, rate: 1/h }
  - { calls: { from: all, to: clinic }, rate: 1/h }
story:
  - { at: 1m, call: { from: 50% of all, to: farmers } }
  - { at: 2m, call: { from: all, to: "+250788123456" } }
  - { at: 3m, call: { from: farmers, to: all } }
`),
    );
    expect(played.traffic.map((entry) => "from" in entry && entry.from)).toEqual(["handsets", "people"]);
    expect(story.map(({ input }) => "input" in input && "by" in input.input && input.input.by)).toEqual([
      "handset",
      "handset",
      "person",
    ]);
  });

  it("are lists in TypeScript, too", () => {
    const built = scenario({
      lasts: "1h",
      handsets: { a: { phone: "+250788000001" }, b: { phone: "+250788000002" } },
      story: [{ at: "1m", kill: { of: ["a", "b"] } }],
    });
    expect(built.story[0]?.input).toMatchObject({ input: { of: { parts: [{ group: "a" }, { group: "b" }] } } });
  });

  it.each([
    [
      "story:\n  - { at: 1m, kill: { of: [clinic/0..3, tally, clinic/2] } }",
      "9:48 bad-selector 'of[2]' selects members of clinic that an entry before selects, too: clinic/2 (each member is selected once: make one entry of the two)",
    ],
    [
      "story:\n  - { at: 1m, kill: { of: [clinic, post] } }",
      "9:36 unknown-group 'of[1]' names no group of handsets: 'post' (one of: clinic, tally)",
    ],
    [
      "story:\n  - { at: 1m, kill: { of: [clinic, all] } }",
      "9:36 bad-selector 'of[1]' is 'all', the word for every group: it cannot be in a list (write all alone)",
    ],
    [
      "story:\n  - { at: 1m, kill: { of: 'clinic, tally/1' } }",
      "9:27 bad-selector 'of' must be a selector, got 'clinic, tally/1' (write a list: [clinic, tally/1])",
    ],
    [
      "story:\n  - { at: 1m, kill: { of: clinic each time } }",
      "9:27 bad-selector 'of' 'each time' needs a share: 'clinic each time' (write 10% of clinic each time)",
    ],
    [
      "story:\n  - { at: 1m, kill: { of: all/3 } }",
      "9:27 bad-selector 'of' 'all' has no members of its own: 'all/3' (name a group)",
    ],
    [
      "story:\n  - { at: 1m, kill: { of: [] } }",
      "9:27 bad-value 'of' must not be an empty list (write clinic, or [clinic, tally])",
    ],
    [
      "traffic:\n  - { texts: { from: 10% of farmers each time, to: clinic, body: hi }, rate: 1/m }",
      "9:22 bad-selector 'from' only a step of the story draws a share each time: '10% of farmers each time' (write 10% of farmers)",
    ],
    [
      "story:\n  - { at: 1m, expect: { event: alarm, of: 10% of clinic each time } }",
      "9:43 bad-selector 'of' only a step of the story draws a share each time: '10% of clinic each time' (write 10% of clinic)",
    ],
    [
      "story:\n  - { at: 1m, send: { via: clinic, to: all, body: hi } }",
      "9:40 bad-selector 'to' selects 'all', who withhold their number: nobody can call them or write to them (give the group numbers with 'phone', or choose another)",
    ],
  ])("%s", (more, problem) => {
    expect(told(more)).toEqual([problem]);
  });

  it("leave the word 'all' to themselves", () => {
    const text = 'lasts: 1h\nhandsets:\n  all: { phone: "+250788000001" }\n';
    expect(diagnostics(text)[0]).toMatchObject({ code: "bad-name", line: 3 });
  });
});
