import { beforeEach, describe, expect, it } from "vitest";
import { startsAtMs } from "../gateway/service.js";
import { expectConforming } from "./conforms.js";
import { type Answered, Rig } from "./rig.js";

describe("contact_actions", () => {
  let rig: Rig;
  let amina: string;
  let brian: string;
  beforeEach(async () => {
    rig = await Rig.start();
    await rig.post("groups.json", { name: "Farmers" });
    amina = (await rig.post("contacts.json", { name: "Amina", urns: ["tel:+254711000222"] })).body.uuid;
    brian = (await rig.post("contacts.json", { name: "Brian", urns: ["tel:+254711000333"] })).body.uuid;
    rig.service.passTo(60_000);
  });

  async function act(action: string, contacts: readonly unknown[], more: object = {}): Promise<Answered> {
    const answered = await rig.post("contact_actions.json", { contacts, action, ...more });
    expectConforming(rig, "POST contact_actions.json", answered);
    return answered;
  }

  async function done(action: string, contacts: readonly unknown[], more: object = {}): Promise<void> {
    expect(await act(action, contacts, more)).toMatchObject({ status: 204, body: "" });
  }

  async function contact(uuid: string): Promise<Answered["body"]> {
    return (await rig.get(`contacts.json?uuid=${uuid}`)).body.results[0];
  }

  async function members(): Promise<string[]> {
    return (await rig.get("contacts.json?group=Farmers&reverse=1")).body.results.map(
      (one: { name: string }) => one.name,
    );
  }

  function text(phone: string): void {
    rig.service.sync(1, [{ type: "mo_sms", phone, text: "hello", timeMs: startsAtMs + rig.service.kernel.now }]);
  }

  it("adds contacts to a group and removes them, by UUID and by URN, each contact once", async () => {
    await done("add", [amina, "tel:+254 711 000 333", amina.toUpperCase()], { group: "farmers" });
    expect(await members()).toEqual(["Amina", "Brian"]);
    expect((await rig.get("groups.json")).body.results).toMatchObject([{ count: 2 }]);
    expect(await contact(amina)).toMatchObject({ modified_on: "2026-03-04T06:01:00.000000Z" });
    rig.service.passTo(120_000);
    await done("add", [amina], { group: "Farmers" });
    expect(await contact(amina)).toMatchObject({ modified_on: "2026-03-04T06:01:00.000000Z" });
    await done("remove", [amina], { group: "Farmers" });
    await done("remove", [amina], { group: "Farmers" });
    expect(await members()).toEqual(["Brian"]);
    expect(await contact(amina)).toMatchObject({ groups: [], modified_on: "2026-03-04T06:02:00.000000Z" });
  });

  it("blocks a contact: it leaves all groups, and its texts are archived at once", async () => {
    await done("add", [amina, brian], { group: "Farmers" });
    text("+254711000222");
    await done("block", [amina]);
    expect(await contact(amina)).toMatchObject({ status: "blocked", blocked: true, groups: [] });
    expect(await members()).toEqual(["Brian"]);
    text("+254711000222");
    expect(rig.service.messages.map(({ visibility }) => visibility)).toEqual(["visible", "archived"]);
    const refused = {
      status: 400,
      body: { non_field_errors: [`Blocked or stopped contacts cannot join groups: ${amina}`] },
    };
    expect(await act("add", [brian, amina], { group: "Farmers" })).toMatchObject(refused);
    await done("unblock", [amina]);
    expect(await contact(amina)).toMatchObject({ status: "active", blocked: false, groups: [] });
    text("+254711000222");
    expect(rig.service.messages.at(-1)).toMatchObject({ visibility: "visible" });
  });

  it("changes all contacts or none: one that cannot join refuses the request", async () => {
    const { uuid } = rig.service.account.contacts.add({ name: "Out", state: "stopped" });
    expect(await act("add", [amina, uuid], { group: "Farmers" })).toMatchObject({ status: 400 });
    expect(await members()).toEqual([]);
  });

  it("unblocks blocked contacts, not those who have opted out", async () => {
    const { uuid } = rig.service.account.contacts.add({ state: "stopped", urns: ["tel:+254711000444"] });
    await done("unblock", [uuid, brian]);
    expect(await contact(uuid)).toMatchObject({ status: "stopped", stopped: true });
    await done("block", [uuid]);
    expect(await contact(uuid)).toMatchObject({ status: "blocked", stopped: false, blocked: true });
  });

  it("reactivates a contact who has opted out when they write", async () => {
    const { uuid } = rig.service.account.contacts.add({ state: "stopped", urns: ["tel:+254711000444"] });
    const call = { type: "call", call: "mo_miss", phone: "+254711000444", timeMs: startsAtMs, durationS: 0 } as const;
    rig.service.sync(1, [call]);
    expect(await contact(uuid)).toMatchObject({ status: "stopped" });
    text("+254711000444");
    expect(await contact(uuid)).toMatchObject({ status: "active", last_seen_on: "2026-03-04T06:01:00.000000Z" });
    expect(rig.service.messages).toMatchObject([{ visibility: "visible" }]);
  });

  it("deletes", async () => {
    await done("delete", [amina, "tel:+254711000222"]);
    expect((await rig.get("contacts.json")).body.results).toMatchObject([{ name: "Brian" }]);
    expect((await rig.get("contacts.json?deleted=1")).body.results).toMatchObject([{ uuid: amina }]);
    expect(await act("delete", [amina])).toMatchObject({ status: 400 });
    expect(await act("delete", ["tel:+254711000222"])).toMatchObject({ status: 400 });
  });

  it("accepts an empty list of contacts", async () => {
    await done("delete", []);
    expect((await rig.get("contacts.json")).body.results).toHaveLength(2);
  });

  it.each([
    [{}, { contacts: ["This field is required."], action: ["This field is required."] }],
    [{ contacts: "a", action: "block" }, { contacts: ['Expected a list of items but got type "str".'] }],
    [{ contacts: null, action: null }, expect.objectContaining({ contacts: ["This field may not be null."] })],
    [{ contacts: [], action: "Block" }, { action: ['"Block" is not a valid choice.'] }],
    [{ contacts: [], action: ["block"] }, { action: [expect.stringContaining("is not a valid choice.")] }],
    [{ contacts: ["nobody"], action: "block" }, { contacts: ["No such object: nobody"] }],
    [{ contacts: ["tel:nobody"], action: "block" }, { contacts: ["No such object: tel:nobody"] }],
    [{ contacts: [{}], action: "block" }, { contacts: ["Must be a string or integer"] }],
    [{ contacts: [null], action: "block" }, { contacts: ["This field may not be null."] }],
    [{ contacts: ["a\0"], action: "block" }, { contacts: ["Null characters are not allowed."] }],
    [{ contacts: [], action: "add" }, { non_field_errors: ["The action add needs a group"] }],
    [{ contacts: [], action: "remove" }, { non_field_errors: ["The action remove needs a group"] }],
    [{ contacts: [], action: "add", group: "" }, { group: ["This field may not be null."] }],
    [{ contacts: [], action: "add", group: "Nobody" }, { group: ["No such object: Nobody"] }],
    [{ contacts: [], action: "add", group: ["Farmers"] }, { group: ["Must be a string or integer"] }],
    [{ contacts: [], action: "block", group: "Farmers" }, { non_field_errors: ["The action block takes no group"] }],
    [{ contacts: Array(101).fill("x"), action: "block" }, { contacts: ["At most 100 items are allowed here."] }],
  ])("refuses %j", async (body, errors) => {
    const answered = await rig.post("contact_actions.json", body);
    expect(answered).toMatchObject({ status: 400 });
    expect(answered.body).toEqual(errors);
    expectConforming(rig, "POST contact_actions.json", answered);
  });

  it("does nothing when one of many is unknown", async () => {
    expect(await act("delete", [amina, brian, "tel:+254711999999"])).toMatchObject({ status: 400 });
    expect((await rig.get("contacts.json")).body.results).toHaveLength(2);
  });

  it("archives the messages of contacts, under both names of the action", async () => {
    for (const phone of ["+254711000222", "+254711000333"]) text(phone);
    const inbox = async (): Promise<Answered["body"][]> => (await rig.get("messages.json?folder=inbox")).body.results;
    await done("archive", [amina]);
    expect(await inbox()).toMatchObject([{ contact: { uuid: brian } }]);
    await done("archive_messages", [brian]);
    expect(await inbox()).toEqual([]);
    expect((await rig.get("messages.json?folder=archived")).body.results).toHaveLength(2);
    expect((await rig.get("contacts.json")).body.results).toHaveLength(2);
  });

  it("refuses GET", async () => {
    expect((await rig.get("contact_actions.json")).status).toBe(405);
    expect((await rig.delete("contact_actions.json")).status).toBe(405);
  });
});

describe("queued messages to a contact", () => {
  it("fail and are never sent when it is blocked or deleted before a phone was offered them", async () => {
    const rig = await Rig.start();
    const phones = ["+254711000901", "+254711000902", "+254711000903"];
    const uuids: string[] = [];
    for (const phone of phones) uuids.push((await rig.post("contacts.json", { urns: [`tel:${phone}`] })).body.uuid);
    await rig.post("broadcasts.json", { text: "secret", contacts: uuids });
    rig.service.passTo(rig.service.kernel.now + 1000);
    await rig.post("contact_actions.json", { contacts: [uuids[0]], action: "block" });
    await rig.delete(`contacts.json?uuid=${uuids[1]}`);
    const offered = [1, 2].flatMap((channel) => {
      const answer = rig.service.sync(channel);
      return answer.accepted ? answer.commands : [];
    });
    expect(offered).toEqual([expect.objectContaining({ type: "send", phone: phones[2] })]);
    expect((await rig.get("messages.json?folder=failed")).body.results).toMatchObject([{ text: "secret" }]);
    // A message that a phone was offered cannot be withdrawn.
    await rig.delete(`contacts.json?uuid=${uuids[2]}`);
    const { lost } = rig.service.ledger.close({ texts: 1, calls: 0, events: 0, attempts: 0 }).texts;
    expect(lost).toEqual({ "contact-gets-nothing": 2 });
  });
});
