import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { PastFrame, ReadyPast } from "../../src/console/index.js";
import { openRecording } from "../../src/index.js";
import { isNightly } from "../support/effort.js";
import { temporaryFolder } from "../support/folder.js";
import { WAIT_MS } from "../support/hang-guard.js";
import { busyDay, MarkedReceiver, RunProcess, scenarioFile } from "./killed-run.js";
import { pastAnswers, pastOf } from "./past-answers.js";
import { serving } from "./served.js";
import { play, smallDay } from "./support.js";

describe("the past of a run", () => {
  it("counts in spans what the recording has, and tells the story of that moment", async () => {
    const recording = join(temporaryFolder(), "small.db");
    const receiver = await MarkedReceiver.start();
    await play(`${smallDay}\nexpect:\n  - events.mo_sms > 2\n`, { recording, receiver: receiver.url });
    const recorded = openRecording(recording);
    onTestFinished(() => recorded.close());
    const { lab } = await serving({ recording });
    type Past = { readonly state: string; readonly isComplete: boolean; readonly untilMs: number } & ReadyPast;
    const past = await vi.waitFor(
      async () => {
        const view = (await lab.done("GET", "/past")) as Past;
        expect([view.state, view.isComplete]).toEqual(["ready", true]);
        return view;
      },
      { timeout: WAIT_MS },
    );
    const { points, untilMs } = past;
    const times = [...recorded.events()].map(({ atMs }) => atMs);
    expect(points.map(({ events }) => events)).toEqual(
      points.map(({ fromMs, atMs }) => times.filter((each) => (each > fromMs || each === 0) && each <= atMs).length),
    );
    expect(points.map(({ fromMs }) => fromMs)).toEqual([0, ...points.map(({ atMs }) => atMs).slice(0, -1)]);
    expect(points.at(-1)?.atMs).toBe(untilMs);
    const attempts = [...recorded.attempts()].filter(({ outcome }) => outcome === "accepted");
    expect(points.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(attempts.length);
    expect(attempts.length).toBeGreaterThan(100);
    expect(points.map(({ p50Ms }) => p50Ms !== null)).toEqual(points.map(({ accepted }) => accepted > 0));

    expect(past.untilWhy).toBeNull();
    const stateAt = async (atMs: number): Promise<string | undefined> => {
      const { story } = (await lab.done("GET", `/past/moment?at=${atMs}`)) as PastFrame;
      return story?.expectations.at(-1)?.state;
    };
    expect(await stateAt(untilMs)).toBe("held");
    expect(await stateAt(1)).toBe("waiting");
  });

  it("is the same whether a moment is reached forwards, or by steps back and on again", async () => {
    const recording = join(temporaryFolder(), "small.db");
    await play(smallDay, { recording });
    const { lab } = await serving({ recording });
    const { untilMs } = pastOf(recording);
    const momentAt = async (share: number): Promise<unknown> =>
      lab.done("GET", `/past/moment?at=${Math.round(untilMs * share)}`);
    const shares = [0.2, 0.3, 0.42, 0.5, 0.61, 0.9];
    const forwards = new Map<number, unknown>();
    for (const share of shares) forwards.set(share, await momentAt(share));
    const hops = [0.5, 0.42, 0.9, 0.3, 0.61];
    for (const share of isNightly ? [...hops, 0.42, 0.2, 0.5, 0.42, 0.9] : hops)
      expect([share, await momentAt(share)]).toEqual([share, forwards.get(share)]);
  });

  it("leads to the recorded events, attempts and messages at every pace, forwards and from the start", async () => {
    const receiver = await MarkedReceiver.start();
    for (const pace of ["lockstep", "3600x", "max"] as const) {
      const recording = join(temporaryFolder(), `${pace}.db`);
      await play(busyDay(receiver.url, "8m"), { recording, pace });
      const past = pastOf(recording);
      const forwards = await past.open();
      for (const share of isNightly ? [0.21, 0.5, 0.51, 0.83] : [0.5, 0.83]) {
        const atMs = Math.round(past.untilMs * share);
        await forwards.advanceTo(atMs);
        expect(forwards.atMs).toBe(atMs);
        const fresh = await past.open();
        await fresh.advanceTo(atMs);
        expect(await pastAnswers(fresh)).toEqual(await pastAnswers(forwards));
      }
      await forwards.advanceTo(past.untilMs);
      const [recorded, played] = [openRecording(recording), forwards.reader()];
      onTestFinished(() => recorded.close());
      expect(forwards.atMs).toBeGreaterThanOrEqual(480_000);
      expect([...played.messages()]).toEqual([...recorded.messages()]);
      expect([...played.attempts()]).toEqual([...recorded.attempts()]);
      const samples = [...played.samples()].map((row) => ({ ...row, wallMs: 0 }));
      expect(samples).toEqual([...recorded.samples()].map((row) => ({ ...row, wallMs: 0 })));
      expect(played.counts()).toEqual(recorded.counts());
    }
  });

  it("is there up to the kill when the run was killed", async () => {
    const receiver = await MarkedReceiver.start();
    const { scenario, recording } = scenarioFile(busyDay(receiver.url, "8m"));
    const run = new RunProcess([scenario, "--pace", "240x", "--recording", recording, "-q", "--no-report"]);
    receiver.at(300, () => run.kill());
    expect((await run.ended).signal).toBe("SIGKILL");
    const recorded = openRecording(recording);
    onTestFinished(() => recorded.close());
    const past = pastOf(recording);
    expect(past.untilMs).toBeGreaterThan(60_000);
    expect(past.untilMs).toBeLessThan(480_000);
    expect(past.untilWhy).toBe("The run was killed then.");
    const forwards = await past.open();
    await forwards.advanceTo(past.untilMs);
    const events = [...recorded.events()];
    expect(events.length).toBeGreaterThan(100);
    expect([...forwards.reader().events()]).toEqual(events);
    const half = await past.open(false);
    await half.advanceTo(Math.round(past.untilMs / 2));
    expect(half.lab.world.surveys(100).length).toBe(forwards.lab.world.surveys(100).length);
  });

  it("needs no rows to be right", async () => {
    const recording = join(temporaryFolder(), "small.db");
    await play(smallDay, { recording });
    const past = pastOf(recording);
    const [kept, discarded] = [await past.open(true), await past.open(false)];
    for (const share of [0.1, 0.4, 0.9, 1]) {
      await kept.advanceTo(Math.round(past.untilMs * share));
      await discarded.advanceTo(Math.round(past.untilMs * share));
      expect(discarded.lab.ledger()).toEqual(kept.lab.ledger());
      expect(discarded.lab.world.surveys(100)).toEqual(kept.lab.world.surveys(100));
    }
  });
});
