import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { BroadcastOrder, ContactRow } from "../../src/account/index.js";
import { Recording } from "../../src/store/index.js";
import type { Report } from "../../src/wire/index.js";
import { Service, startsAtMs } from "../gateway/service.js";
import { meta } from "../store/samples.js";
import { temporaryFolder } from "../support/folder.js";

const nothing: BroadcastOrder = {
  text: { eng: "Hello @contact.first_name", swa: "Habari @contact.first_name" },
  baseLanguage: "eng",
  urns: [],
  contacts: [],
  groups: [],
  channel: null,
};

/** The broadcasts of a service, newest first. */
function stored(service: Service) {
  return service.lists.broadcasts.page({ order: "created", filters: [], size: 10 }).rows;
}

function person(service: Service, name: string, urns: readonly string[], language?: string): ContactRow {
  return service.account.contacts.add({ name, urns, language });
}

/** The queued messages of each channel: numbers and texts. */
function sent(service: Service) {
  return service.messages.map(({ channel, phone, text }) => [channel, phone, text]);
}

describe("a broadcast", () => {
  it("exists before its messages; then each contact gets one in their language, and each phone gets one push", () => {
    const service = new Service();
    const { account } = service;
    const ada = person(service, "Ada Uwase", ["tel:+250781000001"], "eng");
    const ben = person(service, "Ben Otieno", ["tel:+250781000002"], "swa");
    const eve = person(service, "Eve", ["tel:+250781000003"], "fra");
    const group = account.groups.add({ name: "Farmers" });
    account.contacts.join(ben, group);
    account.contacts.join(eve, group);
    const broadcast = account.broadcasts.add({
      ...nothing,
      urns: ["tel:+250781000001", "tel:+250781000099"],
      contacts: [ada.row, ben.row],
      groups: [group.id],
    });
    expect(broadcast).toMatchObject({ id: 1, status: "queued", total: null, started: 0 });
    expect(service.messages).toEqual([]);
    expect(service.contacts.map(({ urns }) => urns)).toContainEqual(["tel:+250781000099"]);
    service.passTo(1000);
    expect(sent(service)).toEqual([
      [2, "+250781000001", "Hello Ada"],
      [1, "+250781000002", "Habari Ben"],
      [2, "+250781000003", "Hello Eve"],
      [1, "+250781000099", "Hello 0781 000 099"],
    ]);
    expect(service.messages.map(({ broadcast: id, origin }) => [id, origin])).toEqual(Array(4).fill([1, "api"]));
    expect(service.pushes).toEqual([1, 2]);
    expect(stored(service)).toMatchObject([{ status: "sent", total: 4, started: 4 }]);
  });

  it("skips contacts that are blocked, stopped, deleted or without a number, and notes it in the log", () => {
    const service = new Service();
    const { account } = service;
    const [ada, ben, eve, dan] = ["Ada", "Ben", "Eve", "Dan"].map((name, index) =>
      person(service, name, [index === 3 ? "mailto:dan@example.org" : `tel:+25078100000${index}`]),
    ) as [ContactRow, ContactRow, ContactRow, ContactRow];
    account.broadcasts.add({ ...nothing, contacts: [ada, ben, eve, dan].map(({ row }) => row) });
    account.contacts.setState(ada, "blocked");
    account.contacts.setState(ben, "stopped");
    account.contacts.remove(eve);
    service.passTo(1000);
    expect(service.messages).toEqual([]);
    expect(service.pushes).toEqual([]);
    expect(service.notes.map(({ kind, text }) => [kind, text])).toEqual([
      ["broadcast-skipped", `broadcast 1 makes no message for the contact ${ada.uuid}, who is blocked`],
      ["broadcast-skipped", `broadcast 1 makes no message for the contact ${ben.uuid}, who is stopped`],
      ["broadcast-skipped", `broadcast 1 makes no message for the contact ${dan.uuid}, who has no phone number`],
    ]);
    expect(stored(service)).toMatchObject([{ status: "failed", total: 4, started: 0 }]);
    expect(service.ledger.totals.texts.in).toBe(0);
  });

  it("without recipients is sent at once", () => {
    const service = new Service();
    expect(service.account.broadcasts.add(nothing)).toMatchObject({ status: "sent", total: 0 });
    service.passTo(1000);
    expect(service.messages).toEqual([]);
  });

  it("uses the named channel, else the one of the latest contact, else the one with the most similar number", () => {
    const phones = ["+250788000001", "+250722000001", "+254711000001", "+254711000002", "+12065550100"];
    const service = new Service({}, { phones });
    const { account } = service;
    const people = [
      person(service, "Rwanda, like 1", ["tel:+250788111111"]),
      person(service, "Rwanda, like 2", ["tel:+250722999999"]),
      person(service, "Kenya, odd row", ["tel:+254711999991"]),
      person(service, "Kenya, even row", ["tel:+254711999992"]),
      person(service, "Canada: none there", ["tel:+14165550100"]),
      person(service, "wrote to 1", ["tel:+254711999993"]),
    ];
    const timeMs = startsAtMs;
    service.sync(1, [{ type: "mo_sms", phone: "+254711999993", text: "hello", timeMs }]);
    const order = { ...nothing, contacts: people.map(({ row }) => row) };
    account.broadcasts.add(order);
    service.passTo(1000);
    const channels = (): number[] =>
      service.messages.flatMap(({ direction, channel }) => (direction === "O" ? [channel] : []));
    expect(channels()).toEqual([1, 2, 4, 3, 5, 1]);
    account.broadcasts.add({ ...order, channel: 5 });
    service.passTo(2000);
    expect(channels().slice(people.length)).toEqual([5, 5, 5, 5, 5, 5]);
  });

  it("to 1,000 contacts over 20 phones accounts for every message in the table, the events and the ledger", () => {
    const phones = Array.from({ length: 20 }, (_, index) => `+25078800${String(1000 + index)}`);
    const service = new Service({}, { phones });
    const { account } = service;
    const contacts = Array.from({ length: 1000 }, (_, index) =>
      person(service, `P${index}`, [`tel:+25078${1_000_000 + index}`]),
    );
    account.broadcasts.add({ ...nothing, contacts: contacts.map(({ row }) => row) });
    service.passTo(10_000);
    expect(service.pushes).toEqual(phones.map((_, index) => index + 1));
    const perChannel = new Map<number, number>();
    for (const { channel } of service.messages) perChannel.set(channel, (perChannel.get(channel) ?? 0) + 1);
    expect([...perChannel.values()]).toEqual(Array(20).fill(50));

    // Of ten texts a phone sends nine and fails one. Of the nine, eight are reported as delivered and one waits.
    const fates = { sent: 0, delivered: 0, failed: 0, held: 0 };
    for (const channel of service.pushes) {
      const answer = service.sync(channel);
      const reports: Report[] = [];
      for (const command of answer.accepted ? answer.commands : []) {
        if (command.type !== "send") continue;
        const { id } = command;
        const lot = id % 11;
        const timeMs = startsAtMs + service.kernel.now;
        if (lot === 10) fates.held++;
        else if (lot === 9) {
          fates.failed++;
          reports.push({ type: "mt_fail", id, timeMs });
          service.ledger.failed("texts");
        } else {
          reports.push({ type: "mt_sent", id, timeMs });
          if (lot === 8) fates.sent++;
          else {
            fates.delivered++;
            reports.push({ type: "mt_dlvd", id, timeMs });
          }
          service.ledger.delivered("texts");
        }
      }
      service.sync(channel, reports);
    }
    expect(Object.values(fates).reduce((sum, count) => sum + count)).toBe(1000);
    const folder = (name: string): number =>
      service.lists.messages.page({ order: "created", filters: [[name], ["broadcast", 1]], size: 2000 }).rows.length;
    expect({ sent: folder("sent"), failed: folder("failed"), outbox: folder("outbox") }).toEqual({
      sent: fates.sent + fates.delivered,
      failed: fates.failed,
      outbox: fates.held,
    });
    expect(service.recording.reader().messagesByStatus()).toEqual(
      new Map([
        ["OD", fates.delivered],
        ["OF", fates.failed],
        ["OQ", fates.held],
        ["OS", fates.sent],
      ]),
    );
    const events = service.emissions.map(({ type }) => type);
    expect(events.filter((type) => type === "mt_sent")).toHaveLength(fates.sent + fates.delivered);
    expect(events.filter((type) => type === "mt_dlvd")).toHaveLength(fates.delivered);
    const waiting = [...service.gateway.queuedMessages()].length;
    expect(waiting).toBe(fates.held);
    expect(service.ledger.close({ texts: waiting, calls: 0, events: events.length, attempts: 0 }).texts).toMatchObject({
      in: 1000,
      gap: 0,
    });
    expect(stored(service)).toMatchObject([{ status: "sent", total: 1000, started: 1000 }]);
  });

  it("that a kill interrupted continues when its recording is opened again, and no contact gets it twice", () => {
    const path = join(temporaryFolder(), "lab.db");
    const recording = Recording.create(path, { ...meta, startsAtMs });
    onTestFinished(() => recording.close());
    const first = new Service({}, { recording });
    const contacts = Array.from({ length: 450 }, (_, index) =>
      person(first, `P${index}`, [`tel:+25078${1_000_000 + index}`]),
    );
    first.account.broadcasts.add({ ...nothing, contacts: contacts.map(({ row }) => row) });
    first.passTo(20);
    expect(first.messages).toHaveLength(200);
    // The copy holds the commits up to the kill: a part of a slice, which the broadcast has not counted.
    const second = new Service({}, { recording: Recording.copyOf(path) });
    const made = [...second.recording.reader().messages()].length;
    expect(made % 100).not.toBe(0);
    const counted = stored(second)[0]?.started ?? 0;
    expect(counted).toBeLessThan(made);
    second.passTo(1000);
    expect(second.messages).toHaveLength(450 - made);
    const messages = [...second.recording.reader().messages()];
    expect(new Set(messages.map(({ contact }) => contact)).size).toBe(450);
    expect(messages).toHaveLength(450);
    expect(stored(second)).toMatchObject([{ status: "sent", total: 450, started: 450 }]);
    expect([...second.gateway.queuedMessages()]).toHaveLength(450);
    expect(second.ledger.totals.texts.in).toBe(450);
  });
});
