import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LabError, type RunOptions, shardOf } from "../../src/index.js";
import { play, receiverThat } from "../end-to-end/support.js";
import { temporaryFolder } from "../support/folder.js";

const cast = `
name: Crossing
starts: 2026-03-04T06:00:00.000Z
lasts: 1h
handsets:
  clinic: { count: 4, phone: "+2507880{00000}" }
  school: { count: 4, phone: "+2507890{00000}" }
people:
  farmers: { count: 8, of: clinic, phone: "+2507811{00000}" }
`;

/** The error for a scenario that cannot be played in two parts; undefined: it can. */
async function refusal(more: string, options: RunOptions = {}, text = cast): Promise<string | undefined> {
  try {
    const recording = join(temporaryFolder(), "part.db");
    await play(text + more, { receiver: "none", recording, ...options, shard: { index: 1, count: 2 } });
    return undefined;
  } catch (error) {
    if (!(error instanceof LabError) || !error.isUsage) throw error;
    return error.message;
  }
}

describe("a scenario in which people and handsets cross parts is refused", () => {
  it.each([
    [
      "traffic to a group that homes are not in",
      "traffic:\n  - texts: { from: farmers, to: school, body: hi }\n    rate: 1/m",
      "test.yaml:11: farmers/0 is at home at clinic/0, in part 1, and school is in several parts",
    ],
    [
      "traffic to a part of the homes",
      "traffic:\n  - calls: { from: farmers, to: clinic/0 }\n    rate: 1/m",
      "test.yaml:11: farmers/4 is at home at clinic/2, in part 2, and clinic/0 is in part 1",
    ],
    [
      "what handsets send where nobody is at home",
      "traffic:\n  - sends: { via: school, to: farmers, body: hi }\n    rate: 1/m",
      "test.yaml:11: none of farmers is at home at school/0, in part 1, so it would be a person of any part",
    ],
    [
      "handsets that call where nobody is at home",
      "traffic:\n  - calls: { from: school, to: farmers }\n    rate: 1/m",
      "test.yaml:11: none of farmers is at home at school/0",
    ],
    [
      "a text in the story",
      "story:\n  - at: 1m\n    text: { from: farmers/0, to: clinic/3, body: hi }",
      "test.yaml:11: farmers/0 is at home at clinic/0, in part 1, and clinic/3 is in part 2",
    ],
    [
      "a call in the story",
      "story:\n  - at: 1m\n    call: { from: farmers/7, to: clinic/0 }",
      "farmers/7 is at home at clinic/3, in part 2, and clinic/0 is in part 1",
    ],
    [
      "a handset's call in the story",
      "story:\n  - at: 1m\n    call: { from: clinic/0, to: farmers/7 }",
      "none of farmers/7 is at home at clinic/0",
    ],
    [
      "a send in the story",
      "story:\n  - at: 1m\n    send: { via: clinic/3, to: farmers/0, body: hi }",
      "farmers/0 is at home at clinic/0",
    ],
    [
      "a flow in the story",
      "story:\n  - at: 1m\n    flow: { of: clinic/3, person: farmers/0, flow: 1, name: F, values: [] }",
      "farmers/0 is at home at clinic/0",
    ],
  ])("%s", async (_, more, why) => {
    expect(await refusal(more)).toContain(why);
  });

  it("replies through the channel last seen", async () => {
    const receiver = "http://127.0.0.1:9/";
    expect(await refusal("service: rapidpro-2016", { receiver })).toContain(
      "test.yaml:10: replies go through the channel that was seen last",
    );
    expect(await refusal("service: rapidpro-2016")).toBeUndefined();
  });

  it("steps that switch a receiver which all parts post to", async () => {
    const story = "story:\n  - at: 1m\n    receiver: { answers: slow, for: 1m }";
    expect(await refusal(story, { receiver: "http://127.0.0.1:9/" })).toContain(
      "test.yaml:11: the step switches the receiver for all parts",
    );
    expect(await refusal(story, { receiver: "bundled" })).toBeUndefined();
  });

  it("and names all lines at once", async () => {
    const steps = Array.from(
      { length: 12 },
      (_, n) => `  - at: ${n}m\n    text: { from: farmers/0, to: school, body: hi }`,
    );
    const told = await refusal(`story:\n${steps.join("\n")}`);
    expect(told).toMatch(/^this scenario cannot be played in 2 parts:\n {2}test\.yaml:11: .*\n {2}test\.yaml:13: /);
    expect(told).toMatch(/\n {2}and 2 more$/);
  });

  it.each<[string, RunOptions]>([
    ["--api", { api: { port: 0, isStrict: false } }],
    ["--data", { accounts: [{ kind: "text", file: "a.yaml", text: "", readsFiles: false }] }],
  ])("%s is refused, too", async (what, options) => {
    expect(await refusal("", options)).toContain(`${what} does not work with --shard: `);
  });

  it("`starts: now` is refused, unless --start-at gives all parts the same instant", async () => {
    const now = cast.replace("2026-03-04T06:00:00.000Z", "now");
    expect(await refusal("", {}, now)).toBe("'starts: now' does not work in a part of a fleet");
    expect(await refusal("", { startAtMs: Date.now() }, now)).toBeUndefined();
  });
});

describe("traffic with the home handset, or with its part, does not cross", () => {
  it.each([
    ["traffic to the home", "traffic:\n  - texts: { from: farmers, to: clinic, body: hi }\n    rate: 1/m"],
    [
      "a text to another handset of the part",
      "story:\n  - at: 1m\n    text: { from: farmers/0, to: clinic/1, body: hi }",
    ],
    ["steps that are done to everybody", "story:\n  - at: 1m\n    power: { of: clinic, mains: off }"],
  ])("%s", async (_, more) => {
    expect(await refusal(more)).toBeUndefined();
  });
});

describe("a reply that names a person or channel of another part", () => {
  it.each([
    ["a person", '{"urn":["tel:+250781100007"],"text":"hi"}', "writes to +250781100007, who is in another part"],
    [
      "a channel",
      '{"urn":["tel:+250781100000"],"channel":4,"text":"hi"}',
      "goes through channel 4, which is in another part",
    ],
    [
      "an unknown contact",
      '{"contact":["00000000-0000-4000-8000-000000000000"],"text":"hi"}',
      "names a contact that is not known",
    ],
  ])("%s fails the run, which says so", async (_, reply, why) => {
    const receiver = await receiverThat((body, response) =>
      response.end(body.startsWith("event=mo_sms") ? reply : "{}"),
    );
    const { result, exitCode } = await play(
      `${cast}story:\n  - at: 1m\n    text: { from: farmers/0, to: clinic/0, body: hi }`,
      { receiver: receiver.url, shard: { index: 1, count: 2 } },
    );
    expect(result.problems.join()).toContain(`one reply to event 1/1, ${why}`);
    expect(exitCode).toBe(1);
  });
});

describe("the part to play", () => {
  it("is the option's, else the pod's", () => {
    expect(shardOf("2/8", {})).toEqual({ index: 2, count: 8 });
    expect(shardOf("2/8", { HANDSET_SHARDS: "4", JOB_COMPLETION_INDEX: "0" })).toEqual({ index: 2, count: 8 });
    expect(shardOf("auto/8", { JOB_COMPLETION_INDEX: "0" })).toMatchObject({ index: 1, count: 8 });
    expect(shardOf(undefined, { HANDSET_SHARDS: "8", JOB_COMPLETION_INDEX: "7" })).toMatchObject({
      index: 8,
      count: 8,
    });
    expect(shardOf(undefined, { JOB_COMPLETION_INDEX: "7" })).toBeUndefined();
    expect(shardOf(undefined, { HANDSET_SHARDS: "" })).toBeUndefined();
  });

  it.each([
    ["0/8", {}, "the shard must be 1..8, got 0"],
    ["9/8", {}, "the shard must be 1..8, got 9"],
    ["1/0", {}, "a fleet is played in 1..10000 parts, got 0"],
    ["2", {}, "a shard must be such as 2/8, auto or auto/8, got '2'"],
    ["auto/8", { JOB_COMPLETION_INDEX: "8" }, "JOB_COMPLETION_INDEX is 8, which is outside 0..7"],
    [undefined, { HANDSET_SHARDS: "many" }, "HANDSET_SHARDS must be a number of parts, got 'many'"],
  ])("%s is refused where it is none", (option, environment, message) => {
    expect(() => shardOf(option, environment)).toThrow(message);
  });
});
