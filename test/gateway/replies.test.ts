import { describe, expect, it } from "vitest";
import { Service, startsAtMs } from "./service.js";

const event = { channel: 1, number: 1 };
const reply = (fields: { urns?: string[]; contacts?: string[]; channel?: number }) => ({
  urns: [],
  contacts: [],
  text: "Thanks",
  ...fields,
});

describe("a reply", () => {
  it("queues one message to each recipient, through the channel of the answered event", () => {
    const service = new Service();
    service.sync(2, [{ type: "mo_sms", phone: "+250788111112", text: "join", timeMs: startsAtMs }]);
    const contacts = [service.contacts[0]?.uuid.toUpperCase() ?? ""];
    const effect = service.gateway.applyReply(
      event,
      reply({ urns: ["tel:+250788111111", "tel:+250788111112"], contacts }),
      undefined,
    );
    expect(effect).toEqual({ kind: "sent", messages: [2 ** 20 + 1, 2 ** 20 + 2] });
    expect(service.messages.slice(1)).toMatchObject([
      {
        channel: 1,
        direction: "O",
        status: "Q",
        phone: "+250788111111",
        text: "Thanks",
        origin: "reply",
        replyTo: { channel: 1, event: 1 },
      },
      { channel: 1, direction: "O", status: "Q", phone: "+250788111112" },
    ]);
    expect(service.pushes).toEqual([1]);
  });

  it("goes through the channel last seen when the preset says so, or through the channel that it names", () => {
    const service = new Service({ base: "rapidpro-2016" });
    service.sync(1);
    service.sync(2);
    service.gateway.applyReply(event, reply({ urns: ["tel:+250788111111"] }), undefined);
    service.gateway.applyReply(event, reply({ urns: ["tel:+250788111111"], channel: 1 }), undefined);
    expect(service.messages.map(({ channel }) => channel)).toEqual([2, 1]);
  });

  it.each([
    ["unknown-contact", { contacts: ["5d1c7b0e-6f6e-4d0b-8c58-0f3c3d7f1a21"], urns: ["tel:+250788111111"] }],
    ["bad-urn", { urns: ["telegram:12345"] }],
    ["unknown-channel", { urns: ["tel:+250788111111"], channel: 3 }],
    ["no-recipient", {}],
  ])("is ignored whole: %s", (reason, fields) => {
    const service = new Service();
    expect(service.gateway.applyReply(event, reply(fields), "+250788111111")).toMatchObject({
      kind: "ignored",
      reason,
    });
    expect(service.messages).toEqual([]);
    expect(service.pushes).toEqual([]);
  });

  it("goes to the sender when it names no recipient and the preset allows it", () => {
    const service = new Service({ replyToSender: true });
    expect(service.gateway.applyReply(event, reply({}), "+250788111111")).toMatchObject({ kind: "sent" });
    expect(service.messages).toMatchObject([{ phone: "+250788111111" }]);
    expect(service.gateway.applyReply(event, reply({}), undefined)).toMatchObject({ reason: "no-recipient" });
  });
});

describe("a contact that is blocked or has opted out", () => {
  it.each(["blocked", "stopped"] as const)(
    "gets nothing while it is %s: neither replies nor texts by hand",
    (state) => {
      const service = new Service();
      const { contacts } = service.account;
      const phone = "+250788111111";
      service.gateway.send(1, { phone, text: "before", origin: "hand" });
      const contact = service.contacts[0];
      if (contact === undefined) throw new Error("the service has no contact");
      contacts.setState(contact, state);
      const refused = {
        kind: "ignored",
        reason: "contact-gets-nothing",
        detail: `the contact with ${phone} is blocked or has opted out`,
      };
      for (const fields of [
        { urns: [`tel:${phone}`] },
        { contacts: [contact.uuid] },
        { urns: ["tel:+250788111112", `tel:${phone}`] },
      ]) {
        expect(service.gateway.applyReply(event, reply(fields), undefined)).toEqual(refused);
      }
      expect(service.gateway.send(1, { phone, text: "by hand", origin: "hand" })).toBeUndefined();
      expect(service.messages).toHaveLength(1);
      expect(service.pushes).toEqual([1]);
      expect(service.notes).toMatchObject([{ kind: "send-refused", channel: 1 }]);
      expect(service.ledger.totals.texts.in).toBe(1);
      expect(service.contacts).toHaveLength(1);

      contacts.setState({ ...contact, state }, "active");
      expect(service.gateway.send(1, { phone, text: "after", origin: "hand" })).toBe(2 ** 20 + 2);
    },
  );
});

describe("an event by hand", () => {
  it("of an unknown type carries its fields, and adds the channel's", () => {
    const service = new Service();
    service.gateway.emitCustomEvent(2, "power_restored", [
      ["relayer_phone", "+1"],
      ["note", "a & b"],
    ]);
    expect(service.emissions[0]?.body).toBe("event=power_restored&relayer=2&relayer_phone=%2B1&note=a+%26+b");
  });

  it("of a flow carries the collected values", () => {
    const service = new Service();
    service.gateway.emitFlowEvent(1, {
      phone: "+250788111111",
      flow: 504,
      name: "Water survey",
      language: "eng",
      step: "3c1d4f6e-7b0a-4f0d-9d6f-2a5b8f0c9e11",
      values: [{ label: "Water", category: "Borehole", value: "2", text: "2 the borehole", time: startsAtMs }],
    });
    expect(service.events[0]).toMatchObject({
      event: "flow",
      flow: "504",
      flow_name: "Water survey",
      flow_base_language: "eng",
    });
    expect(JSON.parse(service.events[0]?.["values"] ?? "")).toEqual([
      { label: "Water", category: "Borehole", value: "2", text: "2 the borehole", time: "2026-03-04T06:00:00.000" },
    ]);
  });
});
