import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRecording, replayRecording, resultOf } from "../../src/index.js";
import { handset } from "../cli/terminal.js";
import { sharedFolder, temporaryFolder } from "../support/folder.js";
import { play, receiverThat, smallDay } from "./support.js";

/** A recorded day with the request bodies that its receiver got. */
interface Recorded {
  readonly path: string;
  readonly digest: string;
  readonly bodies: readonly string[];
}

async function record(path: string, text: string): Promise<Recorded> {
  const receiver = await receiverThat((_, response) => void response.end());
  const { result } = await play(text, { receiver: receiver.url, recording: path });
  return { path, digest: result.digest, bodies: receiver.got.map(({ body }) => body).toSorted() };
}

const folder = sharedFolder();

let first: Promise<Recorded> | undefined;

/** The recording that all tests replay; a replay does not change it. */
function recorded(): Promise<Recorded> {
  return (first ??= record(join(folder, "day.db"), smallDay));
}

describe("a replay", () => {
  it("posts every body again, byte for byte, and its recording has the same events", async () => {
    const { path, digest, bodies } = await recorded();
    const receiver = await receiverThat((_, response) => void response.end());
    const recording = join(temporaryFolder(), "again.db");
    const { result, exitCode } = await replayRecording(path, { receiver: receiver.url, recording });
    expect(exitCode).toBe(0);
    expect(receiver.got.map(({ body }) => body).toSorted()).toEqual(bodies);
    expect(result).toMatchObject({ digest, lost: 0 });
    expect(result.ledger.events).toMatchObject({ in: bodies.length, delivered: bodies.length, gap: 0 });
    const reader = openRecording(recording);
    expect(reader.counts()).toMatchObject({ events: bodies.length, attempts: bodies.length, channels: 4 });
    expect([...reader.events()].every(({ attempts }) => attempts[0]?.status === 200)).toBe(true);
    expect(resultOf(reader).digest).toBe(digest);
    reader.close();
  });

  it("with a speed is paced: events in order of time, latency from the due time", async () => {
    const { path } = await recorded();
    const receiver = await receiverThat((_, response) => setTimeout(() => response.end(), 20));
    const startedAt = performance.now();
    const { result } = await replayRecording(path, { receiver: receiver.url, recording: ":memory:", pace: 7200 });
    const wallMs = performance.now() - startedAt;
    // Two hours at 7,200x take a second; a replay's virtual time starts at the first event.
    expect(wallMs).toBeGreaterThan(700);
    expect(result.latencyMs.p50).toBeGreaterThanOrEqual(19);
    expect(result.latenessMs?.p50).toBeDefined();
    expect(result.lost).toBe(0);
  });

  it("retries by the recorded preset, and judges the scenario's bounds on metrics", async () => {
    const { path, bodies } = await record(
      join(temporaryFolder(), "day.db"),
      `${smallDay}expect:\n  - attempts.retried == 0\n  - ledger.gap == 0\n`,
    );
    const seen = new Set<string>();
    const receiver = await receiverThat((body, response) => {
      response.statusCode = seen.has(body) ? 200 : 500;
      seen.add(body);
      response.end();
    });
    const { result, exitCode } = await replayRecording(path, { receiver: receiver.url, recording: ":memory:" });
    expect(exitCode).toBe(1);
    expect(result.expectations.map(({ held }) => held)).toEqual([false, true]);
    expect(result.attempts.retried).toBe(bodies.length);
    // Retries after the recorded day stay queued.
    expect(result.attempts.accepted + result.ledger.events.queued).toBe(bodies.length);
    expect(result.lost).toBe(0);
  });

  it("counts replies as ignored", async () => {
    const { path, bodies } = await recorded();
    const reply = JSON.stringify({ urn: ["tel:+250788111111"], text: "Thanks" });
    const receiver = await receiverThat((_, response) => void response.end(reply));
    const { result } = await replayRecording(path, { receiver: receiver.url, recording: ":memory:" });
    expect(result.replies).toEqual({ valid: 0, ignored: bodies.length, reasons: { replayed: bodies.length } });
  });

  it("can be stopped, and says so", async () => {
    const { path } = await recorded();
    const controller = new AbortController();
    const receiver = await receiverThat((_, response) => {
      if (receiver.got.length === 20) controller.abort();
      response.end();
    });
    const { signal } = controller;
    const { result, exitCode } = await replayRecording(path, { receiver: receiver.url, recording: ":memory:", signal });
    expect(exitCode).toBe(1);
    expect(result.warnings).toContain("not all recorded events were replayed");
    expect(result.lost).toBe(0);
  });

  it("ends with 3 against a dead receiver, with 2 for another file or another host", async () => {
    const { path } = await recorded();
    const argv = ["--recording", ":memory:", "-q"];
    expect((await handset(["replay", path, "-r", "http://127.0.0.1:9/", ...argv])).code).toBe(3);
    expect((await handset(["replay", "package.json", "-r", "http://127.0.0.1:9/", ...argv])).code).toBe(2);
    expect((await handset(["replay", path, "-r", "http://203.0.113.7/", ...argv])).stderr).toContain("--allow-host");
    expect((await handset(["replay", path, "-r", "http://127.0.0.1:9/", "--pace", "slow"])).code).toBe(2);
  });

  it("prints the result as a run does", async () => {
    const { path, digest } = await recorded();
    const receiver = await receiverThat((_, response) => void response.end());
    const argv = ["replay", path, "-r", receiver.url, "--recording", ":memory:", "--json"];
    const { code, stdout } = await handset(argv);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ digest, lost: 0 });
  });
});
