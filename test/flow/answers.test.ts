import fc from "fast-check";
import { expect, it } from "vitest";
import {
  type Host,
  questionOf,
  readContact,
  readDefinition,
  startSession,
  walkAssets,
  walkFlow,
} from "../../src/flow/index.js";
import { textOfPattern } from "../../src/flow/answers/pattern-text.js";
import { Streams } from "../../src/sim/index.js";
import { act, ann, ask, definition, split } from "./player.js";

const streams = new Streams(3);

function hostFor(...flows: readonly ReturnType<typeof readDefinition>[]): Host {
  const draws = streams.get("draws");
  let uuids = 0;
  return {
    environment: {
      timezone: "Africa/Kigali",
      dateFormat: "DD-MM-YYYY",
      timeFormat: "tt:mm",
      allowedLanguages: ["eng"],
    },
    assets: walkAssets(flows, {}),
    now: () => 1_772_439_300_000,
    random: () => draws.fine(),
    uuid: () => `uuid-${uuids++}`,
  };
}

/** The question of a flow that waits at its first node with these cases. */
function question(
  cases: Parameters<typeof split>[1]["cases"],
  operand = "@input.text",
): NonNullable<ReturnType<typeof questionOf>> {
  const flow = readDefinition(definition([ask("wait", "Answer", { cases, operand })]));
  const host = hostFor(flow);
  const { session, contact } = startSession(host, readContact(ann), { type: "manual", flow, triggeredAtMs: 0 });
  const draws = streams.get("answers");
  const found = questionOf(host, session, contact, { random: () => draws.fine(), places: ["Kigali"] });
  if (found === undefined) throw new Error("the session does not wait");
  return found;
}

it.each([
  ["has_text", []],
  ["has_any_word", ["yes yego oui"]],
  ["has_all_words", ["very good"]],
  ["has_phrase", ["thank you"]],
  ["has_only_phrase", ["thank you"]],
  ["has_only_text", ["STOP"]],
  ["has_beginning", ["join"]],
  ["has_number", []],
  ["has_number_eq", ["12"]],
  ["has_number_lt", ["0"]],
  ["has_number_gte", ["1000000"]],
  ["has_number_between", ["2.4", "2.6"]],
  ["has_number_between", ["18", "65"]],
  ["has_date", []],
  ["has_date_lt", ["@(today())"]],
  ["has_date_eq", ["24-12-2027"]],
  ["has_date_gt", ["@(today())"]],
  ["has_time", []],
  ["has_phone", ["RW"]],
  ["has_email", []],
  ["has_pattern", [String.raw`^[A-C]{2}-\d{3,4}(x|y)?$`]],
] as const)("answers %s %j, and finds a wrong answer unless any text is right", (test, args) => {
  const asked = question([[test, args, "Wanted"]]);
  const right = asked.rightAnswer();
  expect(right).toBeDefined();
  expect(asked.categoryReachedBy(right?.text ?? "")).toBe("wait-Wanted");
  const wrong = asked.wrongAnswer();
  if (test === "has_text") expect(wrong).toBeUndefined();
  else expect(asked.categoryReachedBy(wrong?.text ?? "")).toBe("wait-Other");
});

it("knows the categories that no answer reaches", () => {
  const asked = question([
    ["has_any_word", ["yes"], "Yes"],
    ["has_only_phrase", ["yes"], "Hidden"],
    ["has_group", ["farmers"], "Farmer"],
  ]);
  expect(asked.unreachedCategories().map(({ name }) => name)).toEqual(["Hidden", "Farmer"]);
});

it("reaches categories through an expression", () => {
  const asked = question([["has_only_text", ["b"], "B"]], '@(lower(field(input.text, 0, " ")))');
  expect(asked.answerReaching("wait-B")).toEqual({ text: "b" });
});

it("generates texts that a pattern matches", () => {
  const part = fc.constantFrom("a", "[a-f]", String.raw`\d`, "(x|yy)", "[^a]", ".", String.raw`\.`, "(?:ab)");
  const sign = fc.constantFrom("", "?", "*", "+", "{2}", "{1,3}");
  const pattern = fc.array(
    fc.tuple(part, sign).map((both) => both.join("")),
    { minLength: 1, maxLength: 6 },
  );
  fc.assert(
    fc.property(pattern, fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })), (parts, draws) => {
      const made = textOfPattern(parts.join(""), { random: () => draws.next().value });
      expect(made).toMatch(new RegExp(`^(?:${parts.join("")})$`));
    }),
  );
});

it("gives up patterns that it does not know", () => {
  for (const pattern of ["(?=a)b", String.raw`(a)\1`, "(a", "[a"]) {
    expect(textOfPattern(pattern, { random: () => 0 })).toBeUndefined();
  }
});

it("walks a flow to its end, or as long as it has answers", () => {
  const endless = definition([
    split("wait", { cases: [["has_text", [], "All"]], wait: { type: "msg" }, to: { All: "wait" } }),
  ]);
  const ending = definition([
    ask("wait", "Age", { cases: [["has_number_between", ["18", "30"], "Adult"]], to: { Adult: "sub", Other: "wait" } }),
    act("sub", [{ type: "enter_flow", flow: { uuid: "elsewhere", name: "Elsewhere" } }], "end"),
    act("end", [{ type: "send_msg", text: "@fields.village @(1 / 0)" }]),
  ]);
  const walk = (json: unknown) => {
    const flow = readDefinition(json);
    return walkFlow(flow, { host: hostFor(flow), contact: readContact(ann), answersMax: 30 });
  };
  expect(walk(endless)).toMatchObject({ ended: "waiting", answers: 30, errors: [] });
  expect(walk(ending)).toMatchObject({ ended: "completed", errors: [expect.stringContaining("division by zero")] });
});
