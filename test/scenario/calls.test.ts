import { describe, expect, it } from "vitest";
import { parseScenario } from "../../src/scenario/index.js";

const cast = `
lasts: 2h
handsets: { clinic: { count: 2, phone: "+2507880{00000}" } }
people:
  farmers: { count: 2, phone: "+2507811{00000}", of: clinic }
  hidden: { count: 2, phone: withheld, of: clinic }
  silent: { sender: "", of: clinic }
`;

function problems(text: string): string[] {
  const { diagnostics } = parseScenario(cast + text, { file: "a.yaml", nowMs: 0 });
  return diagnostics.map(({ code, message }) => `${code}: ${message}`);
}

describe("people without a number", () => {
  it("may call and text", () => {
    expect(
      problems(`
traffic:
  - { calls: { from: hidden, to: clinic }, rate: 1/m }
story:
  - { at: 1m, call: { from: hidden/1, to: clinic/0, rings: 10s } }
  - { at: 2m, text: { from: silent, to: clinic/0, body: hello } }
`),
    ).toEqual([]);
  });

  it.each([
    ["story: [{ at: 1m, send: { via: clinic, to: hidden, body: hi } }]", "to", "hidden"],
    ["story: [{ at: 1m, call: { from: clinic, to: hidden/0 } }]", "to", "hidden/0"],
    ["story: [{ at: 1m, expect: { person: silent, hears: hi, within: 1m } }]", "person", "silent"],
    ["traffic: [{ sends: { via: clinic, to: silent, body: hi }, rate: 1/m }]", "to", "silent"],
    ["traffic: [{ calls: { from: clinic, to: hidden }, rate: 1/m }]", "to", "hidden"],
  ])("cannot be called or written to: %s", (text, key, selected) => {
    expect(problems(text)).toEqual([
      `bad-selector: '${key}' selects '${selected}', who withhold their number: nobody can call them or write to them`,
    ]);
  });
});

describe("the argument ends of calls", () => {
  it.each([
    "story: [{ at: 1m, call: { from: farmers, to: clinic, talks: 1m, ends: rejected } }]",
    "traffic: [{ calls: { from: farmers, to: clinic, talks: 1m, ends: rejected }, rate: 1/m }]",
  ])("excludes talks: %s", (text) => {
    expect(problems(text)).toEqual(["not-together: 'ends' and 'talks' cannot both be: such a call is not answered"]);
  });

  it.each([
    "story: [{ at: 1m, call: { from: clinic, to: farmers, ends: voicemail } }]",
    "traffic: [{ calls: { from: clinic, to: farmers, ends: voicemail }, rate: 1/m }]",
  ])("is for calls of people: %s", (text) => {
    const [problem, ...more] = problems(text);
    expect(problem).toMatch(/^not-together: 'ends' is for calls of people/);
    expect(more).toEqual([]);
  });
});
