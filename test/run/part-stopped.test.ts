import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LabError, runScenario } from "../../src/index.js";
import { mergeRecordings } from "../../src/fleet/index.js";
import { resumable } from "../../src/run/index.js";
import { play, receiverThat, smallDay, type TestReceiver } from "../end-to-end/support.js";
import { temporaryFolder } from "../support/folder.js";

const set = ["lasts=20m", "story=[]"];
const shard = { index: 2, count: 2 };

/** A receiver whose answer depends on the event only. @param onRequest - gets the number of the request */
async function receiver(onRequest: (count: number) => void = () => undefined): Promise<TestReceiver> {
  let count = 0;
  return receiverThat((body, response) => {
    onRequest(++count);
    const event = new URLSearchParams(body);
    const phone = event.get("phone") ?? "";
    const hasReply = event.get("event") === "mo_sms" && Number(phone.slice(-2)) % 3 === 0;
    response.end(hasReply ? JSON.stringify({ urn: [`tel:${phone}`], text: "welcome" }) : "{}");
  });
}

/** Plays part 2 of 2, and stops it when a request comes. @returns what it ended with */
async function stoppedAt(request: number, recording: string, folder?: string): Promise<LabError> {
  const controller = new AbortController();
  const { url } = await receiver((count) => {
    if (count === request) controller.abort();
  });
  const startWhenAllReady = folder === undefined ? {} : { startWhenAllReady: { folder } };
  const ended: unknown = await play(smallDay, {
    receiver: url,
    set,
    recording,
    shard,
    signal: controller.signal,
    ...startWhenAllReady,
  }).catch((error: unknown) => error);
  if (!(ended instanceof LabError)) throw new Error(`it was not stopped: ${JSON.stringify(ended)}`);
  return ended;
}

async function resume(recording: string): Promise<string> {
  const { scenario, options } = resumable(recording, {});
  return (await runScenario(scenario, { ...options, receiver: (await receiver()).url })).result.digest;
}

describe("a part that Ctrl-C or SIGTERM stops", () => {
  it("can be resumed from any moment, and has the digest of a part that was not stopped", async () => {
    const { url, got } = await receiver();
    const whole = await play(smallDay, { receiver: url, set, shard });
    expect(got.length).toBeGreaterThan(20);
    for (const request of [1, Math.round(got.length / 2), got.length]) {
      const recording = join(temporaryFolder(), "2.db");
      const { code, message, hint, isUsage } = await stoppedAt(request, recording);
      expect([code, message, isUsage]).toEqual(["part-stopped", "part 2 of 2 was stopped before its end", false]);
      expect(hint).toContain(`resume it: handset run --resume ${recording} `);
      expect(await resume(recording), `stopped at request ${request}`).toBe(whole.result.digest);
    }
  });

  it("says so to the other parts, and joins them when it is resumed", async () => {
    const folder = temporaryFolder();
    const go = join(folder, "go");
    const recordings = [1, 2].map((index) => join(folder, `part-${index}.db`));
    const [one = "", two = ""] = recordings;
    const { url } = await receiver();
    const other = play(smallDay, {
      receiver: url,
      set,
      recording: one,
      shard: { index: 1, count: 2 },
      startWhenAllReady: { folder: go },
    });
    await stoppedAt(10, two, go);
    await other;
    const status = (): unknown => JSON.parse(readFileSync(join(go, "status-2.json"), "utf8"));
    expect(status()).toMatchObject({ state: "stopped", error: "part 2 of 2 was stopped before its end" });
    await resume(two);
    expect(status()).toMatchObject({ state: "ended", exitCode: 0 });
    const whole = await play(smallDay, { receiver: url, set });
    const { result } = mergeRecordings(recordings, { output: join(folder, "all.db") });
    expect(result.digest).toBe(whole.result.digest);
  });

  it("has a result if nothing was recorded that could be resumed, as a run that is not divided", async () => {
    for (const options of [{ shard, recording: ":memory:" }, { recording: join(temporaryFolder(), "all.db") }]) {
      const controller = new AbortController();
      const { url } = await receiver((count) => {
        if (count === 5) controller.abort();
      });
      const { result, exitCode } = await play(smallDay, { receiver: url, set, signal: controller.signal, ...options });
      expect(exitCode).toBe(1);
      expect(result.problems.join()).toContain("stopped");
      if (options.recording !== ":memory:") expect(existsSync(options.recording)).toBe(true);
    }
  });
});
