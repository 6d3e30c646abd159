import { describe, expect, it } from "vitest";
import { Service, startsAtMs } from "./service.js";

const text = (words: string, atMs = 0) => ({
  type: "mo_sms" as const,
  phone: "+250788111111",
  text: words,
  timeMs: startsAtMs + atMs,
});

describe("a sync", () => {
  it("turns an incoming text into a message, a contact and an mo_sms event, and acks it", () => {
    const service = new Service();
    service.passTo(5000);
    const answer = service.sync(1, [text("join", 4250)]);
    expect(answer).toEqual({ accepted: true, commands: [{ type: "ack", report: 1 }] });
    expect(service.messages).toMatchObject([
      { id: 1 * 2 ** 20 + 1, direction: "I", status: "H", text: "join", createdAtMs: 5000 },
    ]);
    expect(service.contacts).toMatchObject([{ urns: ["tel:+250788111111"], name: "Ada", language: "eng" }]);
    expect(service.events).toMatchObject([
      {
        event: "mo_sms",
        relayer: "1",
        relayer_phone: "+250788000001",
        sms: String(2 ** 20 + 1),
        phone: "+250788111111",
        text: "join",
        status: "D",
        direction: "I",
        time: "2026-03-04T06:00:04.250",
      },
    ]);
  });

  it("offers queued messages until the phone holds them, and applies the statuses that it reports", () => {
    const service = new Service();
    const id = service.send(1, "+250788111111", "hello");
    expect(service.pushes).toEqual([1]);
    const send = { type: "send", id, phone: "+250788111111", text: "hello" };
    expect(service.sync(1)).toEqual({ accepted: true, commands: [send] });
    expect(service.sync(1)).toEqual({ accepted: true, commands: [send] });
    expect(service.sync(1, [], { pending: [id] })).toEqual({ accepted: true, commands: [] });
    expect(service.sync(1, [], { retry: [id] })).toEqual({ accepted: true, commands: [] });
    service.sync(1, [{ type: "mt_sent", id, timeMs: startsAtMs }]);
    expect(service.sync(1)).toEqual({ accepted: true, commands: [] });
    service.sync(1, [{ type: "mt_dlvd", id, timeMs: startsAtMs }]);
    expect(service.statuses).toEqual(["1S", "1D"]);
    expect(service.events.map(({ event, status }) => [event, status])).toEqual([
      ["mt_sent", "S"],
      ["mt_dlvd", "D"],
    ]);
  });

  it("emits an event for every report, late and repeated ones included, but never changes D back to S", () => {
    const service = new Service();
    const id = service.send(1, "+250788111111", "hello");
    service.sync(1, [
      { type: "mt_dlvd", id, timeMs: startsAtMs },
      { type: "mt_sent", id, timeMs: startsAtMs },
      { type: "mt_sent", id, timeMs: startsAtMs },
    ]);
    expect(service.statuses).toEqual(["1D"]);
    expect(service.events.map(({ event }) => event)).toEqual(["mt_dlvd", "mt_sent", "mt_sent"]);
  });

  it("records a final failure as status F without an event", () => {
    const service = new Service();
    const id = service.send(1, "+250788111111", "hello");
    service.sync(1, [{ type: "mt_fail", id, timeMs: startsAtMs }]);
    expect(service.statuses).toEqual(["1F"]);
    expect(service.events).toEqual([]);
    expect(service.sync(1)).toEqual({ accepted: true, commands: [] });
  });

  it("acks and drops texts and calls without a number, and calls of type unk, each by its own cause", () => {
    const service = new Service();
    service.ledger.in("texts");
    service.ledger.in("calls", 2);
    const call = { type: "call" as const, timeMs: startsAtMs, durationS: 0 };
    const answer = service.sync(1, [
      { ...text("hello"), phone: "" },
      { ...call, call: "mo_miss", phone: "" },
      { ...call, call: "unk", phone: "+250788111111" },
    ]);
    expect(answer).toMatchObject({ accepted: true, commands: [{ report: 1 }, { report: 2 }, { report: 3 }] });
    expect([service.messages, service.calls, service.contacts, service.events]).toEqual([[], [], [], []]);
    const { texts, calls } = service.ledger.close({ texts: 0, calls: 0, events: 0, attempts: 0 });
    expect(texts).toMatchObject({ lost: { withheld: 1 }, gap: 0 });
    expect(calls).toMatchObject({ lost: { "unknown-call-type": 1, withheld: 1 }, gap: 0 });
  });

  it("acks a report for a message of another channel, and notes it", () => {
    const service = new Service();
    expect(service.sync(1, [{ type: "mt_sent", id: 99, timeMs: startsAtMs }])).toMatchObject({
      commands: [{ type: "ack" }],
    });
    expect(service.notes).toMatchObject([{ channel: 1, kind: "report-ignored" }]);
    expect(service.events).toEqual([]);
  });

  it("records calls with their duration, numbered apart from messages", () => {
    const service = new Service();
    service.sync(2, [
      { type: "call", call: "mo_miss", phone: "+250788111111", timeMs: startsAtMs, durationS: 0 },
      { type: "call", call: "mt_call", phone: "+250788111111", timeMs: startsAtMs + 1500, durationS: 47 },
    ]);
    expect(service.events).toMatchObject([
      { event: "mo_miss", relayer: "2", call: String(2 * 2 ** 20 + 1), duration: "0", time: "2026-03-04T06:00:00.000" },
      { event: "mt_call", call: String(2 * 2 ** 20 + 2), duration: "47", time: "2026-03-04T06:00:01.500" },
    ]);
    expect(service.calls).toHaveLength(2);
  });

  it("refuses a phone whose clock is more than 15 minutes off: applies nothing, and does not count it as seen", () => {
    const service = new Service();
    service.passTo(31 * 60_000 - 1);
    const minute = 60_000;
    expect(service.sync(1, [text("join")], { skewMs: 15 * minute + 1 })).toEqual({
      accepted: false,
      error: "old-request",
    });
    expect(service.sync(1, [text("join")], { skewMs: -15 * minute - 1 })).toEqual({
      accepted: false,
      error: "old-request",
    });
    expect(service.notes).toHaveLength(1);
    service.passTo(31 * minute);
    expect(service.events.map(({ event, relayer }) => [event, relayer])).toEqual([
      ["alarm", "1"],
      ["alarm", "2"],
    ]);
    expect(service.sync(1, [text("join")], { skewMs: -15 * minute })).toMatchObject({ accepted: true });
    expect(service.messages).toHaveLength(1);
  });

  it("drops a text of the same sender and second, and a call repeated in one sync, only when the preset says so", () => {
    const call = {
      type: "call" as const,
      call: "mo_miss" as const,
      phone: "+250788111111",
      timeMs: startsAtMs,
      durationS: 0,
    };
    const counts = [false, true].map((deduplicates) => {
      const service = new Service({ deduplicates, deduplicatesCalls: deduplicates });
      service.sync(1, [text("join", 100), text("join", 900), call, call]);
      service.sync(1, [text("join", 100), text("join", 1100), text("leave", 100), call]);
      return {
        texts: service.messages.length,
        calls: service.calls.length,
        ledger: service.ledger.close({ texts: 0, calls: 0, events: 0, attempts: 0 }),
      };
    });
    expect(counts.map(({ texts, calls }) => [texts, calls])).toEqual([
      [5, 3],
      [3, 2],
    ]);
    expect(counts[1]?.ledger.texts.lost).toEqual({ deduplicated: 2 });
    expect(counts[1]?.ledger.calls.lost).toEqual({ deduplicated: 1 });
  });

  it("spells events by the preset: historic ones name the contact and cut times to seconds", () => {
    const service = new Service({ base: "rapidpro-2016" });
    service.sync(1, [text("join", 4250)]);
    expect(service.events).toMatchObject([
      {
        relayer: "1",
        channel: "1",
        status: "P",
        urn: "tel:+250788111111",
        contact_name: "Ada",
        contact: service.contacts[0]?.uuid,
        time: "2026-03-04T06:00:04.000000",
      },
    ]);
  });
});
