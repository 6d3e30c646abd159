import { describe, expect, it } from "vitest";
import { Recording } from "../../src/store/index.js";
import type { CampaignUnit } from "../../src/wire/index.js";
import { Service, startsAtMs } from "../gateway/service.js";
import { at, CampaignRig, dayMs, hourMs, iso, minuteMs, phone, sentBy } from "./campaign-rig.js";
import { flowOf, flowUuid, say } from "./flow-builder.js";

/** The clock of the tests begins at 2026-03-04T06:00 UTC. */
const times: readonly (readonly [
  zone: string,
  visit: string,
  offset: number,
  unit: CampaignUnit,
  hour: number,
  fires: string,
])[] = [
  // In New York clocks go forward on 8 March 2026 at 2:00, back on 1 November at 2:00.
  ["America/New_York", "2026-03-07T09:30:00-05:00", 1, "days", -1, "2026-03-08T13:30:00"],
  ["America/New_York", "2026-03-07T09:30:00-05:00", 24, "hours", -1, "2026-03-08T14:30:00"],
  ["America/New_York", "2026-03-07T09:30:00-05:00", 1, "days", 9, "2026-03-08T13:00:00"],
  ["America/New_York", "2026-03-15T09:30:00-04:00", -1, "weeks", -1, "2026-03-08T13:30:00"],
  ["America/New_York", "2026-03-15T09:30:00-04:00", -8, "days", 9, "2026-03-07T14:00:00"],
  ["America/New_York", "2026-03-08T01:30:00-05:00", 60, "minutes", -1, "2026-03-08T07:30:00"],
  ["America/New_York", "2026-03-07T12:00:00-05:00", 1, "days", 0, "2026-03-08T05:00:00"],
  ["America/New_York", "2026-03-07T12:00:00-05:00", 1, "days", 23, "2026-03-09T03:00:00"],
  ["Europe/Berlin", "2026-03-28T09:30:00+01:00", 1, "days", -1, "2026-03-29T07:30:00"],
  ["Europe/Berlin", "2026-03-28T09:30:00+01:00", 24, "hours", -1, "2026-03-29T08:30:00"],
  ["Europe/Berlin", "2026-03-28T23:59:01+01:00", 0, "minutes", -1, "2026-03-28T23:00:00"],
  ["Europe/Berlin", "2026-10-24T09:30:00+02:00", 1, "days", -1, "2026-10-25T08:30:00"],
  ["Europe/Berlin", "2026-10-24T09:30:00+02:00", 24, "hours", -1, "2026-10-25T07:30:00"],
  ["Europe/Berlin", "2026-10-24T09:30:00+02:00", 1, "weeks", 18, "2026-10-31T17:00:00"],
  ["Africa/Kigali", "2026-03-10T10:00:30+02:00", 2, "days", -1, "2026-03-12T08:01:00"],
  ["Africa/Kigali", "10-03-2026 10:00", -1, "days", 7, "2026-03-09T05:00:00"],
  ["UTC", "2026-03-04T06:00:00Z", 0, "minutes", -1, "2026-03-04T06:00:00"],
  ["UTC", "2026-03-04T05:59:00.001Z", 0, "minutes", -1, "2026-03-04T06:00:00"],
];

describe("the fire of an event", () => {
  it.each(times)("in %s, %s and %i %s, hour %i, is at %s", (timezone, visit, offset, unit, deliveryHour, fires) => {
    const rig = new CampaignRig({ timezone });
    rig.addEvent({ offset, unit, deliveryHour });
    rig.addMember(1, visit);
    rig.service.passTo(Math.max(at(fires) - 1, 0));
    if (at(fires) > 0) expect(rig.sent()).toEqual([]);
    rig.service.passTo(at(fires));
    expect(rig.sent()).toEqual([`${fires} 01 Come`]);
    expect(rig.pending()).toEqual([]);
  });

  it("is none for a time in the past, a value that is no date, or none, or an offset beyond the year 9999", () => {
    const rig = new CampaignRig();
    rig.addEvent();
    rig.addEvent({ offset: -1, unit: "weeks" });
    rig.addEvent({ offset: 1_000_000_000, unit: "weeks" });
    rig.addMember(1, "2026-03-04T05:58:59Z");
    rig.addMember(2, "soon");
    rig.addMember(3, "");
    expect(rig.pending()).toEqual([]);
    rig.service.passTo(dayMs);
    expect(rig.sent()).toEqual([]);
  });

  it("can count from the creation of the contact, and from its last text or call", () => {
    const rig = new CampaignRig();
    rig.addEvent({ relativeTo: "created_on", offset: 2, unit: "hours" });
    rig.addEvent({ relativeTo: "last_seen_on", offset: 1, unit: "days", message: { eng: "Hello?" } });
    const contact = rig.addMember(1, "");
    expect(rig.dueOf(contact)).toEqual(["2026-03-04T08:00:00"]);
    for (const hours of [1, 5]) {
      rig.service.passTo(hours * hourMs);
      const time = startsAtMs + rig.service.kernel.now;
      rig.service.sync(1, [{ type: "mo_sms", phone: phone(1).slice(4), text: "hi", timeMs: time }]);
    }
    expect(rig.dueOf(contact)).toEqual(["2026-03-05T11:00:00"]);
    rig.service.passTo(2 * dayMs);
    expect(rig.sent()).toEqual(["2026-03-04T08:00:00 01 Come", "2026-03-05T11:00:00 01 Hello?"]);
  });
});

describe("the pending fires of a contact", () => {
  const visit = "2026-03-06T10:00:00Z";
  const due = "2026-03-06T10:00:00";

  function rigWithFire(): { rig: CampaignRig; contact: ReturnType<CampaignRig["addMember"]> } {
    const rig = new CampaignRig();
    rig.addEvent();
    const contact = rig.addMember(1, visit);
    expect(rig.dueOf(contact)).toEqual([due]);
    return { rig, contact };
  }

  it("follow the field: changed, cleared, set again", () => {
    const { rig, contact } = rigWithFire();
    rig.setVisit(contact, "2026-03-07T10:00:00Z");
    expect(rig.dueOf(contact)).toEqual(["2026-03-07T10:00:00"]);
    rig.setVisit(contact, undefined);
    expect(rig.dueOf(contact)).toEqual([]);
    rig.setVisit(contact, visit);
    expect(rig.dueOf(contact)).toEqual([due]);
  });

  it("follow the group: left, joined, deleted", () => {
    const { rig, contact } = rigWithFire();
    const { contacts, groups } = rig.service.account;
    contacts.leave(rig.row(contact), rig.group);
    expect(rig.dueOf(contact)).toEqual([]);
    contacts.join(rig.row(contact), rig.group);
    expect(rig.dueOf(contact)).toEqual([due]);
    groups.remove(rig.group);
    expect(rig.dueOf(contact)).toEqual([]);
  });

  it("follow a smart group, whose members fields select", () => {
    const { rig, contact } = rigWithFire();
    const { account } = rig.service;
    account.fields.add({ key: "age", label: "Age", type: "numeric" });
    const adults = account.groups.add({ name: "Adults", query: "age > 17" });
    rig.campaign = account.campaigns.change(rig.campaign, { group: adults.id });
    expect(rig.dueOf(contact)).toEqual([]);
    account.contacts.change(rig.row(contact), { fields: new Map([["age", "18"]]) });
    expect(rig.dueOf(contact)).toEqual([due]);
    account.contacts.change(rig.row(contact), { fields: new Map([["age", "17"]]) });
    expect(rig.dueOf(contact)).toEqual([]);
  });

  it.each(["blocked", "stopped"] as const)("end when the contact is %s", (state) => {
    const { rig, contact } = rigWithFire();
    const { contacts } = rig.service.account;
    contacts.setState(rig.row(contact), state);
    expect(rig.dueOf(contact)).toEqual([]);
    contacts.setState(rig.row(contact), "active");
    expect(rig.dueOf(contact)).toEqual([]);
    contacts.join(rig.row(contact), rig.group);
    expect(rig.dueOf(contact)).toEqual([due]);
  });

  it("end when the contact is deleted", () => {
    const { rig, contact } = rigWithFire();
    rig.service.account.contacts.remove(rig.row(contact));
    expect(rig.dueOf(contact)).toEqual([]);
  });

  it("follow the events: added, changed, deleted", () => {
    const { rig, contact } = rigWithFire();
    const { campaignEvents } = rig.service.account;
    const second = rig.addEvent({ offset: 1, unit: "hours" });
    expect(rig.dueOf(contact)).toEqual([due, "2026-03-06T11:00:00"]);
    const changed = campaignEvents.change(second, { offset: -1, unit: "days", deliveryHour: 8 });
    expect(rig.dueOf(contact)).toEqual([due, "2026-03-05T08:00:00"]);
    campaignEvents.remove(changed);
    expect(rig.dueOf(contact)).toEqual([due]);
  });

  it("follow the campaign: another group, archived, restored", () => {
    const { rig, contact } = rigWithFire();
    const { account } = rig.service;
    const other = account.groups.add({ name: "Fathers" });
    const stranger = account.contacts.add({ groups: [other], fields: new Map([["visit", visit]]) });
    let campaign = account.campaigns.change(rig.campaign, { group: other.id });
    expect([rig.dueOf(contact), rig.dueOf(stranger)]).toEqual([[], [due]]);
    campaign = account.campaigns.change(campaign, { group: rig.group.id });
    expect([rig.dueOf(contact), rig.dueOf(stranger)]).toEqual([[due], []]);
    campaign = account.campaigns.change(campaign, { isArchived: true });
    expect(rig.dueOf(contact)).toEqual([]);
    rig.setVisit(contact, "2026-03-08T10:00:00Z");
    expect(rig.dueOf(contact)).toEqual([]);
    account.campaigns.change(campaign, { isArchived: false });
    expect(rig.dueOf(contact)).toEqual(["2026-03-08T10:00:00"]);
  });

  it("follow the organisation's time zone and order of dates", () => {
    const rig = new CampaignRig({ timezone: "UTC" });
    rig.addEvent();
    const contact = rig.addMember(1, "05-06-2026 10:00");
    expect(rig.dueOf(contact)).toEqual(["2026-06-05T10:00:00"]);
    rig.service.account.organisation.set({ timezone: "Africa/Kigali" });
    expect(rig.dueOf(contact)).toEqual(["2026-06-05T08:00:00"]);
    rig.service.account.organisation.set({ dateStyle: "month_first" });
    expect(rig.dueOf(contact)).toEqual(["2026-05-06T08:00:00"]);
  });

  it("stay done once they fired; a new date in the future makes new ones", () => {
    const { rig, contact } = rigWithFire();
    rig.service.passTo(at(due));
    rig.setVisit(contact, undefined);
    rig.setVisit(contact, visit);
    rig.service.account.contacts.leave(rig.row(contact), rig.group);
    rig.service.account.contacts.join(rig.row(contact), rig.group);
    rig.service.passTo(at(due) + dayMs);
    expect(rig.sent()).toEqual([`${due} 01 Come`]);
    rig.setVisit(contact, "2026-03-09T10:00:00Z");
    rig.service.passTo(at("2026-03-09T10:00:00"));
    expect(rig.sent()).toEqual([`${due} 01 Come`, "2026-03-09T10:00:00 01 Come"]);
  });
});

describe("events that fire", () => {
  const visit = "2026-03-04T07:00:00Z";

  it("come in the order of due time, event and contact", () => {
    const rig = new CampaignRig();
    const [first, second] = [rig.addMember(1, visit), rig.addMember(2, visit)];
    rig.addEvent({ offset: 1, message: { eng: "A" } });
    rig.addEvent({ message: { eng: "B" } });
    rig.addEvent({ message: { eng: "C" } });
    // Memberships in another order than rows.
    for (const contact of [second, first]) {
      rig.service.account.contacts.leave(rig.row(contact), rig.group);
      rig.service.account.contacts.join(rig.row(contact), rig.group);
    }
    rig.service.passTo(2 * hourMs);
    expect(rig.sent().map((line) => line.slice(11))).toEqual([
      "07:00:00 01 B",
      "07:00:00 02 B",
      "07:00:00 01 C",
      "07:00:00 02 C",
      "07:01:00 01 A",
      "07:01:00 02 A",
    ]);
  });

  it("come in slices of 100 every 20 ms when many are due at once", () => {
    const rig = new CampaignRig();
    rig.addEvent();
    for (let number = 1; number <= 250; number++) rig.addMember(number, visit);
    rig.service.passTo(2 * hourMs);
    const sent = rig.service.messages.map(({ createdAtMs }) => createdAtMs - hourMs);
    expect(sent).toEqual(Array.from({ length: 250 }, (_, index) => Math.floor(index / 100) * 20));
    // After the slices, the service pushes to phones that are silent.
    expect(rig.service.pushes.slice(0, 6)).toEqual([1, 2, 1, 2, 1, 2]);
  });

  it("are only for contacts who still qualify, also when they changed at that instant", () => {
    const rig = new CampaignRig();
    rig.addEvent();
    const [gone, moved] = [rig.addMember(1, visit), rig.addMember(2, visit), rig.addMember(3, visit)];
    rig.settle();
    rig.service.kernel.at(
      hourMs,
      () => {
        rig.service.account.contacts.setState(rig.row(gone), "blocked");
        rig.setVisit(moved, "2026-03-04T08:00:00Z");
      },
      undefined,
      -1,
    );
    rig.service.passTo(2 * hourMs);
    expect(rig.sent().map((line) => line.slice(11))).toEqual(["07:00:00 03 Come", "08:00:00 02 Come"]);
  });

  it("send the text in the contact's language, else in the base language, with its templates evaluated", () => {
    const rig = new CampaignRig({ primaryLanguage: "eng", languages: ["eng", "fra"] });
    rig.addEvent({ message: { fra: "Bonjour @contact.name", eng: "Hello @contact.name" } });
    rig.addEvent({ message: { fra: "Oui", kin: "Yego" }, baseLanguage: "kin" });
    rig.addMember(1, visit, { name: "Ada", language: "fra" });
    rig.addMember(2, visit, { name: "Bo", language: "swa" });
    rig.addMember(3, visit, { name: "Cy" });
    rig.service.passTo(hourMs);
    expect(rig.sent().map((line) => line.slice(20))).toEqual([
      "01 Bonjour Ada",
      "02 Hello Bo",
      "03 Hello Cy",
      "01 Oui",
      "02 Yego",
      "03 Yego",
    ]);
    expect(rig.service.messages[0]).toMatchObject({ origin: "campaign", type: "flow", flow: null, broadcast: null });
  });

  it("send nothing to a contact without a number, and the log says so", () => {
    const rig = new CampaignRig();
    rig.addEvent();
    rig.service.account.contacts.add({
      urns: ["mailto:ada@example.org"],
      groups: [rig.group],
      fields: new Map([["visit", visit]]),
    });
    rig.service.passTo(hourMs);
    expect(rig.sent()).toEqual([]);
    expect(rig.service.notes.map(({ text }) => text)).toEqual([
      "campaign 'Doses': a message was not sent: no handset reaches the contact",
    ]);
  });
});

describe("an event with a flow", () => {
  const visit = "2026-03-04T07:00:00Z";
  const question = flowOf(1, "Question", [{ actions: [say("Old?")] }, { ask: { result: "Old", cases: [] } }]);
  const reminder = flowOf(2, "Reminder", [
    { actions: [say("From @trigger.campaign.name")] },
    { ask: { result: "New", cases: [] } },
  ]);

  function rigWith(...flows: ReturnType<typeof flowOf>[]): CampaignRig {
    const rig = new CampaignRig();
    for (const flow of flows) rig.service.account.flows.add(flow);
    return rig;
  }

  function startQuestion(rig: CampaignRig, contact: ReturnType<CampaignRig["addMember"]>): void {
    const { account, recording } = rig.service;
    const flow = recording.tables.flows.byUuid(flowUuid(1));
    if (flow !== undefined) account.flowSessions.start(contact, flow, { cause: { type: "manual" } });
  }

  it.each([
    ["interrupt", ["From Doses"], "interrupted"],
    ["skip", [], null],
    ["passive", [], null],
  ] as const)("in mode %s meets a contact in a flow", (startMode, texts, exit) => {
    const rig = rigWith(question, reminder);
    rig.addEvent({ flow: 2, startMode });
    const contact = rig.addMember(1, visit);
    startQuestion(rig, contact);
    rig.service.messages.length = 0;
    rig.service.passTo(hourMs);
    expect(rig.service.messages.map(({ text }) => text)).toEqual(texts);
    expect(rig.service.recording.tables.runs.get(1)?.exit).toBe(exit);
    expect(rig.pending()).toEqual([]);
  });

  it("gives the run its embedded data, and restarts contacts who were in the flow", () => {
    const rig = rigWith(reminder);
    rig.addEvent({ flow: 1, embeddedData: { clinic: "Likoni" } });
    const contact = rig.addMember(1, visit);
    rig.service.passTo(hourMs);
    rig.setVisit(contact, "2026-03-04T08:00:00Z");
    rig.service.passTo(2 * hourMs);
    const { runs } = rig.service.recording.tables;
    expect([runs.get(1), runs.get(2)]).toMatchObject([
      { flow: 1, exit: "interrupted", start: null, embeddedData: { clinic: "Likoni" } },
      { flow: 1, exit: null, createdAtMs: 2 * hourMs },
    ]);
  });

  it("leaves a session alone when the flow is a background flow", () => {
    const background = flowOf(2, "Reminder", [{ actions: [say("By the way")] }], { type: "messaging_background" });
    const rig = rigWith(question, background);
    rig.addEvent({ flow: 2 });
    const contact = rig.addMember(1, visit);
    startQuestion(rig, contact);
    rig.service.passTo(hourMs);
    expect(rig.service.messages.map(({ text }) => text)).toEqual(["Old?", "By the way"]);
    expect(rig.service.account.flowSessions.isInFlow(contact.row)).toBe(true);
  });

  it("does nothing when the flow is archived, and the log says so once", () => {
    const rig = rigWith({ ...question, isArchived: true });
    rig.addEvent({ flow: 1 });
    rig.addMember(1, visit);
    rig.addMember(2, visit);
    rig.service.passTo(hourMs);
    expect(rig.service.messages).toEqual([]);
    expect(rig.service.notes.map(({ text }) => text)).toEqual([
      "campaign 'Doses' does not start the flow 'Question', which is archived",
    ]);
  });

  it("changes who qualifies for the next event at the same instant", () => {
    const leaving = flowOf(1, "Leaving", [
      { actions: [{ type: "remove_contact_groups", groups: [], all_groups: true }] },
    ]);
    const rig = rigWith(leaving);
    rig.addEvent({ flow: 1 });
    rig.addEvent({ message: { eng: "Still there?" } });
    rig.addMember(1, visit);
    rig.service.passTo(hourMs);
    expect(rig.sent()).toEqual([]);
    expect(rig.pending()).toEqual([]);
  });
});

describe("a service that was killed", () => {
  /** What the database holds now, opened by another process. */
  function restart(service: Service): Service {
    return new Service({}, { recording: Recording.copyOf(service.recording.snapshot()) });
  }

  it("fires what is due later, and nothing twice", () => {
    const rig = new CampaignRig();
    rig.addEvent();
    rig.addMember(1, "2026-03-04T07:00:00Z");
    rig.addMember(2, "2026-03-04T08:00:00Z");
    rig.service.passTo(hourMs);
    const second = restart(rig.service);
    second.passTo(3 * hourMs);
    expect(rig.sent()).toEqual(["2026-03-04T07:00:00 01 Come"]);
    expect(sentBy(second)).toEqual(["2026-03-04T08:00:00 02 Come"]);
  });

  it("continues within the slices of an instant", () => {
    const rig = new CampaignRig();
    rig.addEvent();
    for (let number = 1; number <= 150; number++) rig.addMember(number, "2026-03-04T07:00:00Z");
    rig.service.passTo(hourMs);
    const second = restart(rig.service);
    second.passTo(second.kernel.now);
    expect([rig.sent().length, sentBy(second).length]).toEqual([100, 50]);
  });

  it("computes the fires of contacts that changed just before", () => {
    const rig = new CampaignRig();
    rig.addEvent();
    rig.addMember(1, "2026-03-04T07:00:00Z");
    const second = restart(rig.service);
    second.passTo(hourMs);
    expect(sentBy(second)).toEqual(["2026-03-04T07:00:00 01 Come"]);
  });

  it("fires what became due while it was not running at once", () => {
    const rig = new CampaignRig();
    rig.addEvent();
    rig.addMember(1, iso(10 * minuteMs));
    rig.settle();
    const { recording, kernel } = rig.service;
    recording.note({ atMs: kernel.now + hourMs, channel: 0, kind: "later", text: "the clock has continued" });
    const second = restart(rig.service);
    const opened = second.kernel.now;
    second.passTo(opened);
    expect(second.messages.map(({ createdAtMs }) => createdAtMs)).toEqual([opened]);
  });
});
