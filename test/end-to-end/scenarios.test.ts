import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { kindOfFile, parseScenario, type RunOutcome, runScenario } from "../../src/index.js";
import { receiverThat } from "./support.js";

const folder = new URL("../../scenarios/", import.meta.url);
const files = scenariosIn("");
const conversations = scenariosIn("flows/");
const fieldStories = scenariosIn("field/");

/** The scenarios of a folder; account files beside them are none. */
function scenariosIn(inner: string): string[] {
  return readdirSync(new URL(inner, folder))
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => `${inner}${name}`)
    .filter((file) => kindOfFile(textOf(file)) === "scenario");
}

function textOf(file: string): string {
  return readFileSync(new URL(file, folder), "utf8");
}

/** The words of a comment. */
function oneLine(comment: string): string {
  return comment.replaceAll(/\n# ?/g, " ").trim();
}

/** Plays a file. @param receiver - default: the bundled one */
async function played(file: string, receiver?: string): Promise<RunOutcome | undefined> {
  const { scenario, diagnostics } = parseScenario(textOf(file), {
    file: fileURLToPath(new URL(file, folder)),
    nowMs: 0,
    readData: (data) => readFileSync(new URL(data, new URL(file, folder)), "utf8"),
  });
  expect(diagnostics).toEqual([]);
  return scenario && runScenario(scenario, { recording: ":memory:", ...(receiver !== undefined && { receiver }) });
}

/** @returns the warnings of the run */
async function expectToHold(file: string, receiver?: string): Promise<readonly string[]> {
  const outcome = await played(file, receiver);
  if (outcome === undefined) return [];
  const { result, exitCode } = outcome;
  expect(result.expectations.filter(({ held }) => !held)).toEqual([]);
  expect(result.problems).toEqual([]);
  expect(exitCode).toBe(0);
  return result.warnings ?? [];
}

describe("scenarios/", () => {
  it("has at least twelve stories", () => expect(files.length).toBeGreaterThanOrEqual(12));

  it.each(files)("%s opens with its story and holds", async (file) => {
    const [schema, , ...story] = textOf(file).split("\n");
    expect(schema).toBe("# yaml-language-server: $schema=../dist/scenario/scenario.schema.json");
    expect(story.findIndex((line) => !line.startsWith("#"))).toBeGreaterThanOrEqual(3);
    await expectToHold(file);
  });
});

describe("scenarios/field/", () => {
  it.each(fieldStories)("%s names its source, and the failure happens as told", async (file) => {
    const [schema = "", ...lines] = textOf(file).split("\n");
    expect(schema).toBe("# yaml-language-server: $schema=../../dist/scenario/scenario.schema.json");
    const end = lines.findIndex((line) => !line.startsWith("#"));
    const [, title, ...told] = lines.slice(0, end).join("\n").split(/^#$/m).map(oneLine);
    expect(title).toMatch(/^\S/);
    const isReported = /^Reported: [\w.-]+\/[\w.-]+#\d+(, [\w.-]+\/[\w.-]+#\d+)*\.$/.test(told[0] ?? "");
    expect(isReported || /^field:$/m.test(textOf(file))).toBe(true);
    expect(told.at(-1)).toMatch(/[Rr]eceiver|server of a flow/);
    expect(await expectToHold(file)).toEqual([]);
  });

  it.each(fieldStories)("%s holds for a receiver that answers people once", async (file) => {
    await expectToHold(file, await receiverThatAnswers({ once: true }));
  });

  it.each([
    "auto-reply-loop",
    "call-logged-several-times",
    "intermittent-connection",
    "one-text-two-webhooks",
    "posted-hundreds-of-times",
    "slow-sync-repeats",
  ])("%s fails for a receiver that answers each event", async (name) => {
    const outcome = await played(`field/${name}.yaml`, await receiverThatAnswers({ once: false }));
    expect(outcome?.exitCode).toBe(1);
  });
});

/**
 * The address of a receiver that answers texts and missed calls of people.
 *
 * @param once - it knows a copy by its sender, words and phone time, and a machine by its name; else it answers each event
 */
async function receiverThatAnswers({ once }: { readonly once: boolean }): Promise<string> {
  const seen = new Set<string>();
  const { url } = await receiverThat((body, response) => {
    const event = new URLSearchParams(body);
    const phone = event.get("phone") ?? "";
    const key = ["event", "phone", "text", "time"].map((field) => event.get(field)).join(" ");
    const isAnswered = once && (seen.has(key) || !phone.startsWith("+"));
    seen.add(key);
    const isAsking = ["mo_sms", "mo_miss"].includes(event.get("event") ?? "") && !isAnswered;
    response.writeHead(200, { "content-type": "application/json" });
    const text = Array.from(`we have got ${event.get("text") ?? "your call"}`)
      .slice(0, 480)
      .join("");
    response.end(isAsking ? JSON.stringify({ urn: [`tel:${phone}`], text }) : "{}");
  });
  return url;
}

describe("scenarios/flows/", () => {
  it("has a story for each export", () => {
    const exports = readdirSync(new URL("flows/", folder)).filter((name) => name.endsWith(".json"));
    expect(conversations).toEqual(exports.map((name) => `flows/${name.replace(/json$/, "yaml")}`));
  });

  it.each(conversations)("%s opens with its story and holds, and its flows have no problem", async (file) => {
    expect(textOf(file)).toMatch(/^# [A-Z].*\n# .*\n/);
    expect(await expectToHold(file)).toEqual([]);
  });

  it("order-status.yaml: its result counts the calls", async () => {
    const file = fileURLToPath(new URL("flows/order-status.yaml", folder));
    const { scenario } = parseScenario(textOf("flows/order-status.yaml"), { file, nowMs: 0 });
    if (scenario === undefined) throw new Error("the scenario is not sound");
    const { result } = await runScenario(scenario, { recording: ":memory:" });
    expect(result.flowCalls).toEqual({ answered: 4, failed: 2 });
  });
});
