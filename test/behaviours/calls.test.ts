import { describe, expect, it } from "vitest";
import { type Behaviour, handset, persons, play } from "./play.js";

const story = (steps: string, profile: string | number = "plain", more: object = {}): Promise<Behaviour> =>
  play(`lasts: 1h\nhandsets: { clinic: ${handset(profile, {}, more)} }\nstory:\n${steps}`);
const callReports = ({ syncs }: Behaviour): unknown[] =>
  syncs.flatMap(({ report }) => report.reports.filter(({ type }) => type === "call"));

describe("a call", () => {
  const fourCalls = `
  - { at: 10m, call: { from: ada, to: clinic, talks: 45s } }
  - { at: 12m, call: { from: clinic, to: ada, talks: 30s } }
  - { at: 14m, call: { from: ada, to: clinic, rings: 20s } }
  - { at: 16m, call: { from: clinic, to: ada, rings: 20s } }
`;

  it("is reported at its end, with its start and the seconds talked", async () => {
    const played = await story(fourCalls, 2017);
    expect(played.told()).toEqual([
      "0:10:45 mo_call 45 s",
      "0:12:30 mt_call 30 s",
      "0:14:20 mo_miss 0 s",
      "0:16:20 mt_call 0 s",
    ]);
    expect(played.events.map(({ fields }) => fields["time"]?.slice(11, 19))).toEqual([
      "06:10:00",
      "06:12:00",
      "06:14:00",
      "06:16:00",
    ]);
  });

  it("is never mt_miss on a phone of the field", async () => {
    const [field2017, field2024, documented] = [
      await story(fourCalls, 2017),
      await story(fourCalls, 2024),
      await story(fourCalls),
    ];
    expect([field2017, field2024].flatMap((played) => played.told("mt_miss"))).toEqual([]);
    expect(documented.told("mt_miss")).toEqual(["0:16:20 mt_miss 0 s"]);
  });

  it("syncs at once, although its sync is not forced", async () => {
    const played = await story("  - { at: 10m, call: { from: ada, to: clinic, rings: 20s } }");
    expect(played.syncTimes()).toContain("0:10:20");
    const without = await story("  - { at: 10m, note: nothing }");
    expect(without.syncTimes()).not.toContain("0:10:20");
  });

  it("that was rejected, blocked or answered elsewhere is unk and dropped", async () => {
    for (const ends of ["rejected", "voicemail", "blocked", "answered-elsewhere"]) {
      const played = await story(`  - { at: 10m, call: { from: ada, to: clinic, ends: ${ends} } }`);
      expect(callReports(played)).toMatchObject([{ call: "unk", phone: persons.ada }]);
      expect([played.told(), played.ledger.calls.lost]).toEqual([[], { "unknown-call-type": 1 }]);
    }
  });

  it("from a withheld number is reported without one and dropped", async () => {
    const played = await play(`
people: { hidden: { phone: withheld, of: clinic } }
lasts: 1h
story:
  - { at: 10m, call: { from: hidden, to: clinic, rings: 20s } }
`);
    expect(callReports(played)).toMatchObject([{ call: "mo_miss", phone: "" }]);
    expect([played.told(), played.ledger.calls.lost]).toEqual([[], { withheld: 1 }]);
  });

  it("finds the line busy while somebody talks, and no phone logs it", async () => {
    const played = await story(`
  - { at: 10m, call: { from: ada, to: clinic, talks: 60s } }
  - { at: 10m30s, call: { from: ben, to: clinic, rings: 10s } }
  - { at: 12m, call: { from: ben, to: clinic, rings: 10s } }
`);
    expect(played.told()).toEqual(["0:11:00 mo_call 60 s", "0:12:10 mo_miss 0 s"]);
    expect(played.ledger.calls.lost).toEqual({ busy: 1 });
  });
});

describe("the call log", () => {
  const pausedCalls = `
  - { at: 10m, pause: { of: clinic, for: 10m } }
  - { at: 11m, call: { from: ada, to: clinic, rings: 20s } }
  - { at: 12m, call: { from: ben, to: clinic, talks: 20s } }
`;

  it("is not read during a pause, but with the next call", async () => {
    const played = await story(`${pausedCalls}  - { at: 25m, call: { from: ada, to: clinic, rings: 30s } }`);
    expect(played.told()).toEqual(["0:25:30 mo_miss 0 s", "0:25:30 mo_call 20 s", "0:25:30 mo_miss 0 s"]);
    expect(played.events.map(({ fields }) => fields["time"]?.slice(11, 16))).toEqual(["06:25", "06:12", "06:11"]);
  });

  it("gives its newest call only: older ones are skipped for good", async () => {
    const played = await story(`${pausedCalls}  - { at: 25m, call: { from: ada, to: clinic, rings: 30s } }`, 2017);
    expect(played.told()).toEqual(["0:25:30 mo_miss 0 s"]);
    expect(played.ledger.calls).toMatchObject({ in: 3, delivered: 1, lost: { skipped: 2 } });
  });

  it("that its owner has looked at or cleared gives no older calls", async () => {
    for (const state of ["read", "cleared"]) {
      const played = await story(`${pausedCalls}
  - { at: 15m, call-log: { of: clinic, state: ${state} } }
  - { at: 25m, call: { from: ada, to: clinic, rings: 30s } }
`);
      expect(played.told()).toEqual(["0:25:30 mo_miss 0 s"]);
      expect(played.ledger.calls.lost).toEqual({ [`call-log-${state}`]: 2 });
    }
  });

  it("gives its newest call again after each restart", async () => {
    const restarts = (between: string): Promise<Behaviour> =>
      story(
        `
  - { at: 11m, call: { from: ada, to: clinic, rings: 20s } }
  - { at: 20m, reboot: { of: clinic, down: 1m } }
${between}  - { at: 30m, reboot: { of: clinic, down: 1m } }
`,
        2017,
      );
    const played = await restarts("");
    expect(played.told()).toEqual(["0:11:20 mo_miss 0 s", "0:21:00 mo_miss 0 s", "0:31:00 mo_miss 0 s"]);
    expect(played.ledger.calls).toMatchObject({ in: 1, copies: { "told-again": 2 }, delivered: 3 });
    // A row that the owner has looked at is no longer new.
    const lookedAt = await restarts("  - { at: 25m, call-log: { of: clinic, state: read } }\n");
    expect(lookedAt.told()).toEqual(["0:11:20 mo_miss 0 s", "0:21:00 mo_miss 0 s"]);
  });

  it("has an observer more for each opening of the app (D12)", async () => {
    const played = await story(
      `
  - { at: 10m, every: 10s, times: 2, open: { of: clinic } }
  - { at: 11m, call: { from: ada, to: clinic, rings: 20s } }
`,
      2024,
      { faults: ["call-log-observers"] },
    );
    expect(played.told()).toEqual(["0:11:20 mo_miss 0 s", "0:11:20 mo_miss 0 s", "0:11:21 mo_miss 0 s"]);
    expect(played.ledger.calls).toMatchObject({ in: 1, copies: { observers: 2 }, delivered: 3 });
  });
});
