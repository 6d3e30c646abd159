import { describe, expect, it } from "vitest";
import { flowOf, flowUuid, nodeUuid } from "../../account/flow-builder.js";
import { linted, say, textsOf } from "./linted.js";

const yes = ["has_any_word", ["yes y"], "Yes"] as const;
const no = ["has_any_word", ["no"], "No"] as const;
const thanks = { name: "thanks", actions: [say("Thanks")] };

describe("dead-end", () => {
  const texts = (...plans: Parameters<typeof flowOf>[2]): readonly string[] =>
    textsOf([flowOf(1, "Main", plans).definition], "dead-end");
  const ask = { result: "Happy", cases: [yes] };
  const hello = { actions: [say("Happy?")] };

  it("finds a question that leaves other answers without a reply", () => {
    expect(texts(hello, { ask, to: { Other: null } }, thanks)).toEqual([
      "answers of category 'Other' get no reply: the conversation ends",
    ]);
  });

  it("only mentions a question that leads back to itself, as its author has drawn it so", () => {
    const flow = flowOf(1, "Main", [hello, { name: "ask", ask, to: { Other: "ask" } }, thanks]);
    expect(linted([flow.definition], "dead-end")).toEqual([
      expect.objectContaining({
        level: "info",
        text: "answers of category 'Other' get no reply: the flow waits for another answer",
      }),
    ]);
  });

  it("leaves a first node alone that sorts the text that started the flow", () => {
    expect(texts({ ask, to: { Other: null } }, thanks)).toEqual([]);
  });

  it("leaves questions alone that reply, take any answer, are the last, or split by something else", () => {
    const again = { name: "again", actions: [say("Yes or no?")] };
    expect(texts({ ...again }, { name: "ask", ask, to: { Other: "again" } }, thanks)).toEqual([]);
    expect(texts({ ask: { result: "Any", cases: [["has_text", [], "Any"]] }, to: { Other: null } }, thanks)).toEqual(
      [],
    );
    expect(texts({ ask: { result: "All", cases: [] } }, thanks)).toEqual([]);
    expect(texts({ ask })).toEqual([]);
    expect(texts({ split: { operand: "@fields.age", cases: [yes] }, to: { Other: null } }, thanks)).toEqual([]);
  });

  it("warns of a question after an open one, whose answers all lead to it", () => {
    const open = { ask: { result: "Name", cases: [] } };
    const flow = flowOf(1, "Main", [open, hello, { ask, to: { Other: null } }, thanks]);
    expect(linted([flow.definition], "dead-end").map(({ level }) => level)).toEqual(["warning"]);
  });

  it("only mentions it where the question has been asked twice", () => {
    const flow = flowOf(1, "Main", [
      { name: "ask", ask, to: { Yes: "thanks", Other: "again" } },
      { name: "again", actions: [say("Yes or no?")] },
      { ask: { ...ask, result: "Again" }, to: { Yes: "thanks", Other: null } },
      thanks,
    ]);
    expect(linted([flow.definition], "dead-end").map(({ level }) => level)).toEqual(["info"]);
  });

  it("leaves a question alone that asks itself before it waits, so that it asks again", () => {
    const asks = { name: "ask", actions: [say("Yes or no?")], ask, to: { Other: "ask" } };
    expect(texts(asks, thanks)).toEqual([]);
  });

  it("only mentions it where tested answers end the same way, and in a flow that another one enters", () => {
    const ends = flowOf(1, "Main", [
      hello,
      { ask: { result: "Go", cases: [yes, no] }, to: { No: null, Other: null } },
      thanks,
    ]);
    expect(linted([ends.definition], "dead-end").map(({ level }) => level)).toEqual(["info"]);
    const sub = flowOf(2, "Sub", [hello, { ask, to: { Other: null } }, thanks]);
    const main = flowOf(3, "Main", [{ actions: [{ type: "enter_flow", flow: { uuid: flowUuid(2), name: "Sub" } }] }]);
    expect(linted([sub.definition, main.definition], "dead-end")).toEqual([
      expect.objectContaining({ level: "info", text: expect.stringContaining("the flow that entered it continues") }),
    ]);
  });
});

describe("unreachable-node", () => {
  it("lists the first of the nodes that nothing reaches, and a ring once", () => {
    const flow = flowOf(1, "Main", [
      { actions: [say("Hi")], to: { "": null } },
      { name: "a", actions: [say("lost")] },
      { name: "b", actions: [say("lost too")], to: { "": null } },
      { name: "c", actions: [say("ring")] },
      { actions: [say("ring 2")], to: { "": "c" } },
    ]);
    expect(linted([flow.definition], "unreachable-node")).toEqual([
      expect.objectContaining({
        node: { uuid: nodeUuid(1, 1), title: '"lost"' },
        text: "nothing leads to this node, nor to the node after it",
      }),
      expect.objectContaining({ node: { uuid: nodeUuid(1, 3), title: '"ring"' } }),
    ]);
  });
});

describe("tests and categories", () => {
  const router = (cases: readonly (readonly [string, readonly string[], string])[]): object =>
    flowOf(1, "Main", [{ ask: { result: "R", cases } }]).definition;

  it.each([
    ["has_number_between", ["1", "x"], "has_number_between: 'x' is not a number, so the test never passes"],
    ["has_number_between", ["9", "1"], "has_number_between: 9 is more than 1, so the test never passes"],
    ["has_pattern", ["(a"], "has_pattern: the pattern '(a' cannot be read"],
    ["has_any_word", [" "], "has_any_word has no words, so the test never passes"],
  ] as const)("bad-test: %s %j", (type, args, text) => {
    expect(textsOf([router([[type, args, "A"]])], "bad-test")).toEqual([text]);
  });

  it("leaves tests alone whose arguments are templates, or fine", () => {
    const cases = [
      ["has_number_gt", ["@fields.age"], "A"],
      ["has_number_eq", ["5.5"], "B"],
      ["has_pattern", [String.raw`^(\d+)\s*kg$`], "C"],
      ["has_phrase", [""], "D"],
    ] as const;
    expect(textsOf([router(cases)], "bad-test")).toEqual([]);
  });

  it("finds a test that an earlier one makes useless", () => {
    const cases = [
      yes,
      ["has_any_word", ["Y"], "Why"],
      ["has_number_eq", ["1"], "One"],
      ["has_number_eq", ["1"], "Uno"],
    ] as const;
    expect(textsOf([router(cases)], "shadowed-test")).toEqual([
      `has_any_word "Y" never decides: test 1 takes its answers first, for 'Yes'`,
      `has_number_eq "1" never decides: test 3 takes its answers first, for 'One'`,
    ]);
    const fine = [
      yes,
      ["has_any_word", ["y no"], "No"],
      ["has_only_phrase", ["yes"], "Only"],
      ["has_any_word", ["yes"], "Yes"],
    ] as const;
    expect(textsOf([router(fine)], "shadowed-test")).toEqual([]);
  });

  it("leaves a test alone whose words are others in a translation", () => {
    const definition = router([yes, ["has_any_word", ["Y"], "Why"]]) as {
      nodes: { router: { cases: { uuid: string }[] } }[];
    };
    const uuid = definition.nodes[0]?.router.cases[1]?.uuid ?? "";
    const localization = { fra: { [uuid]: { arguments: ["pourquoi"] } } };
    expect(textsOf([{ ...definition, localization }], "shadowed-test")).toEqual([]);
  });

  it("finds a category that nothing chooses, but not those of timeouts and calls", () => {
    const { definition } = flowOf(1, "Main", [{ ask: { result: "R", cases: [yes], timeoutSeconds: 60 } }]);
    expect(textsOf([definition], "category-without-test")).toEqual([]);
    const { nodes } = structuredClone(definition) as {
      nodes: { router: { categories: unknown[]; cases: unknown[] } }[];
    };
    nodes[0]?.router.cases.pop();
    expect(textsOf([{ ...definition, nodes }], "category-without-test")).toEqual([
      "no answer can get the category 'Yes': no test leads to it",
    ]);
  });
});

describe("texts", () => {
  const flow = (texts: readonly string[], translated: readonly number[]): object => {
    const { definition } = flowOf(1, "Main", [
      { actions: texts.map((text, index) => say(text, { uuid: flowUuid(50 + index) })) },
    ]);
    const fra = Object.fromEntries(translated.map((index) => [flowUuid(50 + index), { text: ["Bonjour"] }]));
    return { ...definition, localization: { fra } };
  };

  it("missing-translation: texts with words, in a language that others are translated into", () => {
    expect(
      textsOf([flow(["Hello", "Good bye", "@fields.age", "https://a.test/x", "12"], [0])], "missing-translation"),
    ).toEqual(['no translation into fra: "Good bye"']);
    expect(textsOf([flow(["Hello", "Good bye"], [])], "missing-translation")).toEqual([]);
    expect(textsOf([flow(["Hello", "Good bye"], [0, 1])], "missing-translation")).toEqual([]);
  });

  it("missing-translation: one mention of a language that is only begun", () => {
    const begun = flow(["Hello", "Good bye", "How are you?", "Thank you"], [0]);
    expect(linted([begun], "missing-translation")).toEqual([
      expect.objectContaining({
        level: "info",
        node: null,
        text: "only 1 of 4 texts are translated into fra",
      }),
    ]);
  });

  it("missing-translation: neither of mails to staff nor of a text whose recording is translated", () => {
    const { definition } = flowOf(1, "Main", [
      {
        actions: [
          { type: "say_msg", uuid: flowUuid(52), text: "Hello", audio_url: "https://a.test/en.mp3" },
          say("Good bye", { uuid: flowUuid(53) }),
          { type: "send_email", uuid: flowUuid(54), addresses: ["ann@example.org"], subject: "New", body: "A person" },
        ],
      },
    ]);
    const localization = {
      fra: { [flowUuid(52)]: { audio_url: ["https://a.test/fr.mp3"] }, [flowUuid(53)]: { text: ["Au revoir"] } },
    };
    expect(textsOf([{ ...definition, type: "voice", localization }], "missing-translation")).toEqual([]);
  });

  it("missing-translation: not of texts before the contact chooses a language", () => {
    const { definition } = flowOf(1, "Main", [
      { actions: [say("English ou français?")] },
      { actions: [{ type: "set_contact_language", language: "fra" }, say("Hello", { uuid: flowUuid(51) })] },
    ]);
    const localization = { fra: { [flowUuid(51)]: { text: ["Bonjour"] } } };
    expect(textsOf([{ ...definition, localization }], "missing-translation")).toEqual([]);
  });

  it("missing-translation: not of branches that belong to one language", () => {
    const uuids = { Hello: flowUuid(51), "Good bye": flowUuid(52) };
    const own = (text: keyof typeof uuids): Record<string, unknown> => say(text, { uuid: uuids[text] });
    const localization = { fra: { [uuids.Hello]: { text: ["Bonjour"] } } };
    const split = flowOf(1, "Split", [
      { actions: [own("Hello")] },
      {
        split: { operand: "@contact.language", cases: [["has_only_text", ["fra"], "French"]] },
        to: { Other: "english" },
      },
      { actions: [say("Comment allez-vous?")], to: { "": null } },
      { name: "english", actions: [say("How are you?")] },
    ]);
    const set = (language: string): Record<string, unknown> => ({ type: "set_contact_language", language });
    const chosen = flowOf(2, "Chosen", [
      { ask: { result: "Language", cases: [yes] }, to: { Other: "french" } },
      { actions: [set("eng"), say("How are you?")], to: { "": "both" } },
      { name: "french", actions: [set("fra"), say("Comment allez-vous?")] },
      { name: "both", actions: [own("Hello"), own("Good bye")] },
    ]);
    const flows = [split, chosen].map(({ definition }) => ({ ...definition, localization }));
    expect(textsOf(flows, "missing-translation")).toEqual(['no translation into fra: "Good bye"']);
  });

  it("long-text: counts segments of GSM-7 and UCS-2; expressions only add", () => {
    const texts = [
      "a".repeat(160),
      "a".repeat(161),
      `€${"a".repeat(159)}`,
      `ж${"a".repeat(70)}`,
      `@fields.x ${"a".repeat(160)}`,
    ];
    expect(textsOf([flow(texts, [])], "long-text")).toEqual([
      "sent as 2 SMS: 161 characters, and one SMS has 160",
      "sent as 2 SMS: 161 characters, and one SMS has 160",
      "sent as 2 SMS: 71 characters, and one SMS has 70 with 'ж'",
      "sent as at least 2 SMS: 161 characters, and one SMS has 160",
    ]);
  });
});
