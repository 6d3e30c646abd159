import { describe, expect, it } from "vitest";
import { loadAccount } from "../../src/account/index.js";
import { Recording } from "../../src/store/index.js";
import { emptyAccount, type ScheduleData, type TriggerData } from "../../src/wire/index.js";
import { Service } from "../gateway/service.js";
import { at, dayMs, hourMs, iso, phone, sentBy } from "./campaign-rig.js";
import { flowOf, say } from "./flow-builder.js";

const check = flowOf(1, "Check", [{ actions: [say("Check")] }]);

/** A service with a schedule; its clock begins on Wednesday, 4 March 2026, at 6:00 UTC. */
function serviceWith(schedule: ScheduleData, more: Partial<TriggerData> = {}, timezone = "UTC"): Service {
  const service = new Service();
  const { account, recording } = service;
  account.organisation.set({ timezone });
  account.flows.add(check);
  const [all, away] = [account.groups.add({ name: "All" }), account.groups.add({ name: "Away" })];
  account.contacts.add({ urns: [phone(1)], groups: [all] });
  account.contacts.add({ urns: [phone(2)], groups: [all, away] });
  account.contacts.add({ urns: [phone(3)] });
  const trigger: TriggerData = {
    type: "S",
    keyword: null,
    matchType: "F",
    flow: "Check",
    groups: ["All"],
    excludeGroups: [],
    channel: null,
    schedule,
    ...more,
  };
  const { problems } = loadAccount(account, recording.tables, { ...emptyAccount, triggers: [trigger] });
  for (const text of problems) service.note({ atMs: 0, channel: 0, kind: "problem", text });
  return service;
}

/** When the schedule started its flow, by then. */
function fires(service: Service, untilMs: number): string[] {
  service.passTo(untilMs);
  const { flowStarts } = service.recording.tables;
  const times: string[] = [];
  for (let id = 1, start; (start = flowStarts.get(id)) !== undefined; id++) times.push(iso(start.createdAtMs));
  return times;
}

describe("a schedule", () => {
  const daily = { repeat: "D", hour: 9, minute: 30 } as const;

  it("starts its flow for its groups, without the excluded ones, and for its contacts", () => {
    const service = serviceWith(daily, { excludeGroups: ["Away"], contacts: [phone(3)] });
    service.passTo(4 * hourMs);
    expect(sentBy(service)).toEqual(["2026-03-04T09:30:00 01 Check", "2026-03-04T09:30:00 03 Check"]);
    expect(service.recording.tables.flowStarts.get(1)).toMatchObject({
      groups: [1],
      excludeGroups: [2],
      contacts: [3],
      restartsParticipants: true,
      status: "complete",
      total: 2,
    });
    expect(service.recording.tables.runs.get(2)).toMatchObject({ contact: 3, start: 1 });
  });

  it.each<[string, ScheduleData, string, number, string[]]>([
    ["once", { start: "2026-03-05 08:00", repeat: "O" }, "Africa/Kigali", 9, ["2026-03-05T06:00:00"]],
    ["daily", daily, "UTC", 3, ["2026-03-04T09:30:00", "2026-03-05T09:30:00", "2026-03-06T09:30:00"]],
    [
      "daily from a first fire on",
      { start: "2026-03-06T05:00Z", repeat: "D" },
      "UTC",
      3,
      ["2026-03-06T05:00:00", "2026-03-07T05:00:00"],
    ],
    [
      "daily although its first fire has passed",
      { start: "2025-03-06T05:00Z", repeat: "D" },
      "UTC",
      1,
      ["2026-03-05T05:00:00"],
    ],
    [
      "weekly on its days",
      { repeat: "W", days: "RU", hour: 8, minute: 0 },
      "UTC",
      9,
      ["2026-03-05T08:00:00", "2026-03-08T08:00:00", "2026-03-12T08:00:00"],
    ],
    [
      "weekly on the day of its first fire",
      { start: "2026-03-06 08:00", repeat: "W" },
      "UTC",
      16,
      ["2026-03-06T08:00:00", "2026-03-13T08:00:00"],
    ],
    [
      "monthly, on the last day of short months",
      { start: "2026-03-31 08:00", repeat: "M" },
      "UTC",
      100,
      ["2026-03-31T08:00:00", "2026-04-30T08:00:00", "2026-05-31T08:00:00"],
    ],
    [
      "daily at the same hour when clocks change",
      { start: "2026-03-27 09:00", repeat: "D" },
      "Europe/Berlin",
      26.5,
      ["2026-03-27T08:00:00", "2026-03-28T08:00:00", "2026-03-29T07:00:00", "2026-03-30T07:00:00"],
    ],
  ])("fires %s", (_, schedule, timezone, days, expected) => {
    expect(fires(serviceWith(schedule, {}, timezone), days * dayMs)).toEqual(expected);
  });

  it("continues after a restart, and fires once what became due meanwhile", () => {
    const service = serviceWith(daily);
    service.passTo(4 * hourMs);
    const { recording, kernel } = service;
    recording.note({ atMs: kernel.now + 3 * dayMs, channel: 0, kind: "later", text: "the clock has continued" });
    const second = new Service({}, { recording: Recording.copyOf(recording.snapshot()) });
    const opened = second.kernel.now;
    expect(fires(second, opened + dayMs).slice(1)).toEqual([iso(opened), "2026-03-08T09:30:00"]);
  });

  it("is loaded once, and beside others with the same groups", () => {
    const service = serviceWith(daily);
    const load = (schedule: ScheduleData): number =>
      loadAccount(service.account, service.recording.tables, {
        ...emptyAccount,
        triggers: [
          {
            type: "S",
            keyword: null,
            matchType: "F",
            flow: "Check",
            groups: ["All"],
            excludeGroups: [],
            channel: null,
            schedule,
          },
        ],
      }).added.triggers;
    expect([load(daily), load({ ...daily, hour: 18 })]).toEqual([0, 1]);
    expect(fires(service, at("2026-03-05T06:00:00"))).toEqual(["2026-03-04T09:30:00", "2026-03-04T18:30:00"]);
  });

  it("ends with its group", () => {
    const service = serviceWith(daily);
    const group = service.recording.tables.groups.byName("All");
    if (group !== undefined) service.account.groups.remove(group);
    expect(fires(service, 2 * dayMs)).toEqual([]);
  });

  it("whose flow is archived starts nothing, and the log says so once", () => {
    const service = serviceWith(daily);
    service.account.flows.add({ ...check, isArchived: true });
    expect(fires(service, 3 * dayMs)).toEqual([]);
    expect(service.notes.map(({ text }) => text)).toEqual([
      "a schedule does not start the flow 'Check', which is archived",
    ]);
  });

  it.each<[string, ScheduleData, Partial<TriggerData>]>([
    ["'someday' is no date and time", { start: "someday", repeat: "D" }, {}],
    ["it has no time of day", { repeat: "D" }, {}],
    ["it has no days", { repeat: "W", hour: 8 }, {}],
    ["it has no day of the month", { repeat: "M", hour: 8 }, {}],
    ["it does not repeat and has no first fire", { repeat: "O", hour: 8 }, {}],
    ["there is no contact tel:+250780000099", daily, { contacts: ["tel:+250780000099"] }],
  ])("is left out when %s", (problem, schedule, more) => {
    const service = serviceWith(schedule, more);
    expect(service.notes.map(({ text }) => text)).toEqual([`trigger S is left out: ${problem}`]);
    expect(fires(service, 2 * dayMs)).toEqual([]);
  });
});
