import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Host, readContact, readDefinition, startSession } from "../../src/flow/index.js";
import { emptyAssets } from "./empty-assets.js";
import { act, ann, ask, channel, definition, eventsOf, play, split } from "./player.js";

const tooMuch = /^sprint takes too much work/;

/** A text of a megabyte that every test reads. */
const megabyte = '@(repeat("abcdefghij", 100000))';

/** A switch that nothing matches; then the next node. */
function lost(
  uuid: string,
  tests: readonly (readonly [string, readonly string[]])[],
  next: string,
  operand = megabyte,
) {
  return split(uuid, {
    operand,
    cases: tests.map(([test, args]) => [test, args, "Found"]),
    to: { Other: next },
  });
}

/** Nodes that a run has visited. */
function visitsOf(sprint: ReturnType<typeof play>[number] | undefined): number {
  const [run] = sprint?.runs ?? [];
  return (run?.["path"] as readonly unknown[] | undefined)?.length ?? 0;
}

const patterns = Array.from({ length: 20 }, (_, index) => ["has_pattern", [`(a?b?c?d?)*[x-z]${index}`]] as const);

describe("the work of a sprint is bounded", () => {
  it("in a loop that tests twenty patterns on a text of a megabyte", () => {
    const [sprint] = play({ nodes: [lost("first", patterns, "second"), lost("second", patterns, "first")] });
    expect(sprint?.status).toBe("failed");
    expect(eventsOf(sprint, "failure")).toEqual([{ text: expect.stringMatching(tooMuch) as string }]);
    expect(visitsOf(sprint)).toBeLessThan(10);
  });

  it.each([
    ["has_phone", []],
    ["has_number_eq", ["7"]],
    ["has_email", []],
    ["has_date", []],
    ["has_phrase", ["zebra"]],
    ["has_all_words", ["zebra"]],
    ["has_phrase", ["a zebra"]],
    ["has_state", []],
  ])("in a loop of %s", (test, args) => {
    const operand = '@(repeat("12 3x ", 15000))';
    const [sprint] = play({ nodes: [lost("loop", Array(20).fill([test, args]), "loop", operand)] });
    expect(eventsOf(sprint, "failure")).toEqual([{ text: expect.stringMatching(tooMuch) as string }]);
    expect(visitsOf(sprint)).toBeLessThan(50);
  });

  it("in a loop whose messages are as many as actions and visits allow", () => {
    const many = Array.from({ length: 100 }, () => ({ type: "send_msg", text: "Hi @contact.name" }));
    const [sprint] = play({ nodes: [act("first", many, "second"), act("second", many, "first")] });
    expect(eventsOf(sprint, "failure")).toEqual([{ text: expect.stringMatching(tooMuch) as string }]);
    const sent = eventsOf(sprint, "msg_created").length;
    expect([sent > 1000, sent < 2500]).toEqual([true, true]);
  });

  it("in a loop that fails again and again: its errors end, too", () => {
    const results = Array.from({ length: 100 }, () => ({
      type: "set_run_result",
      name: "A",
      value: '@(text(parse_json(repeat("[1,", 9000))))',
      category: "",
    }));
    const [sprint] = play({ nodes: [act("first", results, "second"), act("second", results, "first")] });
    expect(eventsOf(sprint, "failure")).toEqual([{ text: expect.stringMatching(tooMuch) as string }]);
    expect(eventsOf(sprint, "error").length).toBeLessThan(100);
  });

  it("and fails the parents of the run that used it up", () => {
    const child = { ...definition([lost("loop", patterns, "loop")]), uuid: "child", name: "Child" };
    const enter = { type: "enter_flow", flow: { uuid: "child", name: "Child" } };
    const [sprint] = play({ nodes: [act("enter", [enter], "after"), act("after", [])], flows: [child] });
    expect(sprint?.runs.map(({ status }) => status)).toEqual(["failed", "failed"]);
  });
});

const host: Host = {
  environment: { timezone: "UTC", dateFormat: "DD-MM-YYYY", timeFormat: "tt:mm", allowedLanguages: ["eng"] },
  assets: { ...emptyAssets, channel: () => channel, channels: () => [channel] },
  now: () => Date.UTC(2026, 0, 1),
  random: () => 0.5,
  uuid: () => "uuid",
};

/** Plays a flow until its first wait. */
function begin(nodes: readonly object[], sprintUnits?: number): ReturnType<typeof startSession> {
  const flow = readDefinition(definition(nodes as Parameters<typeof definition>[0]));
  const trigger = { type: "manual", flow, triggeredAtMs: 0 } as const;
  const assets = { ...host.assets, flow: () => flow };
  return startSession(
    { ...host, assets, ...(sprintUnits !== undefined && { sprintUnits }) },
    readContact(ann),
    trigger,
  );
}

it("a step of a survey takes less than a hundredth of what a sprint may", () => {
  const nodes = [
    act("greet", [{ type: "send_msg", text: "How old are you, @contact.first_name? It is @(today())." }], "age"),
    ask("age", "Age", { cases: [["has_number_between", ["1", "120"], "Age"]] }),
  ];
  const { session, work } = begin(nodes);
  expect(session.status).toBe("waiting");
  expect(work).toBeLessThan(1000);
});

const text = fc.constantFrom(
  "Hi @contact.name",
  "@(1 + 2)",
  "plain",
  '@(repeat("x", 9000))',
  '@(upper(repeat("ß", 300000)))',
  '@(json(split(repeat("a ", 40000))))',
  '@(sort(split(repeat("b a ", 20000))))',
  '@(sum(parse_json("[" & repeat("1,", 20000) & "1]")))',
  '@(foreach(split(repeat("a ", 3000)), (x) => foreach(split(repeat("b ", 100)), (y) => x & y)))',
  '@(regex_match(repeat("ab", 20000), "(a|b)*c"))',
  '@(replace(repeat("a", 90000), "", "b"))',
  "@(",
  "@run",
  "@(format(run))",
);
const action = fc.oneof(
  text.map((value) => ({ type: "send_msg", text: value })),
  text.map((value) => ({ type: "set_run_result", name: "Result", value, category: "" })),
  text.map((value) => ({ type: "set_contact_name", name: value })),
  text.map((value) => ({ type: "set_run_local", local: "own", operation: "set", value })),
  fc.constant({ type: "add_contact_urn", scheme: "tel", path: "@(2507881000 & rand_between(10, 99))" }),
);
const test = fc.constantFrom<readonly [string, readonly string[], string]>(
  ["has_pattern", ["(a?b?)*z"], "Found"],
  ["has_phrase", ["x y"], "Found"],
  ["has_number_eq", ["5"], "Found"],
  ["has_any_word", ['@(repeat("q ", 9000))'], "Found"],
);
const flow = fc
  .array(
    fc.record({ actions: fc.array(action, { maxLength: 8 }), operand: text, cases: fc.array(test, { maxLength: 8 }) }),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((plans) =>
    plans.map(({ actions, operand, cases }, index) => {
      const next = `node-${(index + 1) % plans.length}`;
      return split(`node-${index}`, { actions, operand, cases, to: { Other: next, Found: next } });
    }),
  );

it("every flow that never waits ends within its work, and always in the same way", () => {
  fc.assert(
    fc.property(flow, (nodes) => {
      const first = begin(nodes, 20_000);
      expect(first.session.status).toBe("failed");
      expect(first.work).toBeLessThanOrEqual(20_000);
      // What was parsed or compiled before counts as much as what was not.
      expect(begin(nodes, 20_000)).toEqual(first);
    }),
    { numRuns: 60 },
  );
});
