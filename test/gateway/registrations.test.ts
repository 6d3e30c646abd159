import { describe, expect, it } from "vitest";
import { Recording } from "../../src/store/index.js";
import type { Command, PhoneRegistration, Report } from "../../src/wire/index.js";
import { device, Service, startsAtMs } from "./service.js";

const ada = "+250788111111";
const nextId = 1_000_001;

function text(words: string): Report {
  return { type: "mo_sms", phone: ada, text: words, timeMs: startsAtMs };
}

/** A sync of the first phone under a registration. @returns the commands of the answer */
function sync(
  service: Service,
  registration: Partial<PhoneRegistration>,
  reports: readonly Report[] = [],
): readonly Command[] {
  const answer = service.gateway.sync(1, {
    clockAtMs: startsAtMs + service.kernel.now,
    status: device,
    registration: { relayer: 1, org: 1, install: 0, ...registration },
    reports,
  });
  if (!answer.accepted) throw new Error(answer.error);
  return answer.commands;
}

/** The service, after the app of its first phone was installed again. */
function reinstalled(): Service {
  const service = new Service();
  expect(sync(service, { relayer: 0, install: 1 })).toEqual([{ type: "reg", relayer: nextId }]);
  return service;
}

/** Ids and numbers in the events so far. */
const relayers = (service: Service): string[][] =>
  service.events.map(({ event = "", relayer = "", relayer_phone: phone = "" }) => [event, relayer, phone]);

describe("a phone whose app was installed again", () => {
  it("is registered under another id, and its reports take no effect until it is claimed", () => {
    const service = reinstalled();
    expect(sync(service, { relayer: nextId, org: 0, install: 1 }, [text("lost")])).toEqual([
      { type: "reg", relayer: nextId },
    ]);
    expect(service.messages).toEqual([]);
    expect(service.gateway.inspectChannel(1)).toMatchObject({ relayer: 1, isActive: true });
  });

  it("emits its events under the new id once it is claimed, and the old channel is released", () => {
    const service = reinstalled();
    service.sync(2, [text("from the other phone")]);
    const waiting = service.send(1, ada, "queued");
    expect(service.gateway.claim(1, undefined)).toBeUndefined();
    expect(service.statuses).toEqual(["2F"]);
    expect(sync(service, { relayer: nextId, org: 0, install: 1 }, [text("hello")])).toEqual([
      { type: "claim", org: 1 },
      { type: "ack", report: 1 },
    ]);
    service.gateway.emitCustomEvent(1, "odd", []);
    service.gateway.raiseAlarm(1);
    expect(relayers(service)).toEqual([
      ["mo_sms", "2", "+250788000002"],
      ["mo_sms", String(nextId), "+250788000001"],
      ["odd", String(nextId), "+250788000001"],
      ["alarm", String(nextId), "+250788000001"],
    ]);
    expect(service.messages.at(-1)).toMatchObject({ id: waiting + 1, channel: 1 });
    expect(sync(service, {})).toEqual([{ type: "rel" }]);
  });

  it("is claimed when that was planned", () => {
    const service = new Service();
    service.gateway.planClaim(1, 600_000);
    service.passTo(60_000);
    sync(service, { relayer: 0, install: 1 });
    service.passTo(659_999);
    expect(service.gateway.inspectChannel(1).relayer).toBe(1);
    service.passTo(660_000);
    expect(service.gateway.inspectChannel(1).relayer).toBe(nextId);
  });
});

describe("a released channel", () => {
  it("fails its queue, sends nothing, emits nothing and raises no alarm", () => {
    const service = new Service();
    service.send(1, ada, "queued");
    expect(service.gateway.release(1)).toBeUndefined();
    expect(service.statuses).toEqual(["1F"]);
    expect(service.ledger.totals.texts).toMatchObject({ lost: 1 });
    expect(service.gateway.send(1, { phone: ada, text: "more", origin: "story" })).toBeUndefined();
    service.gateway.emitCustomEvent(1, "odd", []);
    service.gateway.raiseAlarm(1);
    service.passTo(2 * 3_600_000);
    expect(relayers(service)).toEqual([["alarm", "2", "+250788000002"]]);
    expect(service.notes.map(({ kind }) => kind)).toEqual([
      "released",
      "send-refused",
      "event-refused",
      "event-refused",
    ]);
    expect(service.gateway.release(1)).toBe("clinic/0 has no claimed channel to release");
    expect(service.gateway.claim(1, undefined)).toBe(
      "clinic/0 has not registered again yet: there is nothing to claim",
    );
  });

  it("gives its UUID up to the channel as which its phone registers again", () => {
    const service = new Service();
    const { uuid } = service.gateway.inspectChannel(1);
    service.gateway.release(1);
    expect(sync(service, {}, [text("gone")])).toEqual([{ type: "rel" }]);
    expect(sync(service, { relayer: 0 })).toEqual([{ type: "reg", relayer: nextId }]);
    service.gateway.claim(1, undefined);
    expect(service.gateway.inspectChannel(1)).toMatchObject({ uuid, relayer: nextId });
  });

  it("refuses replies through it and through its id, and takes those through the id that stands", () => {
    const service = new Service();
    const reply = (channel?: number): unknown =>
      service.gateway.applyReply(
        { channel: 1, number: 1 },
        { urns: [`tel:${ada}`], contacts: [], text: "Thanks", channel },
        undefined,
      );
    service.gateway.release(1);
    expect(reply()).toMatchObject({ reason: "released-channel", detail: "channel 1 of clinic/0 is not in use" });
    sync(service, { relayer: 0 });
    expect(reply(nextId)).toMatchObject({ kind: "ignored", reason: "released-channel" });
    service.gateway.claim(1, undefined);
    expect(reply(1)).toMatchObject({
      reason: "released-channel",
      detail: `channel 1 of clinic/0 is not in use; clinic/0 is channel ${nextId} now`,
    });
    expect(reply(2_000_001)).toMatchObject({ reason: "unknown-channel" });
    expect(reply()).toEqual({ kind: "sent", messages: [2 ** 20 + 1] });
    expect(reply(nextId)).toEqual({ kind: "sent", messages: [2 ** 20 + 2] });
  });

  it("stays released when its database is continued, with the claim that was planned", () => {
    const old = new Service();
    old.send(1, ada, "queued");
    old.gateway.release(1);
    old.gateway.planClaim(1, 600_000);
    old.passTo(60_000);
    sync(old, { relayer: 0 });
    old.gateway.saveChannels();
    const service = new Service({}, { recording: Recording.copyOf(old.recording.snapshot()) });
    expect(service.gateway.inspectChannel(1)).toMatchObject({ relayer: 1, isActive: false, queued: [] });
    expect([...service.gateway.phoneRegistrations()]).toEqual([
      { channel: 1, registration: { relayer: nextId, org: 0, install: 0 } },
    ]);
    service.passTo(660_000);
    expect(service.gateway.inspectChannel(1)).toMatchObject({ relayer: nextId, isActive: true });
  });
});

describe("a channel's number", () => {
  it("may be none: the field of its events is empty", () => {
    const service = new Service();
    expect(service.gateway.claim(1, "")).toBeUndefined();
    service.sync(1, [text("hello")]);
    expect(relayers(service)).toEqual([["mo_sms", "1", ""]]);
  });

  it("that another channel has is refused, and the problem names that channel", () => {
    const service = reinstalled();
    expect(service.gateway.claim(1, "+250788000002")).toBe(
      "the number +250788000002 for clinic/0 is in use: channel 2 of clinic/1 has it, so the claim was refused",
    );
    expect(service.gateway.inspectChannel(1)).toMatchObject({ relayer: 1, phone: "+250788000001" });
  });

  it("that another channel has is accepted by the preset of 2016: the other's messages are offered here", () => {
    const service = new Service({ base: "rapidpro-2016" });
    expect(service.gateway.claim(1, "+250788000002")).toBeUndefined();
    expect(service.notes.map(({ kind, text: words }) => [kind, words])).toEqual([
      [
        "number-in-use",
        "the number +250788000002 for clinic/0 is in use: channel 2 of clinic/1 has it, too; " +
          "messages for clinic/1 are now offered to clinic/0",
      ],
    ]);
    const id = service.send(2, ada, "stray");
    expect(service.pushes).toContain(1);
    expect(service.sync(2)).toEqual({ accepted: true, commands: [] });
    expect(service.sync(1)).toMatchObject({ commands: [{ type: "send", id, text: "stray" }] });
    service.gateway.release(1);
    expect(service.send(2, ada, "back")).toBe(2 * 2 ** 20 + 1);
  });
});
