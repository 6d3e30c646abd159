import { describe, expect, it } from "vitest";
import { Answers } from "../support/answers.js";
import { type Behaviour, clock, handset, play } from "./play.js";

const services = ["rapidpro-2016", "documented"] as const;
const still = { "poll-every": "1000h" };
const asleep = "service: { preset: documented, wakes-silent: false }";
/** Number of messages that each answer offered. */
const offered = ({ syncs }: Behaviour): number[] =>
  syncs.map(({ answer }) => (answer.accepted ? answer.commands.filter(({ type }) => type === "send").length : 0));

describe("offers", () => {
  it("are the queued messages that the phone does not list, oldest first", async () => {
    const played = await play(`
${asleep}
lasts: 1h
handsets: { clinic: ${handset("plain", { "sent-after": "60s" })} }
story:
  - { at: 10m, every: 5s, times: 4, send: { via: clinic, to: ada, body: "m{n}" } }
`);
    // The phone lists what it has, so each message is offered once.
    expect(offered(played).slice(1, 6)).toEqual([1, 1, 1, 1, 0]);
    expect(played.heard()).toEqual(["0:11:03 m1", "0:12:03 m2", "0:13:03 m3", "0:14:03 m4"]);
  });

  it("leave out what the same sync reports as sent", async () => {
    const played = await play(`
${asleep}
lasts: 20m
story:
  - { at: 10m, send: { via: clinic, to: ada, body: hello } }
`);
    const [, withReport] = played.syncs.filter(({ atMs }) => atMs > 600_000);
    expect(withReport?.report).toMatchObject({ reports: [{ type: "mt_sent" }], status: { pending: [], retry: [] } });
    expect(offered(played).filter((count) => count > 0)).toEqual([1]);
  });

  it("are at most 1000 in an answer; the rest comes with the next", async () => {
    const played = await play(`
lasts: 16m
handsets: { clinic: ${handset("plain", still)} }
story:
  - { at: 5m, network: { of: clinic, type: none, for: 10m } }
  - { at: 10m, every: 1ms, times: 1010, send: { via: clinic, to: ada, body: "m{n}" } }
`);
    expect(offered(played).slice(0, 3)).toEqual([1000, 10, 0]);
  });
});

describe("a report", () => {
  const restored = (service: string): string => `
service: ${service}
lasts: 1h
handsets: { clinic: ${handset(2017)} }
story:
  - { at: 10m, send: { via: clinic, to: ada, body: hello } }
  - { at: 10m2s, pause: { of: clinic, for: 3s } }
`;

  it("posts its event each time that it is applied, in any order", async () => {
    const played = await play(`
${asleep}
lasts: 30m
story:
  - { at: 10m, send: { via: clinic, to: ada, body: hello } }
  - { at: 10m2s, sync: { of: clinic, loses: response } }
`);
    expect(played.told()).toEqual(["0:10:03 mt_sent hello", "0:12:03 mt_sent hello", "0:12:03 mt_dlvd hello"]);
  });

  it("of sending that comes late puts D back to S at the service of 2016", async () => {
    const letters = new Map<string, string>();
    for (const service of services) {
      const played = await play(restored(service));
      expect(played.told()).toEqual(["0:10:10 mt_dlvd hello", "0:11:53 mt_sent hello"]);
      letters.set(service, played.statuses);
    }
    expect(Object.fromEntries(letters)).toEqual({ "rapidpro-2016": "S", documented: "D" });
  });

  it("of a final failure posts mt_fail at the service of 2016", async () => {
    const story = (service: string): string => `
service: ${service}
lasts: 4h
story:
  - { at: 10m, sms-service: { of: clinic, state: generic-failure } }
  - { at: 10m, send: { via: clinic, to: ada, body: hello } }
`;
    const played = await play(story("rapidpro-2016"));
    expect(played.events.map(({ type, fields }) => [type, fields["status"], fields["direction"]])).toEqual([
      ["mt_fail", "F", "O"],
    ]);
    const documented = await play(story("documented"));
    expect([documented.told(), documented.statuses]).toEqual([[], "F"]);
  });

  it("has its time cut to seconds by the service of 2016", async () => {
    const story = (service: string): string =>
      `
service: ${service}
lasts: 1h
story:
  - { at: 600700ms, text: { from: ada, to: clinic, body: hello } }
`;
    const timeBy = async (service: string): Promise<string | undefined> =>
      (await play(story(service))).events[0]?.fields["time"];
    expect([await timeBy("rapidpro-2016"), await timeBy("documented")]).toEqual([
      "2026-03-04T06:10:02.000000",
      "2026-03-04T06:10:02.700",
    ]);
  });
});

describe("a repetition", () => {
  const repeated = (service: string): Promise<Behaviour> =>
    play(`
service: ${service}
lasts: 1h
story:
  - { at: 9m, sync: { of: clinic, loses: response, times: 2 } }
  - { at: 10m, text: { from: ada, to: clinic, body: maize } }
`);

  it("of sender, text and second is stored once by the service of 2016", async () => {
    const old = await repeated("rapidpro-2016");
    expect(old.told("mo_sms")).toEqual(["0:10:02 mo_sms maize"]);
    expect(old.ledger.texts).toMatchObject({ copies: { "lost-response": 2 }, lost: { deduplicated: 2 } });
    expect((await repeated("documented")).told("mo_sms")).toHaveLength(3);
  });

  it("of a call within one sync is dropped since 2020", async () => {
    const observed = (deduplicates: boolean): string => `
service: { preset: documented, deduplicates-calls: ${deduplicates} }
lasts: 1h
handsets: { clinic: ${handset(2024, {}, { faults: ["call-log-observers"] })} }
story:
  - { at: 10m, every: 10s, times: 2, open: { of: clinic } }
  - { at: 10m30s, network: { of: clinic, type: none, for: 10m } }
  - { at: 11m, call: { from: ada, to: clinic, rings: 20s } }
`;
    const since = await play(observed(true));
    expect([since.told(), since.ledger.calls.lost]).toEqual([["0:20:40 mo_miss 0 s"], { deduplicated: 2 }]);
    expect((await play(observed(false))).told()).toHaveLength(3);
  });
});

describe("a push", () => {
  it("follows each new message; those held without data become one", async () => {
    const played = await play(`
${asleep}
lasts: 1h
handsets: { clinic: ${handset("plain", still)} }
story:
  - { at: 5m, send: { via: clinic, to: ben, body: hello } }
  - { at: 9m, network: { of: clinic, type: none, for: 10m } }
  - { at: 10m, every: 1m, times: 5, send: { via: clinic, to: ada, body: "m{n}" } }
`);
    expect(played.syncTimes()[0]).toBe("0:05:01");
    expect(played.syncs.map(({ atMs }) => clock(atMs)).find((time) => time > "0:09")).toBe("0:19:10");
    expect(offered(played).filter((count) => count > 0)).toEqual([1, 5]);
  });

  it("that gets lost leaves the message to the next poll", async () => {
    const played = await play(`
${asleep}
lasts: 1h
handsets: { clinic: ${handset("plain", { "push-loses": "100%" })} }
story:
  - { at: 10m, send: { via: clinic, to: ada, body: hello } }
`);
    expect(played.heard()).toEqual(["0:18:55 hello"]);
  });

  it("goes every 10 minutes to a silent phone, which then looks alive", async () => {
    const story = (wakes: boolean): string => `
service: { preset: documented, wakes-silent: ${wakes} }
lasts: 3h
handsets: { clinic: ${handset(2024, {}, { faults: ["unopened-after-reboot"] })} }
story:
  - { at: 15m, reboot: { of: clinic, down: 1m } }
  - { at: 1h, text: { from: ada, to: clinic, body: hello } }
`;
    const played = await play(story(true));
    expect(played.syncTimes().slice(0, 5)).toEqual(["0:08:51", "0:30:01", "0:50:01", "1:10:01", "1:30:01"]);
    expect([played.told(), played.ledger.texts.queued]).toEqual([[], 1]);
    expect((await play(story(false))).told()).toEqual(["0:39:00 alarm 100 % CHARGING"]);
  });
});

describe("a service that fails", () => {
  const failing = (service: string, fault: string): Promise<Behaviour> =>
    play(`
service: ${service}
lasts: 1h
story:
  - { at: 9m, service: { of: clinic, ${fault} } }
  - { at: 9m50s, network: { of: clinic, type: none, for: 1m } }
  - { at: 10m, text: { from: ada, to: clinic, body: one } }
  - { at: 10m1s, text: { from: ada, to: clinic, body: two } }
`);

  it("in the second command stores the first again with each sync", async () => {
    const played = await failing("documented", "fails-after: 1, for: 25m");
    expect(played.told()).toEqual([
      "0:11:00 mo_sms two",
      "0:18:51 mo_sms two",
      "0:28:51 mo_sms two",
      "0:38:51 mo_sms two",
      "0:38:51 mo_sms one",
    ]);
    expect(played.ledger.texts.copies).toEqual({ "service-failed": 3 });
  });

  it("until 2024 undid the whole request, so nothing was doubled", async () => {
    const played = await failing("{ preset: documented, atomic-sync: true }", "fails-after: 1, for: 25m");
    expect(played.told()).toEqual(["0:38:51 mo_sms two", "0:38:51 mo_sms one"]);
  });

  it("at one text blocks the phone for good", async () => {
    const played = await failing("documented", "poison: two");
    expect([played.told(), played.ledger.texts.queued]).toEqual([[], 2]);
    expect(played.syncs.filter(({ report }) => report.reports.length === 2).length).toBeGreaterThan(4);
  });

  it("to see a repeated request stores everything twice", async () => {
    const played = await failing("documented", "doubles: true");
    expect(played.told()).toEqual([
      "0:11:00 mo_sms two",
      "0:11:00 mo_sms one",
      "0:11:00 mo_sms two",
      "0:11:00 mo_sms one",
    ]);
    expect(played.ledger.texts.copies).toEqual({ "request-doubled": 2 });
  });
});

it("a flow event is tried once by the service of 2016, others three times", async () => {
  const attemptsBy = async (service: string): Promise<Record<string, number>> => {
    const story = `
service: ${service}
lasts: 4h
story:
  - { at: 1m, receiver: { answers: 500 } }
  - { at: 2m, flow: { of: clinic, person: ada, flow: 12, name: Harvest } }
  - { at: 3m, text: { from: ada, to: clinic, body: hello } }
`;
    const { events } = await play(story, { receiver: new Answers() });
    return Object.fromEntries(events.map(({ type, attempts }) => [type, attempts.length]));
  };
  expect(await attemptsBy("rapidpro-2016")).toEqual({ flow: 1, mo_sms: 3 });
  expect(await attemptsBy("documented")).toEqual({ flow: 4, mo_sms: 4 });
});
