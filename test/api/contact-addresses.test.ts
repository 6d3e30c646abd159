import { beforeEach, describe, expect, it } from "vitest";
import { startsAtMs } from "../gateway/service.js";
import { flowOf, flowUuid, say } from "../account/flow-builder.js";
import { type Answered, Rig } from "./rig.js";

let rig: Rig;
beforeEach(async () => {
  rig = await Rig.start();
});

async function add(body: unknown): Promise<Answered["body"]> {
  const added = await rig.post("contacts.json", body);
  expect(added).toMatchObject({ status: 201 });
  return added.body;
}

async function list(path: string): Promise<Answered["body"][]> {
  const page = await rig.get(path);
  expect(page.status).toBe(200);
  return page.body.results;
}

describe("the display part of an address", () => {
  it("is kept and printed again", async () => {
    const urns = ["twitterid:123#bob", "tel:+254711000222#Bob's phone"];
    const { uuid } = await add({ name: "Bob", urns });
    expect(await list(`contacts.json?uuid=${uuid}`)).toMatchObject([{ urns }]);
  });

  it("does not count when a contact is looked up", async () => {
    await add({ name: "Bob", urns: ["twitterid:123#bob"] });
    const twitter = (text: string): string => encodeURIComponent(text);
    for (const urn of ["twitterid:123", twitter("twitterid:123#bob"), twitter("TWITTERID: 123 #rob")]) {
      expect(await list(`contacts.json?urn=${urn}`)).toMatchObject([{ name: "Bob", urns: ["twitterid:123#bob"] }]);
    }
    expect(await rig.post("contacts.json?urn=twitterid:123", { language: "eng" })).toMatchObject({
      status: 200,
      body: { name: "Bob", language: "eng", urns: ["twitterid:123#bob"] },
    });
    const answer = await rig.post("contact_actions.json", { contacts: ["twitterid:123"], action: "block" });
    expect(answer.status).toBe(204);
  });

  it("does not make an address another one", async () => {
    await add({ name: "Bob", urns: ["twitterid:123#bob"] });
    expect(await rig.post("contacts.json", { name: "Rob", urns: ["twitterid:123#rob"] })).toMatchObject({
      status: 400,
      body: { urns: ["URN belongs to another contact: twitterid:123#rob"] },
    });
    expect(await add({ urns: ["twitterid:7#x", "twitterid:7", "twitterid:7#y"] })).toMatchObject({
      urns: ["twitterid:7#x"],
    });
  });

  it("stays when the address comes without one, and is replaced by another", async () => {
    const { uuid } = await add({ urns: ["twitterid:123#bob", "ext:1"] });
    const change = async (urns: string[]): Promise<string[]> =>
      (await rig.post(`contacts.json?uuid=${uuid}`, { urns })).body.urns;
    expect(await change(["ext:1", "twitterid:123"])).toEqual(["ext:1", "twitterid:123#bob"]);
    expect(await change(["twitterid:123#rob"])).toEqual(["twitterid:123#rob"]);
    expect(await list("contacts.json?urn=twitterid:123")).toMatchObject([{ uuid }]);
    expect(await list("contacts.json?urn=ext:1")).toEqual([]);
  });

  it("moves with its address to another contact", async () => {
    await add({ name: "Bob", urns: ["twitterid:123#bob", "ext:1"] });
    const { uuid } = await add({ name: "Rob" });
    await rig.post(`contacts.json?uuid=${uuid}`, { urns: ["twitterid:123#rob"] });
    expect(await list("contacts.json")).toMatchObject([
      { name: "Rob", urns: ["twitterid:123#rob"] },
      { name: "Bob", urns: ["ext:1"] },
    ]);
  });

  it("of a number is printed with its messages, and the number is written to once", async () => {
    await add({ name: "Bob", urns: ["tel:+254711000222#Bob's phone"] });
    const text = { type: "mo_sms", phone: "+254711000222", text: "hello", timeMs: startsAtMs } as const;
    rig.service.sync(1, [text]);
    const urns = ["tel:+254711000222", "tel:+254711000222#Bob"];
    expect((await rig.post("broadcasts.json", { text: "Hello", urns })).body.urns).toEqual(["tel:+254711000222"]);
    rig.service.kernel.run(60_000, 1000);
    const urn = "tel:+254711000222#Bob's phone";
    expect(await list("messages.json")).toMatchObject([
      { direction: "out", urn, contact: { name: "Bob" } },
      { direction: "in", urn, contact: { name: "Bob" } },
    ]);
    expect(await list("contacts.json")).toHaveLength(1);
  });

  it("does not count in searches and groups", async () => {
    const { uuid } = await add({ urns: ["twitterid:123#bob"] });
    const group = rig.service.account.groups.add({ name: "Bob", query: "twitterid = 123" });
    expect(await list(`contacts.json?group=${group.uuid}`)).toMatchObject([{ uuid }]);
  });
});

describe("an address that a flow adds", () => {
  it.each([
    ["whatsapp", "254711000333", ["tel:+254711000222#Bob", "whatsapp:254711000333"]],
    ["whatsapp", "+254711000333", ["tel:+254711000222#Bob"]],
    ["twitterid", "123#bob", ["tel:+254711000222#Bob", "twitterid:123#bob"]],
    ["tel", "+254711000222", ["tel:+254711000222#Bob"]],
  ])("%s:%s is held to the rules of the scheme", async (scheme, path, expected) => {
    const { uuid } = await add({ urns: ["tel:+254711000222#Bob"] });
    rig.service.account.flows.add(
      flowOf(1, "Addresses", [
        {
          actions: [
            { type: "add_contact_urn", scheme, path },
            say("@(json(contact.urns)) @(format_urn(urns.tel)) @(urn_parts(urns.tel).path)"),
          ],
        },
      ]),
    );
    await rig.post("flow_starts.json", { flow: flowUuid(1), contacts: [uuid] });
    rig.service.kernel.run(60_000, 1000);
    expect(await list(`contacts.json?uuid=${uuid}`)).toMatchObject([{ urns: expected }]);
    const said = JSON.stringify(expected);
    expect(await list("messages.json")).toMatchObject([
      { text: `${said} Bob +254711000222`, urn: "tel:+254711000222#Bob" },
    ]);
  });
});
