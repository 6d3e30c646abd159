import { describe, expect, it } from "vitest";
import { Recording } from "../../src/store/index.js";
import type { Report } from "../../src/wire/index.js";
import { device, Service, startsAtMs } from "./service.js";

const ada = "+250788111111";
const first = 2 ** 20;

function text(words: string, atMs: number): Report {
  return { type: "mo_sms", phone: ada, text: words, timeMs: startsAtMs + atMs };
}

function missed(atMs: number): Report {
  return { type: "call", call: "mo_miss", phone: ada, timeMs: startsAtMs + atMs, durationS: 0 };
}

/** Another service that continues from this one's recording. */
function reopened(service: Service): Service {
  service.gateway.saveChannels();
  return new Service({}, { recording: Recording.copyOf(service.recording.snapshot()) });
}

describe("a service that continues from a recording", () => {
  it("starts at its last instant, and numbers messages, calls and events after its last ones", () => {
    const old = new Service();
    old.passTo(60_000);
    old.sync(1, [text("one", 50_000), missed(51_000)]);
    old.sync(2, [text("two", 52_000)]);
    old.passTo(90_000);
    old.gateway.emitCustomEvent(2, "odd", []);
    const service = reopened(old);
    expect(service.kernel.now).toBe(90_000);
    service.sync(1, [text("three", 80_000), missed(81_000)]);
    service.sync(2, [text("four", 82_000)]);
    expect(service.messages.map(({ row, id }) => [row, id])).toEqual([
      [3, first + 2],
      [4, 2 * first + 2],
    ]);
    expect(service.calls.map(({ row, id }) => [row, id])).toEqual([[2, first + 2]]);
    expect(service.emissions.map(({ row, channel, number }) => [row, channel, number])).toEqual([
      [5, 1, 3],
      [6, 1, 4],
      [7, 2, 3],
    ]);
    expect([...service.recording.reader().messages()].map(({ text: words }) => words)).toEqual([
      "one",
      "two",
      "three",
      "four",
    ]);
    expect(service.contacts).toHaveLength(1);
  });

  it("offers queued messages, oldest first, and enters them in the ledger", () => {
    const old = new Service();
    const sent = old.send(1, ada, "sent");
    const waiting = [old.send(1, ada, "one"), old.send(1, ada, "two")];
    old.send(2, ada, "other phone");
    old.sync(1, [{ type: "mt_sent", id: sent, timeMs: startsAtMs }]);
    const service = reopened(old);
    expect(service.ledger.totals.texts.in).toBe(3);
    expect([...service.gateway.queuedMessages()].map(({ message }) => message)).toEqual([...waiting, 2 * first + 1]);
    expect(service.sync(1)).toEqual({
      accepted: true,
      commands: [
        { type: "send", id: waiting[0], phone: ada, text: "one" },
        { type: "send", id: waiting[1], phone: ada, text: "two" },
      ],
    });
    expect(service.send(1, ada, "three")).toBe(first + 4);
  });

  it("applies reports for messages that left the queue before", () => {
    const old = new Service();
    const id = old.send(1, ada, "hello");
    const incoming = 2 * first + 1;
    old.sync(1, [{ type: "mt_sent", id, timeMs: startsAtMs }]);
    old.sync(2, [text("hi", 0)]);
    const service = reopened(old);
    const dlvd = (of: number): Report => ({ type: "mt_dlvd", id: of, timeMs: startsAtMs + 5000 });
    service.sync(1, [dlvd(id), dlvd(id), dlvd(first + 9)]);
    service.sync(2, [dlvd(incoming)]);
    expect(service.statuses).toEqual(["1D"]);
    expect(service.events.map(({ event, sms, text: words }) => [event, sms, words])).toEqual([
      ["mt_dlvd", String(id), "hello"],
      ["mt_dlvd", String(id), "hello"],
    ]);
    expect(service.notes.map(({ kind }) => kind)).toEqual(["report-ignored", "report-ignored"]);
  });

  it("does not send deleted messages", () => {
    const old = new Service();
    old.send(1, ada, "hello");
    const [contact] = old.contacts;
    if (contact !== undefined) old.account.contacts.remove(contact);
    const service = reopened(old);
    expect([...service.gateway.queuedMessages()]).toEqual([]);
    expect(service.ledger.totals.texts.in).toBe(0);
  });

  it("knows the last state of each phone, and which one was seen last", () => {
    const old = new Service({ replyThrough: "last-seen" });
    old.passTo(400_000);
    old.sync(2, [], { powerLevel: 12, powerSource: "USB", pending: [7] });
    old.gateway.saveChannels();
    const service = new Service(
      { replyThrough: "last-seen" },
      {
        recording: Recording.copyOf(old.recording.snapshot()),
      },
    );
    const [silent, seen] = [service.account.channels.get(1), service.account.channels.get(2)];
    expect(silent).toMatchObject({ hasSynced: false, device });
    expect(seen).toMatchObject({
      hasSynced: true,
      shownSeenMs: 400_000,
      device: { ...device, powerLevel: 12, powerSource: "USB", pending: [7] },
    });
    service.gateway.emitCustomEvent(1, "odd", []);
    const reply = { urns: [`tel:${ada}`], contacts: [], text: "hello" };
    expect(service.gateway.applyReply({ channel: 1, number: 1 }, reply, undefined)).toEqual({
      kind: "sent",
      messages: [2 * first + 1],
    });
  });
});

describe("a new recording", () => {
  it("has no messages, calls or events to continue from", () => {
    const { recording } = new Service();
    expect(recording.readGatewayState()).toMatchObject({
      atMs: 0,
      rows: { messages: 0, calls: 0, events: 0 },
      queued: [],
    });
  });
});
