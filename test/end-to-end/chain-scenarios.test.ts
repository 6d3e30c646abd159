import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse as parseYaml } from "yaml";
import { kindOfFile, parseScenario, type RunOptions } from "../../src/index.js";
import { chainScenario } from "../../src/inspect/index.js";
import { type WrittenTree, writtenYaml } from "../../src/scenario/index.js";
import { openRecording, type RecordingReader } from "../../src/store/index.js";
import { temporaryFolder } from "../support/folder.js";
import { serving } from "./served.js";
import { parse, play, receiverThat } from "./support.js";

/** Plays a scenario to its end, and makes the scenario of what `pick` finds in the recording. */
async function madeFrom(
  text: string,
  pick: (reader: RecordingReader) => number | string | undefined,
  options: RunOptions = {},
): Promise<{ readonly yaml: string; readonly notes: readonly string[] }> {
  const recording = join(temporaryFolder(), "played.db");
  const { result } = await play(text, { ...options, recording });
  const reader = openRecording(recording);
  onTestFinished(() => reader.close());
  const id = pick(reader);
  expect(id, "the recording has what is asked for").toBeDefined();
  return chainScenario(reader, { id: String(id), reachedMs: result.virtualMs, eventsOf: eventsOf(reader) });
}

function eventsOf(reader: RecordingReader): Parameters<typeof chainScenario>[1]["eventsOf"] {
  return (channel, isWanted) =>
    [...reader.eventRows()]
      .filter((event) => event.channel === channel && isWanted(event))
      .flatMap(({ number }) => reader.lookup().event(channel, number) ?? [])
      .toReversed();
}

/** The id of the first event that fits. */
function eventWhere(
  fits: (event: { readonly type: string; readonly body: string; readonly copy: unknown }) => boolean,
): (reader: RecordingReader) => string | undefined {
  return (reader) => {
    const found = [...reader.eventRows()].find(fits);
    return found && `${found.channel}/${found.number}`;
  };
}

/**
 * Checks that a scenario is sound, that it holds when it is played, and that it fails without its cause.
 *
 * @param cause - the verb of the steps that are taken out
 */
async function expectToShow(yaml: string, cause: string): Promise<void> {
  expect(kindOfFile(yaml)).toBe("scenario");
  expect(parseScenario(yaml, { file: "made.yaml", nowMs: 0 }).diagnostics).toEqual([]);
  const { result, exitCode } = await play(yaml);
  expect(result.expectations.length, yaml).toBeGreaterThan(0);
  expect([exitCode, result.expectations.filter(({ held }) => !held), result.problems], yaml).toEqual([0, [], []]);
  const tree = parseYaml(yaml, { schema: "failsafe" }) as WrittenTree & { readonly story: readonly WrittenTree[] };
  const story = tree.story.filter((step) => !(cause in step));
  expect(story.length, `${yaml}\nhas a step ${cause}`).toBeLessThan(tree.story.length);
  const without = await play(writtenYaml({ ...tree, story }));
  expect(
    without.result.expectations.some(({ held }) => !held),
    yaml,
  ).toBe(true);
}

function scenarioFile(name: string): string {
  return readFileSync(new URL(`../../scenarios/${name}.yaml`, import.meta.url), "utf8");
}

/** A phone and three people; steps follow. */
const small = `
name: Small
lasts: 2h
handsets:
  post: { count: 2, phone: "+2507880{00000}" }
people:
  folk: { count: 30, of: post, phone: "+2507811{00000}" }
`;

/** The same with a carrier that loses and doubles texts by chance. */
const chancy = `carriers: { sky: { loses: 10%, duplicates: 20% } }${small}`;

describe("the scenario of a chain shows the same fate, and not without the cause", () => {
  it.each([
    ["a duplicate by a lost answer", "lost-answers", eventWhere(({ copy }) => copy !== null), "sync"],
    [
      "a delivery that the receiver refused at first",
      "receiver-recovers",
      (reader: RecordingReader) => firstAttempt(reader, (outcome) => outcome === "retried"),
      "receiver",
    ],
    [
      "a delivery without an answer",
      "receiver-recovers",
      (reader: RecordingReader) => firstAttempt(reader, (outcome) => outcome === "connection"),
      "receiver",
    ],
    ["a message that the carrier lost", "broadcast", lostMessage, "carrier"],
    ["a message that the phone could not send", "no-credit", failedMessage, "sms-service"],
    ["an alarm of a silent phone", "silent-phone", eventWhere(({ type }) => type === "alarm"), "pause"],
    ["an alarm of a phone with a wrong clock", "wrong-clock", eventWhere(({ type }) => type === "alarm"), "clock"],
    ["an answered call", "four-calls", eventWhere(({ type }) => type === "mo_call"), "call"],
    ["a missed call", "four-calls", eventWhere(({ type }) => type === "mo_miss"), "call"],
    ["a call of the handset", "four-calls", eventWhere(({ type }) => type === "mt_call"), "call"],
    ["a call of the handset that nobody answers", "four-calls", eventWhere(({ type }) => type === "mt_miss"), "call"],
    ["an event of a flow", "unknown-events", eventWhere(({ type }) => type === "flow"), "flow"],
    ["an event of an unknown type", "unknown-events", eventWhere(({ type }) => type === "power_restored"), "event"],
    ["a text of traffic", "first-day", eventWhere(({ type }) => type === "mo_sms"), "text"],
    ["a message of traffic that was delivered", "first-day", eventWhere(({ type }) => type === "mt_dlvd"), "send"],
  ] as const)("%s", async (_, file, pick, cause) => {
    const { yaml } = await madeFrom(scenarioFile(file), pick);
    await expectToShow(yaml, cause);
  });

  it("copies by a network that loses syncs by chance", async () => {
    const { yaml } = await madeFrom(
      `${chancy}
traffic: [{ texts: { from: folk, to: post, body: hello }, rate: 60/h }]
story: [{ at: 10m, network: { of: post, loses: 60%, for: 1h } }]`,
      eventWhere(({ type, body, copy }) => type === "mo_sms" && body !== "" && isCopy(copy, "answer-lost")),
    );
    await expectToShow(yaml, "sync");
  });

  it("a text that the carrier delivered twice", async () => {
    const { yaml } = await madeFrom(
      `${chancy}\ntraffic: [{ texts: { from: folk, to: post, body: hello }, rate: 60/h }]`,
      eventWhere(({ copy }) => isCopy(copy, "carrier")),
    );
    await expectToShow(yaml, "carrier");
  });

  it("failures of a receiver of one's own, which the bundled one repeats", async () => {
    const receiver = await receiverThat((_body, response) => void response.writeHead(503).end());
    const { yaml, notes } = await madeFrom(
      `${small}\nstory: [{ at: 10m, text: { from: folk/3, to: post, body: hello } }]`,
      eventWhere(({ type }) => type === "mo_sms"),
      { receiver: receiver.url },
    );
    expect(notes.join(" ")).toContain("-r URL");
    await expectToShow(yaml, "receiver");
  });

  it("a receiver that resets each connection: no answer at all is what the scenario is about", async () => {
    const receiver = await receiverThat((_body, response) => void response.socket?.resetAndDestroy());
    const { yaml } = await madeFrom(
      `${small}\nstory: [{ at: 10m, text: { from: folk/3, to: post, body: hello } }]`,
      eventWhere(({ type }) => type === "mo_sms"),
      { receiver: receiver.url },
    );
    expect(yaml).toContain("answers: close");
    await expectToShow(yaml, "receiver");
  });

  it("a text that came in broken, with halves of surrogate pairs and control characters", async () => {
    const served = await serving({ scenario: parse(small) });
    const { lab } = served;
    const body = 'half \ud800, "quoted" \\ \udc00 \0 \u202e end';
    await lab.done("POST", "/do/text", { from: "folk/3", to: "post/0", body });
    await served.step("10m");
    const { yaml } = await lab.done("GET", "/chain/scenario?id=1/1");
    expect(yaml).not.toContain("\uFFFD");
    await expectToShow(yaml, "text");
  });

  it("a message that an answer sent to somebody else", async () => {
    const relayed = { text: "for you", phone: "+250781100020" };
    const receiver = await receiverThat((body, response) => {
      const isText = body.includes("event=mo_sms");
      response.writeHead(200, { "content-type": "application/json" }).end(isText ? JSON.stringify(relayed) : "{}");
    });
    const { yaml } = await madeFrom(
      `${small}\nstory: [{ at: 10m, text: { from: folk/3, to: post, body: tell them } }]`,
      (reader) => [...reader.messages()].find(({ direction }) => direction === "O")?.id,
      { receiver: receiver.url },
    );
    expect(yaml).toContain("from: folk/3");
    expect(yaml).toContain("to: folk/20");
    await expectToShow(yaml, "send");
  });

  it("a message that a request to the API sent", async () => {
    const served = await serving({ scenario: parse(small) });
    const { lab, api } = served;
    await served.step("10m");
    await api.done("POST", "broadcasts.json", { text: "all come", urns: ["tel:+250781100003", "tel:+250781100004"] });
    await served.step("10m");
    const { results } = await lab.done("GET", "/events?type=mt_sent");
    expect(results).toHaveLength(2);
    const { yaml, notes } = await lab.done("GET", `/chain/scenario?id=${results[0].id}`);
    expect(notes.join(" ")).toContain("requests to the API sent");
    expect(notes.join(" ")).not.toContain("No step repeats");
    await expectToShow(yaml, "send");
  });

  it("a message to a number that nobody has, and one whose contact was deleted an hour later", async () => {
    const served = await serving({ scenario: parse(small) });
    const { lab, api } = served;
    await api.done("POST", "broadcasts.json", { text: "all come", urns: ["tel:+250781100003", "tel:+250789900001"] });
    await served.step("1h");
    await api.delete("contacts.json?urn=tel:%2B250781100003");
    const { results } = await lab.done("GET", "/events?type=mt_sent");
    expect(results).toHaveLength(2);
    for (const { id } of results) await expectToShow((await lab.done("GET", `/chain/scenario?id=${id}`)).yaml, "send");
  });

  it("a call to a phone that was off, as its person knows it", async () => {
    const { yaml } = await madeFrom(
      `${small}
story:
  - { at: 10m, reboot: { of: post/0, down: 10m } }
  - { at: 15m, call: { from: folk/1, to: post/0, rings: 20s } }
  - { at: 30m, call: { from: folk/1, to: post/0, rings: 20s } }`,
      eventWhere(({ type }) => type === "mo_miss"),
    );
    expect(
      parseScenario(yaml, { file: "made.yaml", nowMs: 0 }).scenario?.story.filter(({ atMs }) => atMs <= 1_800_000),
    ).toHaveLength(3);
    await expectToShow(yaml, "reboot");
  });
});

function isCopy(copy: unknown, cause: string): boolean {
  return (copy as { readonly cause?: string } | null)?.cause === cause;
}

function firstAttempt(reader: RecordingReader, isWanted: (outcome: string) => boolean): string | undefined {
  const found = [...reader.attempts()].find(({ outcome }) => isWanted(outcome));
  return found && `${found.channel}/${found.number}`;
}

function lostMessage(reader: RecordingReader): number | undefined {
  return [...reader.messages()].find(({ id }) => reader.lookup().lossesOf(id).length > 0)?.id;
}

function failedMessage(reader: RecordingReader): number | undefined {
  return [...reader.messages()].find(({ status }) => status === "F")?.id;
}
