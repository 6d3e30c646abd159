import { beforeEach, describe, expect, it } from "vitest";
import { expectConforming } from "./conforms.js";
import { Rig } from "./rig.js";

const nowhere = "00000000-0000-4000-8000-000000000000";

describe("broadcasts", () => {
  let rig: Rig;
  let ada: string;
  let group: string;
  beforeEach(async () => {
    rig = await Rig.start();
    ada = (await rig.post("contacts.json", { name: "Ada", language: "swa", urns: ["tel:+250788111111"] })).body.uuid;
    group = (await rig.post("groups.json", { name: "Farmers" })).body.uuid;
    await rig.post("contacts.json", { name: "Ben", urns: ["tel:+250788222222"], groups: ["Farmers"] });
  });

  it("are answered before their messages exist, and then create one for each contact", async () => {
    const channel = (await rig.get("channels.json")).body.results[0];
    const answered = await rig.post("broadcasts.json", {
      text: { eng: "Hello @contact.name", swa: "Habari @contact.name" },
      urns: ["tel:+250 788 333 333", "tel:+250788111111"],
      contacts: [ada, "tel:+250788111111"],
      groups: ["FARMERS"],
      channel: channel.uuid,
    });
    expectConforming(rig, "POST broadcasts.json", answered);
    const { id, uuid } = answered.body;
    expect(answered).toMatchObject({ status: 201 });
    expect(answered.body).toEqual({
      id: 1,
      uuid,
      urns: ["tel:+250788333333", "tel:+250788111111"],
      contacts: [{ uuid: ada, name: "Ada" }],
      groups: [{ uuid: group, name: "Farmers" }],
      text: { eng: "Hello @contact.name", swa: "Habari @contact.name" },
      status: "queued",
      created_on: "2026-03-04T06:00:00.000000Z",
      base_language: "eng",
      progress: { total: -1, started: 0 },
      attachments: {},
      quick_replies: {},
    });
    expect((await rig.get("messages.json")).body.results).toEqual([]);
    expect((await rig.get("contacts.json?urn=tel:%2B250788333333")).body.results).toMatchObject([{ name: null }]);
    rig.service.passTo(1000);
    const messages = (await rig.get(`messages.json?broadcast=${id}`)).body.results;
    expect(messages.map(({ text }: { text: string }) => text)).toEqual([
      "Hello 0788 333 333",
      "Hello Ben",
      "Habari Ada",
    ]);
    for (const message of messages) {
      expect(message).toMatchObject({
        broadcast: id,
        type: "inbox",
        status: "queued",
        channel: { uuid: channel.uuid, name: channel.name },
      });
    }
    const listed = await rig.get("broadcasts.json");
    expectConforming(rig, "GET broadcasts.json", listed);
    expect(listed.body.results).toMatchObject([{ id, status: "sent", progress: { total: 3, started: 3 } }]);
  });

  it("have a text in the account's language, or in `base` without one", async () => {
    expect((await rig.post("broadcasts.json", { text: "Hello" })).body).toMatchObject({
      text: { eng: "Hello" },
      base_language: "eng",
    });
    rig.service.account.organisation.set({ primaryLanguage: null });
    expect((await rig.post("broadcasts.json", { text: "Hello" })).body).toMatchObject({
      text: { base: "Hello" },
      base_language: "base",
    });
  });

  it("without recipients are sent at once; strict mode refuses them", async () => {
    expect(await rig.post("broadcasts.json", { text: "Hello", contacts: [] })).toMatchObject({
      status: 201,
      body: { status: "sent", progress: { total: 0, started: 0 } },
    });
    const strict = await Rig.start({ isStrict: true });
    expect(await strict.post("broadcasts.json", { text: "Hello" })).toMatchObject({
      status: 400,
      body: { non_field_errors: ["Give at least one of urns, contacts or groups"] },
    });
  });

  it("are listed and filtered by id, UUID and time, and hide addresses when the account does", async () => {
    await rig.post("broadcasts.json", { text: "one", urns: ["tel:+250788111111"] });
    rig.service.passTo(10_000);
    const { uuid } = (await rig.post("broadcasts.json", { text: "two", contacts: [ada] })).body;
    const list = async (query: string): Promise<string[]> => {
      const { results } = (await rig.get(`broadcasts.json?${query}`)).body;
      return results.map(({ text }: { text: Record<string, string> }) => text["eng"]);
    };
    expect(await list("")).toEqual(["two", "one"]);
    expect(await list("id=1")).toEqual(["one"]);
    expect(await list(`uuid=${uuid}`)).toEqual(["two"]);
    expect(await list("after=2026-03-04T06:00:10.000")).toEqual(["two"]);
    expect(await list("before=2026-03-04T06:00:09.999")).toEqual(["one"]);
    for (const query of ["id=3", `uuid=${nowhere}`, "uuid=x", "after=soon"]) expect(await list(query)).toEqual([]);
    rig.service.account.organisation.set({ isAnonymous: true });
    expect((await rig.get("broadcasts.json")).body.results).toMatchObject([{ urns: null }, { urns: null }]);
  });

  it("are refused on any error, and then add no contacts", async () => {
    const urns = ["tel:+250788999999"];
    for (const [body, errors] of [
      [{}, { text: ["This field is required."] }],
      [{ text: "", urns }, { text: ["This field may not be blank."] }],
      [{ text: "x".repeat(641), urns }, { text: ["Ensure this field has no more than 640 characters."] }],
      [{ text: { swa: "Habari" }, urns }, { text: ["There must be a text in the language eng."] }],
      [{ text: ["x"], urns }, { text: ["Not a valid string."] }],
      [{ text: "x", urns: ["tel:0788"] }, { urns: ["Invalid URN: tel:0788. Phone numbers need their country code."] }],
      [{ text: "x", urns, contacts: [nowhere] }, { contacts: [`No such object: ${nowhere}`] }],
      [{ text: "x", urns, groups: ["Nobody"] }, { groups: ["No such object: Nobody"] }],
      [{ text: "x", urns, channel: nowhere }, { channel: [`No such object: ${nowhere}`] }],
      [{ text: "x", urns, channel: { uuid: nowhere } }, { channel: ["Must be a string or integer"] }],
      [{ text: "x", urns: Array(101).fill(urns[0]) }, { urns: ["At most 100 items are allowed here."] }],
    ] as const) {
      const answered = await rig.post("broadcasts.json", body);
      expect(answered).toMatchObject({ status: 400, body: errors });
      expectConforming(rig, "POST broadcasts.json", answered);
    }
    expect((await rig.get("broadcasts.json")).body.results).toEqual([]);
    expect((await rig.get("contacts.json")).body.results).toHaveLength(2);
    expect(await rig.delete("broadcasts.json?id=1")).toMatchObject({ status: 405 });
  });
});
