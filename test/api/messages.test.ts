import { beforeEach, describe, expect, it } from "vitest";
import { startsAtMs } from "../gateway/service.js";
import { expectConforming } from "./conforms.js";
import { type Answered, Rig } from "./rig.js";

const [ada, ben] = ["+250788111111", "+250788222222"];
const first = 2 ** 20;

/** A text that a person sent `agoMs` before the phone reports it. */
function texts(rig: Rig, from: string, ...bodies: readonly string[]): void {
  const timeMs = startsAtMs + rig.service.kernel.now - 1500;
  rig.service.sync(
    1,
    bodies.map((text) => ({ type: "mo_sms", phone: from, text, timeMs })),
  );
}

function bodiesOf({ body }: Answered): string[] {
  return body.results.map(({ text }: { text: string }) => text);
}

describe("messages", () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await Rig.start();
    rig.service.passTo(1000);
    texts(rig, ada, "in 1", "in 2");
    rig.service.passTo(2000);
    rig.service.send(2, ada, "out 1");
    rig.service.passTo(3000);
    texts(rig, ben, "in 3");
  });

  const list = async (query: string): Promise<string[]> => bodiesOf(await rig.get(`messages.json?${query}`));

  it("are listed newest first, with every field that old and new clients read", async () => {
    await rig.post("labels.json", { name: "Urgent" });
    await rig.post("message_actions.json", { messages: [first + 1], action: "label", label: "Urgent" });
    const answered = await rig.get("messages.json");
    expectConforming(rig, "GET messages.json", answered);
    expect(bodiesOf(answered)).toEqual(["in 3", "out 1", "in 2", "in 1"]);
    const [, out, , in1] = answered.body.results;
    const contacts = (await rig.get("contacts.json")).body.results;
    const { uuid } = contacts.find(({ name }: { name: string | null }) => name === "Ada");
    const [channel2, channel1] = (await rig.get("channels.json")).body.results;
    const label = (await rig.get("labels.json")).body.results[0];
    expect(in1).toEqual({
      id: first + 1,
      uuid: in1.uuid,
      broadcast: null,
      contact: { uuid, name: "Ada" },
      urn: `tel:${ada}`,
      channel: { uuid: channel1.uuid, name: "clinic/0" },
      direction: "in",
      type: "inbox",
      status: "handled",
      archived: false,
      visibility: "visible",
      text: "in 1",
      labels: [{ uuid: label.uuid, name: "Urgent" }],
      flow: null,
      attachments: [],
      quick_replies: [],
      created_on: "2026-03-04T06:00:01.000000Z",
      sent_on: "2026-03-04T05:59:59.500000Z",
      modified_on: "2026-03-04T06:00:03.000000Z",
      media: null,
    });
    expect(out).toMatchObject({
      direction: "out",
      status: "queued",
      channel: { uuid: channel2.uuid },
      sent_on: null,
      labels: [],
    });
  });

  it("follow the phone's reports: sent at the reported time, modified at the time of the report", async () => {
    const id = 2 * first + 1;
    const one = async () => (await rig.get(`messages.json?id=${id}`)).body.results[0];
    rig.service.passTo(10_000);
    rig.service.sync(2, [{ type: "mt_sent", id, timeMs: startsAtMs + 8000 }]);
    expect(await one()).toMatchObject({
      status: "sent",
      sent_on: "2026-03-04T06:00:08.000000Z",
      modified_on: "2026-03-04T06:00:10.000000Z",
    });
    rig.service.passTo(20_000);
    rig.service.sync(2, [{ type: "mt_dlvd", id, timeMs: startsAtMs + 19_000 }]);
    expect(await one()).toMatchObject({
      status: "delivered",
      sent_on: "2026-03-04T06:00:08.000000Z",
      modified_on: "2026-03-04T06:00:20.000000Z",
    });
    const failing = rig.service.send(2, ada, "out 2");
    rig.service.sync(2, [{ type: "mt_fail", id: failing, timeMs: startsAtMs }]);
    expect((await rig.get(`messages.json?id=${failing}`)).body.results).toMatchObject([
      { status: "failed", sent_on: null },
    ]);
  });

  it("are filtered by id, UUID, contact, label and time, in any combination", async () => {
    const [newest] = (await rig.get("messages.json")).body.results;
    const contact = newest.contact.uuid;
    await rig.post("message_actions.json", { messages: [first + 1, first + 3], action: "label", label_name: "Urgent" });
    const label = (await rig.get("labels.json")).body.results[0].uuid;
    expect(await list(`id=${first + 2}`)).toEqual(["in 2"]);
    expect(await list(`uuid=${newest.uuid}`)).toEqual(["in 3"]);
    expect(await list(`uuid=${newest.uuid.toUpperCase()}`)).toEqual(["in 3"]);
    expect(await list(`contact=${contact}`)).toEqual(["in 3"]);
    expect(await list("label=Urgent")).toEqual(["in 3", "in 1"]);
    expect(await list(`label=${label}`)).toEqual(["in 3", "in 1"]);
    expect(await list("label=urgent")).toEqual(["in 3", "in 1"]);
    expect(await list(`label=Urgent&contact=${contact}&folder=INBOX`)).toEqual(["in 3"]);
    expect(await list("label=Urgent&folder=incoming")).toEqual(["in 3", "in 1"]);
    expect(await list("label=Urgent&after=2026-03-04T06:00:02.000")).toEqual(["in 3"]);
    expect(await list("after=2026-03-04T06:00:02.000&before=2026-03-04T06:00:03.000")).toEqual(["in 3", "out 1"]);
    const nowhere = "00000000-0000-4000-8000-000000000000";
    for (const query of [
      "id=7",
      `uuid=${nowhere}`,
      "uuid=x",
      `contact=${nowhere}`,
      "label=%00",
      "broadcast=9",
      "folder=trash",
      "before=noon",
      `contact=${contact}&folder=outbox`,
    ]) {
      expect(await list(query), query).toEqual([]);
    }
    for (const name of ["id", "broadcast"]) {
      expect(await rig.get(`messages.json?${name}=x`)).toMatchObject({
        status: 400,
        body: { detail: `Value for ${name} must be an integer` },
      });
    }
  });

  it("are listed by folder", async () => {
    const { service } = rig;
    for (const [text, type] of [
      ["sent", "mt_sent"],
      ["delivered", "mt_dlvd"],
      ["failed", "mt_fail"],
    ] as const) {
      service.sync(2, [{ type, id: service.send(2, ada, text), timeMs: startsAtMs }]);
    }
    await rig.post("message_actions.json", { messages: [first + 1], action: "archive" });
    expect(await list("folder=inbox")).toEqual(["in 3", "in 2"]);
    expect(await list("folder=Flows")).toEqual([]);
    expect(await list("folder=archived")).toEqual(["in 1"]);
    expect(await list("folder=outbox")).toEqual(["out 1"]);
    expect(await list("folder=SENT")).toEqual(["delivered", "sent"]);
    expect(await list("folder=failed")).toEqual(["failed"]);
  });

  it("in the folder incoming are sorted by modification, deleted ones included", async () => {
    rig.service.passTo(5000);
    await rig.post("message_actions.json", { messages: [first + 1], action: "archive" });
    rig.service.passTo(6000);
    await rig.post("message_actions.json", { messages: [first + 2], action: "delete" });
    const { results } = (await rig.get("messages.json?folder=Incoming")).body;
    expect(results.map(({ text, visibility }: Record<string, string>) => [text, visibility])).toEqual([
      ["", "deleted"],
      ["in 1", "archived"],
      ["in 3", "visible"],
    ]);
    expect(await list("folder=incoming&after=2026-03-04T06:00:05.000")).toEqual(["", "in 1"]);
    expect(await list("folder=incoming&before=2026-03-04T06:00:05.000")).toEqual(["in 1", "in 3"]);
    expect(await list("")).toEqual(["in 3", "out 1", "in 1"]);
  });

  it("of a deleted contact are gone", async () => {
    const contact = (await rig.get("messages.json")).body.results.at(-1).contact.uuid;
    rig.service.passTo(4000);
    await rig.delete(`contacts.json?uuid=${contact}`);
    expect(await list("")).toEqual(["in 3"]);
    expect(await list(`contact=${contact}`)).toEqual([]);
    expect(await list("folder=incoming")).toEqual(["", "", "in 3"]);
    // The phone has the message already; its report adds no new contact.
    rig.service.sync(2, [{ type: "mt_sent", id: 2 * first + 1, timeMs: startsAtMs }]);
    expect((await rig.get("contacts.json")).body.results).toHaveLength(1);
  });

  it("hide addresses when the account does", async () => {
    rig.service.account.organisation.set({ isAnonymous: true });
    for (const { urn } of (await rig.get("messages.json")).body.results) expect(urn).toBeNull();
  });

  it("have pages of 250 that stay stable", async () => {
    const walked: string[] = [];
    texts(rig, ada, ...Array.from({ length: 600 }, (_, index) => `many ${index}`));
    let url: string | null = "messages.json?folder=inbox";
    for (; url !== null; rig.service.passTo(rig.service.kernel.now + 1000)) {
      const page = await rig.get(url);
      walked.push(...bodiesOf(page));
      texts(rig, ben, "late");
      url = page.body.next?.slice(page.body.next.indexOf("messages.json")) ?? null;
    }
    expect(walked).toHaveLength(603);
    expect(new Set(walked).size).toBe(603);
    expect(walked[0]).toBe("many 599");
  });
});

describe("a posted message", () => {
  it("goes to one contact, without template evaluation, through the best channel", async () => {
    const rig = await Rig.start();
    const contact = rig.service.account.contacts.add({ name: "Ada", urns: [`tel:${ada}`] });
    const answered = await rig.post("messages.json", {
      contact: contact.uuid,
      text: "Hello @contact.name",
      quick_replies: ["yes", { text: "no", extra: null }],
    });
    expectConforming(rig, "POST messages.json", answered);
    expect(answered).toMatchObject({
      status: 201,
      body: {
        direction: "out",
        status: "queued",
        text: "Hello @contact.name",
        contact: { name: "Ada" },
        broadcast: null,
      },
    });
    expect(rig.service.pushes).toEqual([rig.service.messages[0]?.channel]);
  });

  it("is refused when it cannot be sent", async () => {
    const rig = await Rig.start();
    const { contacts } = rig.service.account;
    const far = contacts.add({ urns: ["mailto:dan@example.org"] });
    const blocked = contacts.add({ urns: [`tel:${ada}`], state: "blocked" });
    const text = "Hello";
    for (const [body, errors] of [
      [{ text }, { contact: ["This field is required."] }],
      [
        { contact: "x", text: "" },
        { contact: ["No such object: x"], text: ["This field may not be blank."] },
      ],
      [{ contact: far.uuid, text }, { contact: ["This contact has no phone number."] }],
      [{ contact: blocked.uuid, text }, { contact: ["This contact is blocked and gets nothing."] }],
      [{ contact: far.uuid, text, attachments: ["x"] }, { attachments: ["No such object: x"] }],
      [{ contact: far.uuid, text, quick_replies: [{}] }, { quick_replies: ["A quick reply needs a text."] }],
      [
        { contact: far.uuid, text: "x".repeat(4097) },
        { text: ["Ensure this field has no more than 4096 characters."] },
      ],
    ]) {
      expect(await rig.post("messages.json", body)).toMatchObject({ status: 400, body: errors });
    }
    expect(rig.service.messages).toEqual([]);
  });

  it("is newer than the reference: strict mode lacks the method", async () => {
    const rig = await Rig.start({ isStrict: true });
    const answered = await rig.post("messages.json", {});
    expectConforming(rig, "POST messages.json", answered);
    expect(answered).toMatchObject({ status: 405, body: { detail: 'Method "POST" not allowed.' } });
    expect(answered.headers["allow"]).toBe("GET, HEAD, OPTIONS");
  });

  it("in strict mode folder, contact, label and broadcast exclude each other", async () => {
    const rig = await Rig.start({ isStrict: true });
    expect(await rig.get("messages.json?folder=inbox&broadcast=1")).toMatchObject({
      status: 400,
      body: { detail: "Use only one of: contact, folder, label, broadcast" },
    });
  });
});
