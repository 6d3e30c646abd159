import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chooseTrigger, type TriggerRule, type TriggerOccasion } from "../../src/flow/index.js";

interface Trigger extends TriggerRule<string> {
  readonly name: string;
}

function trigger(name: string, condition: Partial<Trigger>): Trigger {
  return {
    name,
    type: "K",
    keyword: "join",
    matchType: "F",
    channel: null,
    groups: [],
    excludeGroups: [],
    ...condition,
  };
}

/** Name of the trigger that starts. */
function chosen(triggers: readonly Trigger[], occasion: Partial<TriggerOccasion<string>>): string | undefined {
  return chooseTrigger(triggers, { type: "K", text: "join", channel: "clinic", groups: new Set(), ...occasion })?.name;
}

describe("keywords", () => {
  const first = [trigger("first", {})];
  const only = [trigger("only", { matchType: "O" })];

  it.each(["join", "JOIN", " Join ", "join now", "join!", "...join?", "join, please"])(
    "%s begins with join",
    (text) => {
      expect(chosen(first, { text })).toBe("first");
    },
  );

  it.each(["", "joined", "please join", "jo in", "join_us", "join's"])("%s does not begin with join", (text) => {
    expect(chosen(first, { text })).toBeUndefined();
  });

  it("may have to be the only word", () => {
    expect(chosen(only, { text: "*JOIN*" })).toBe("only");
    expect(chosen(only, { text: "join now" })).toBeUndefined();
    expect(chosen(only, { text: "join +" })).toBeUndefined();
  });

  it("may be an emoji, with or without a variation selector, and of any script", () => {
    expect(chosen([trigger("heart", { keyword: "\u2764\ufe0f" })], { text: "\u2764\ufe0f!" })).toBe("heart");
    expect(chosen([trigger("thumb", { keyword: "\u{1f44d}" })], { text: "\u{1f44d}\u{1f44d}" })).toBe("thumb");
    expect(chosen([trigger("greek", { keyword: "ΣΟΦΟΣ" })], { text: "Σοφοσ είμαι" })).toBe("greek");
  });

  it("are not asked of other types", () => {
    expect(chosen([trigger("missed", { type: "M", keyword: null })], { type: "M", text: undefined })).toBe("missed");
    expect(chosen([trigger("none", { keyword: null })], { text: "" })).toBeUndefined();
  });
});

describe("conditions", () => {
  it("drop triggers of another type, channel or group, and of excluded groups", () => {
    const fits = (condition: Partial<Trigger>): boolean =>
      chosen([trigger("it", condition)], { groups: new Set(["farmers", "mothers"]) }) === "it";
    expect(fits({})).toBe(true);
    expect(fits({ type: "C" })).toBe(false);
    expect(fits({ channel: "clinic" })).toBe(true);
    expect(fits({ channel: "office" })).toBe(false);
    expect(fits({ groups: ["teachers", "mothers"] })).toBe(true);
    expect(fits({ groups: ["teachers"] })).toBe(false);
    expect(fits({ excludeGroups: ["teachers"] })).toBe(true);
    expect(fits({ excludeGroups: ["teachers", "farmers"] })).toBe(false);
    expect(fits({ groups: ["farmers"], excludeGroups: ["mothers"] })).toBe(false);
  });

  it("of a channel do not fit an occasion without one", () => {
    expect(chosen([trigger("it", { channel: "clinic" })], { channel: null })).toBeUndefined();
    expect(chosen([trigger("it", {})], { channel: null })).toBe("it");
  });
});

describe("the choice", () => {
  const any = trigger("any", {});
  const excluding = trigger("excluding", { excludeGroups: ["teachers"] });
  const group = trigger("group", { groups: ["farmers"] });
  const both = trigger("both", { groups: ["farmers"], excludeGroups: ["teachers"] });
  const channel = trigger("channel", { channel: "clinic" });
  const channelAndGroup = trigger("channel and group", { channel: "clinic", groups: ["farmers"] });
  const ranked = [channelAndGroup, channel, both, group, excluding, any];

  it("falls on the most specific one, in whatever order they were made", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(ranked, { minLength: 1 }), (triggers) => {
        const best = ranked.find((each) => triggers.includes(each));
        expect(chosen(triggers, { groups: new Set(["farmers"]) })).toBe(best?.name);
      }),
    );
  });

  it("falls on the older of two equals", () => {
    const other = trigger("other", { groups: ["mothers"] });
    const groups = new Set(["farmers", "mothers"]);
    expect(chosen([any, group, other], { groups })).toBe("group");
    expect(chosen([other, group], { groups })).toBe("other");
  });
});
