import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { reportFormats } from "../../src/index.js";
import { receiverThat } from "../end-to-end/support.js";
import { temporaryFolder } from "../support/folder.js";
import { type Ended, handset } from "./terminal.js";

/** A title, a cleared screen, a colour, concealed text, C1, bidi, line ends that forge a line, DEL. */
const hostile = "a\u001b]0;owned\u0007b\u001b[2Jc\u001b[31mred\u001b[8md\u009b31me\u202efg\u2066h\u007fi\rj\nforged";

/** The same in double quotes of YAML. */
const quoted = JSON.stringify(hostile)
  .replaceAll("\u007f", String.raw`\x7f`)
  .replaceAll("\u009b", String.raw`\x9b`);

// eslint-disable-next-line no-control-regex -- they are what must not be there
const acting = /[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;
/** Colours other than ours, and one of ours that comes from outside. */
const foreign = new RegExp(
  String.raw`\u001b(?!\[(?:0|1|2|4|22|24|39|3[0-7]|9[0-7]|38;5;\d{1,3}|38;2;\d{1,3};\d{1,3};\d{1,3})m)|\u001b\[31mred`,
);

// eslint-disable-next-line no-control-regex -- they are what must not be there
const illegal = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

function expectHarmless(text: string): void {
  const found = acting.exec(text) ?? foreign.exec(text);
  expect(found === null ? "" : JSON.stringify(text.slice(Math.max(0, found.index - 60), found.index + 30))).toBe("");
  expect(text).not.toMatch(/^\s*forged/m);
}

const scenario = `
name: ${quoted}
seed: 3
starts: 2026-03-04T06:00:00.000Z
lasts: 5m
handsets: { clinic: { count: 1, phone: "+250788000001" } }
people: { farmers: { count: 1, of: clinic, phone: "+250788100001" } }
story:
  - { at: 1m, text: { from: farmers, to: clinic, body: ${quoted} } }
  - { at: 2m, note: ${quoted} }
  - { at: 3m, expect: { person: farmers, hears: ${quoted} } }
  - { at: 3m, expect: { event: mo_sms, of: clinic, where: { text: ${quoted} }, count: 9 } }
expect:
  - events.mo_sms > 90
`;

/** A run in which each string from outside is hostile: its recording, and what `run` printed. */
async function hostileRun(): Promise<{ recording: string; log: string; shown: Ended; other: string }> {
  const folder = temporaryFolder();
  const file = join(folder, `${hostile.replaceAll("/", "")}.yaml`);
  writeFileSync(file, scenario);
  const reply = JSON.stringify({ urn: ["tel:+250788100001"], text: hostile });
  const headers = { "x-hostile": "\u009b31mred", "content-type": "application/json" };
  const receiver = await receiverThat((body, response) =>
    body.includes("event=mo_sms") ? response.writeHead(200, headers).end(reply) : response.writeHead(500).end(hostile),
  );
  const recording = join(folder, `${hostile.replaceAll("/", "")}.db`);
  const other = join(folder, "other.db");
  const play = (path: string): Promise<Ended> =>
    handset(["run", file, "-r", `${receiver.url}&x=${encodeURIComponent(hostile)}`, "--recording", path], {
      isTerminal: true,
      columns: 4000,
    });
  const shown = await play(recording);
  await play(other);
  const log = join(folder, "log.jsonl");
  writeFileSync(
    log,
    `${JSON.stringify({ id: hostile, text: hostile })}\n${JSON.stringify({ id: "1/1", text: hostile })}\n`,
  );
  return { recording, log, shown, other };
}

describe("a hostile string from outside, on a terminal with colours", () => {
  it("is escaped in every output of a run and of its recording", async () => {
    const { recording, log, shown, other } = await hostileRun();
    expect(shown.code, shown.stderr).toBe(1);
    expectHarmless(shown.stdout);
    expectHarmless(shown.stderr);
    const lines: readonly (readonly string[])[] = [
      ...reportFormats
        .filter(({ isPage }) => isPage !== true)
        .map(({ name }) => ["report", recording, "--format", name]),
      ["report", recording, "--json"],
      ["report", recording, "--compare", other],
      ["report", recording, "--compare", other, "--format", "json"],
      ["report", recording, "--compare", other, "--fail-if", "a\u001b[31mred"],
      ["events", recording],
      ["why", recording, "1/1"],
      ["why", recording, hostile],
      ["why", recording, "1/1", "--json"],
      ["reconcile", recording, log],
      ["reconcile", recording, log, "--json"],
      ["replay", recording, "-r", "http://127.0.0.1:9/", "--recording", "none"],
      ["run", "--resume", recording],
    ];
    for (const argv of lines) {
      const { stdout, stderr } = await handset(argv, { isTerminal: true, columns: 4000 });
      // Texts in CSV and attributes in XML have their line ends within quotes.
      const isQuoted = argv.includes("csv") || argv.includes("junit");
      expectHarmless(isQuoted ? stdout.replaceAll("\nforged", "") : stdout);
      expectHarmless(stderr);
    }
  });

  it("is legal in files: JUnit and HTML have no control characters", async () => {
    const { recording, log } = await hostileRun();
    const out = join(temporaryFolder(), "out");
    for (const argv of [
      ["report", recording, "--format", "junit", "-o", out],
      ["report", recording, "--format", "html", "-o", out],
      ["reconcile", recording, log, "--junit", out],
    ]) {
      await handset(argv);
      expect(illegal.exec(readFileSync(out, "utf8")), argv[3]).toBeNull();
    }
  });

  it.each([
    ["a name of a group", `name: x\nlasts: 1m\nhandsets: { ${quoted}: { count: 1 } }`],
    ["an expectation", `name: x\nlasts: 1m\nexpect: [ ${quoted} ]`],
    ["a phone", `name: x\nlasts: 1m\nhandsets: { clinic: { count: 1, phone: ${quoted} } }`],
    ["a key", `name: x\nlasts: 1m\n${quoted}: 1`],
  ])("is escaped in what check says of %s", async (_, text) => {
    const file = join(temporaryFolder(), "a\u001b[31mred.yaml");
    writeFileSync(file, text);
    for (const argv of [
      ["check", file],
      ["run", file, "--recording", "none"],
    ]) {
      const { code, stdout, stderr } = await handset(argv, { isTerminal: true, columns: 4000 });
      expect(code).toBe(2);
      expectHarmless(stdout);
      expectHarmless(stderr);
    }
  });

  it.each([
    [["post", "mo_sms", "-r", `http://127.0.0.1:9/${hostile}`]],
    [["run", "scenarios/first-day.yaml", "--expect", hostile]],
    [["run", "scenarios/first-day.yaml", "--set", hostile]],
    [["run", "scenarios/first-day.yaml", "-r", hostile]],
    [["report", hostile]],
    [["do", "note", "--text", hostile, "--lab", "http://127.0.0.1:9"]],
    [["serve", "--token", hostile]],
    [[hostile.replace("\n", "")]],
    [["report", `--${hostile.replace("\n", "")}`]],
  ])("is escaped in what is said of the arguments %j", async (argv) => {
    const { code, stdout, stderr } = await handset(argv, { isTerminal: true, columns: 4000 });
    expect(code).not.toBe(0);
    expect(code).not.toBe(70);
    expectHarmless(stdout);
    expectHarmless(stderr);
  });
});
