import { describe, expect, it } from "vitest";
import { handset } from "../cli/terminal.js";
import { temporaryFolder } from "../support/folder.js";
import { join } from "node:path";
import { writeFileSync } from "node:fs";
import { play, receiverThat } from "./support.js";
import { Client } from "./served.js";

/** How a receiver takes an event that it has had before. */
type Kind = "idempotent" | "acts-twice" | "other-words";

/** A receiver that answers each text with a message to the person; equal texts of a phone's clock are one. */
async function receiver(kind: Kind) {
  const seen = new Set<string>();
  return receiverThat((body, response) => {
    const fields = new URLSearchParams(body);
    if (fields.get("event") !== "mo_sms") {
      response.end("{}");
      return;
    }
    const name = ["phone", "text", "time"].map((field) => fields.get(field)).join();
    const isAgain = seen.has(name);
    seen.add(name);
    const text = isAgain && kind === "other-words" ? "Got it again" : "Welcome";
    const reply = JSON.stringify({ urn: [`tel:${fields.get("phone")}`], text });
    response.end(isAgain && kind === "idempotent" ? "{}" : reply);
  });
}

/** Ada and Ben text; `trouble` is a step before. */
const day = (trouble: string): string => `
name: Exactly once
starts: 2026-03-04T06:00:00.000Z
lasts: 1h
drain: 30m
handsets: { clinic: { phone: "+250788000001" } }
people: { ada: { of: clinic, phone: "+250788111111" }, ben: { of: clinic, phone: "+250788222222" } }
story:
  - ${trouble}
  - { at: 1m, text: { from: ada, to: clinic, body: one } }
  - { at: 2m, text: { from: ben, to: clinic, body: two } }
  - { at: 40m, text: { from: ada, to: clinic, body: one } }
  - { at: 59m, expect: { person: ben, hears: /./, at-most: 1 } }
expect: [never-twice]
`;

const troubles = {
  copies: "{ at: 90s, delivery: { types: [mo_sms], copies: 2, times: 1 } }",
  copy: "{ at: 90s, sync: { of: clinic, loses: response, times: 1 } }",
  "lost answer": "{ at: 90s, delivery: { types: [mo_sms], answers-lost: true, times: 1 } }",
  nothing: "{ at: 90s, note: all is well }",
};

describe("never-twice", () => {
  it.each([
    ["copies", "acts-twice", "event 1/4 (mo_sms)", "and the same at 00:02"],
    ["copies", "other-words", "event 1/4 (mo_sms)", "and “Got it again” at 00:02"],
    ["copy", "acts-twice", "event 1/4 (mo_sms)", "and the same to its copy 1/5"],
  ] as const)("names event, person and both answers: %s, %s", async (trouble, kind, event, second) => {
    const { url } = await receiver(kind);
    const { result, exitCode } = await play(day(troubles[trouble]), { receiver: url });
    expect(exitCode).toBe(1);
    const found = result.expectations.find(({ text }) => text === "never-twice");
    expect(found?.held).toBe(false);
    for (const part of [event, "ben/0 (+250788222222) got “Welcome” at 00:02", second, "(both were heard)"]) {
      expect.soft(found?.seen).toContain(part);
    }
    expect(found?.twice).toMatchObject([{ person: "+250788222222", messages: [{ text: "Welcome" }, {}] }]);
    // The person's own expectation says the same.
    expect(result.expectations[0]).toMatchObject({ held: false, seen: expect.stringContaining("twice") as string });
  });

  it.each([
    ["copies", "idempotent"],
    ["copy", "idempotent"],
    // The person hears the answer once: no person hears it twice, although the receiver answers the retry as the first.
    ["lost answer", "acts-twice"],
    ["nothing", "acts-twice"],
  ] as const)("accuses nobody: %s, %s", async (trouble, kind) => {
    const { url } = await receiver(kind);
    const { result, exitCode } = await play(day(troubles[trouble]), { receiver: url });
    expect(result.expectations.map(({ held }) => held)).toEqual([true, true]);
    expect(result.expectations[1]?.seen).toBe("nobody got two messages about one event");
    expect(result.doubles).toBe(0);
    expect(exitCode).toBe(0);
  });

  it("is an option, and the command that it names lists the event", async () => {
    const { url } = await receiver("acts-twice");
    const folder = temporaryFolder();
    const [file, recording] = [join(folder, "day.yaml"), join(folder, "day.db")];
    writeFileSync(file, day(troubles.copies).replace("expect: [never-twice]\n", ""));
    const options = ["--recording", recording, "--no-report", "-r", url, "--expect", "never-twice"];
    const { code, stdout } = await handset(["run", file, ...options]);
    expect(code).toBe(1);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(
      `handset events ${recording} --doubles lists the events, handset why ${recording} 1/4 tells how`,
    );
    const listed = await handset(["events", recording, "--doubles"]);
    expect(
      listed.stdout
        .trim()
        .split("\n")
        .map((line) => (JSON.parse(line) as { at: number }).at),
    ).toEqual([expect.any(Number)]);
    expect(listed.stdout).toContain("%2B250788222222");
  });

  it.each([
    ["acts-twice", false],
    ["idempotent", true],
  ] as const)("sees messages by the API after a retry: %s", async (kind, holds) => {
    let api: Client | undefined;
    const seen = new Set<string>();
    const { url } = await receiverThat((body, response) => {
      const fields = new URLSearchParams(body);
      const isAgain = seen.has(body);
      seen.add(body);
      const isDone = fields.get("event") !== "mo_sms" || (isAgain && kind === "idempotent");
      const urns = [`tel:${fields.get("phone")}`];
      response.end("{}");
      if (!isDone) void api?.done("POST", "broadcasts.json", { text: "Welcome", urns });
    });
    const { result } = await play(day(troubles["lost answer"]), {
      receiver: url,
      api: { port: 0 },
      settleMs: 20,
      onStart: ({ api: offered }) => {
        if (offered !== undefined) api = new Client(`${offered.url}/api/v2/`, offered.token);
      },
    });
    const found = result.expectations.find(({ text }) => text === "never-twice");
    expect(found?.held).toBe(holds);
    if (holds) return;
    expect(found?.seen).toContain("event 1/4 (mo_sms): ben/0 (+250788222222) got “Welcome” by the API at 00:02");
    expect(found?.seen).toContain("and the same by the API at 00:07");
  });

  it("judges a replay by what the answers ask for, and lists the event; checks are asked at its end", async () => {
    const folder = temporaryFolder();
    const [recording, replayed] = [join(folder, "day.db"), join(folder, "again.db")];
    await play(day(troubles.copy), { receiver: "bundled", recording });
    const replay = async (kind: Kind) => {
      const { url } = await receiver(kind);
      const options = [
        "--recording",
        replayed,
        "--overwrite",
        "-r",
        url,
        "--pace",
        "lockstep",
        "--expect",
        "never-twice",
      ];
      return handset(["replay", recording, ...options, "--check", "http: GET /health, status: 500"]);
    };
    const right = await replay("idempotent");
    expect(right.stdout).toContain("✔ never-twice");
    const wrong = await replay("other-words");
    expect(wrong.code).toBe(1);
    const text = wrong.stdout.replaceAll(/\s+/g, " ");
    expect(text).toContain("event 1/2 (mo_sms): the answers are to send ben/0 (+250788222222) “Welcome” at 00:02");
    expect(text).toContain("and “Got it again” to its copy 1/3 at 00:0");
    expect(text).toContain("✘ check { http: GET /health, status: 500 }: broken, seen status 200; body: {}, at the end");
    const listed = await handset(["events", replayed, "--doubles"]);
    expect(listed.stdout.trim().split("\n")).toHaveLength(1);
    expect(
      (await handset(["replay", recording, "-r", "http://127.0.0.1:1/", "--check", "http: FETCH /"])).stderr,
    ).toContain("column 7: 'http' has no method 'FETCH'");
  });
});
