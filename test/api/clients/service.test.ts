import { describe, expect, it } from "vitest";
import { startTestService, type TestService } from "../support.js";
import { connector } from "./connector.js";
import { BadRequestError, NoSuchObjectError, RateExceededError, TokenError } from "./errors.js";
import { Instant } from "./instant.js";
import { newClient } from "./new-client.js";
import { oldClient } from "./old-client.js";
import { adaptor } from "./upsert.js";

const AMINA = "tel:+254711000222";
const clients = [
  ["old", oldClient],
  ["new", newClient],
] as const;

/** A started service with a client of each era. */
async function begin(account: "ready" | "bare"): Promise<{
  service: TestService;
  old: ReturnType<typeof oldClient>;
  new: ReturnType<typeof newClient>;
}> {
  const service = await startTestService({ account });
  return { service, old: oldClient(service.url, service.token), new: newClient(service.url, service.token) };
}

describe("both clients read the ready account", () => {
  it("every list has a record, and both read all of them", async () => {
    const { old, new: young } = await begin("ready");
    const lists = {
      boundaries: [old.getBoundaries({ geometry: true }), young.getBoundaries({ geometry: true })],
      broadcasts: [old.getBroadcasts(), young.getBroadcasts()],
      campaigns: [old.getCampaigns(), young.getCampaigns()],
      campaign_events: [old.getCampaignEvents(), young.getCampaignEvents()],
      channels: [old.getChannels(), young.getChannels()],
      channel_events: [old.getChannelEvents()],
      contacts: [old.getContacts(), young.getContacts()],
      "deleted contacts": [old.getContacts({ deleted: true }), young.getContacts({ deleted: true })],
      fields: [old.getFields(), young.getFields()],
      flows: [old.getFlows(), young.getFlows()],
      flow_starts: [old.getFlowStarts(), young.getFlowStarts()],
      groups: [old.getGroups(), young.getGroups()],
      labels: [old.getLabels(), young.getLabels()],
      messages: [old.getMessages(), young.getMessages()],
      resthooks: [old.getResthooks(), young.getResthooks()],
      resthook_events: [old.getResthookEvents(), young.getResthookEvents()],
      resthook_subscribers: [old.getResthookSubscribers(), young.getResthookSubscribers()],
      runs: [old.getRuns(), young.getRuns()],
    };
    for (const [name, byEra] of Object.entries(lists)) {
      const counts = [];
      for (const pages of byEra) counts.push((await pages.all()).length);
      expect(Math.min(...counts), name).toBeGreaterThan(0);
      expect(new Set(counts).size, name).toBe(1);
    }
  });

  it("the single objects", async () => {
    const { old, new: young } = await begin("ready");
    expect((await young.getOrg()).name).toBe((await old.getOrg()).name);
    const [flow] = await young.getFlows().all();
    const [campaign] = await young.getCampaigns().all();
    for (const client of [old, young]) {
      const all = await client.getDefinitions({ flow: [flow], campaign: [campaign], dependencies: true });
      expect(all).toMatchObject({ version: 13, campaigns: [{ uuid: campaign?.uuid }] });
      const none = await client.getDefinitions({ flow: flow?.uuid, dependencies: "none" });
      expect([none.flows, none.campaigns].map((list) => list?.length)).toEqual([1, 0]);
    }
  });

  it("a value from a record selects the same record again", async () => {
    const { old, new: young } = await begin("ready");
    const moment = (value: unknown): Instant => {
      if (!(value instanceof Instant)) throw new Error(`no moment: ${String(value)}`);
      return value;
    };
    const contact = await old.getContacts().first();
    const at = moment(contact?.modified_on);
    const found = await young.getContacts({ after: at, before: at }).all();
    expect(found.map(({ uuid }) => uuid)).toContain(contact?.uuid);
    expect(await young.getContacts({ before: new Instant(at.micros - 1n), after: at }).all()).toEqual([]);
    const message = await young.getMessages().first();
    expect((await young.getMessages({ uuid: message }).all()).map(({ uuid }) => uuid)).toEqual([message?.uuid]);
    const run = await young.getRuns().first();
    expect((await young.getRuns({ uuid: run, flow: run?.flow?.uuid }).all()).length).toBe(1);
    const event = await old.getChannelEvents().first();
    expect(await old.getChannelEvents({ id: event, contact: event?.contact }).all()).toEqual([event]);
  });
});

describe("both clients write", () => {
  it.each(clients)("the %s client keeps contacts, groups and fields", async (era) => {
    const { [era]: client, old } = await begin("bare");
    const nobody = await client.createContact();
    expect(nobody).toMatchObject({ name: null, urns: [], groups: [] });
    const field = await client.createField("Bed nets", "text");
    expect(field.key).toBe("bed_nets");
    await client.updateField(field, "Nets", era === "old" ? "numeric" : "number");
    expect((await old.getFields({ key: "bed_nets" }).all()).map(({ value_type }) => value_type)).toEqual(["numeric"]);
    const group = await client.createGroup("Drivers");
    const amina = await client.createContact({
      name: "Amina Otieno",
      language: "swa",
      urns: [AMINA],
      groups: [group],
      fields: { bed_nets: "12.50" },
    });
    expect(amina).toMatchObject({ urns: [AMINA], groups: [{ name: "Drivers" }], fields: { bed_nets: "12.5" } });
    expect((await client.updateContact(AMINA, { name: "Amina O." })).uuid).toBe(amina.uuid);
    expect((await client.updateContact("tel:+254711000333", { name: "Baraka" })).urns).toEqual(["tel:+254711000333"]);
    expect((await client.updateGroup(group, "Field staff")).name).toBe("Field staff");
    expect(await client.getContacts({ group: "Field staff" }).all()).toHaveLength(1);

    await client.bulkRemoveContacts([amina], group);
    expect(await client.getContacts({ group }).all()).toEqual([]);
    await client.bulkAddContacts([amina.uuid, "tel:+254711000333"], "field STAFF");
    await client.bulkBlockContacts([AMINA]);
    expect((await client.getContacts({ group }).all()).map(({ name }) => name)).toEqual(["Baraka"]);
    await client.bulkUnblockContacts([amina]);
    await client.bulkInterruptContacts([amina]);
    await client.bulkDeleteContacts([amina]);
    await client.deleteContact("tel:+254711000333");
    expect((await client.getContacts({ deleted: true }).all()).map(({ urns }) => urns)).toEqual([[], []]);
    await client.deleteGroup(group);
    expect(await client.getGroups().all()).toEqual([]);
    await expect(client.deleteGroup(group)).rejects.toBeInstanceOf(NoSuchObjectError);
    await expect(client.updateContact(amina, { name: "x" })).rejects.toBeInstanceOf(NoSuchObjectError);
  });

  it.each(clients)("the %s client labels and moves messages", async (era) => {
    const { [era]: client, old, new: young, service } = await begin("bare");
    await service.text({ from: service.people[0], body: "nets arrived" });
    const label = await client.createLabel("Urgent");
    await client.bulkLabelMessages(await client.getMessages().all(), { label });
    expect(await old.getMessages({ label: "Urgent" }).all()).toHaveLength(1);
    expect((await client.getLabels({ uuid: label }).first())?.count).toBe(1);
    await client.bulkUnlabelMessages(await client.getMessages().all(), { label_name: "urgent" });
    expect(await old.getMessages({ label }).all()).toEqual([]);
    await client.bulkLabelMessages(await client.getMessages().all(), { label_name: "Made on the way" });
    await client.updateLabel(label, "Very urgent");
    await client.deleteLabel(label);
    expect((await client.getLabels().all()).map(({ name }) => name)).toEqual(["Made on the way"]);

    const inFolder = async (folder: string) => (await young.getMessages({ folder }).all()).length;
    await client.bulkArchiveMessages(await client.getMessages().all());
    expect([await inFolder("inbox"), await inFolder("archived")]).toEqual([0, 1]);
    await client.bulkRestoreMessages(await client.getMessages().all());
    expect([await inFolder("inbox"), await inFolder("archived")]).toEqual([1, 0]);
    await client.bulkArchiveContacts(await client.getContacts().all());
    expect([await inFolder("inbox"), await inFolder("archived")]).toEqual([0, 1]);
    await client.bulkDeleteMessages(await client.getMessages().all());
    expect([await inFolder("incoming"), (await client.getMessages().all()).length]).toEqual([1, 0]);
  });

  it.each(clients)("the %s client sends", async (era) => {
    const { [era]: client, old, new: young, service } = await begin("bare");
    const amina = await client.createContact({ name: "Amina", urns: [AMINA] });
    const broadcast = await client.createBroadcast("Depot closes at five", {
      contacts: [amina],
      urns: [AMINA, "tel:+254711000333"],
    });
    // The text is under `base` or under the account's language.
    expect(Object.values(broadcast.text)).toEqual(["Depot closes at five"]);
    await service.settle();
    const [sent] = await old.getBroadcasts().all();
    const messages = await old.getMessages({ broadcast: sent }).all();
    expect(new Set(messages.map(({ urn }) => urn))).toEqual(new Set([AMINA, "tel:+254711000333"]));
    expect(messages).toHaveLength(2);
    expect(await old.getMessages({ folder: "sent", contact: amina }).all()).toHaveLength(1);
    const direct = await young.createMessage(amina, { text: "Are you there?" });
    expect(direct).toMatchObject({ direction: "out", text: "Are you there?", contact: { uuid: amina.uuid } });
  });

  it.each(clients)("the %s client keeps campaigns, starts flows and subscribes", async (era) => {
    const { [era]: client, old, new: young } = await begin("ready");
    const [flow] = await client.getFlows().all();
    const [field] = await client.getFields().all();
    const group = await client.createGroup("Dose takers");
    const campaign = await client.createCampaign("Spring doses", group);
    expect(await client.updateCampaign(campaign, "Doses of spring", group)).toMatchObject({ name: "Doses of spring" });
    const times = { relative_to: field, offset: 3, unit: "days", delivery_hour: 9 };
    const event = await client.createCampaignEvent(campaign, { ...times, flow });
    const changed = await client.updateCampaignEvent(event, { ...times, offset: -1, message: "Come today" });
    expect(changed).toMatchObject({ offset: -1, flow: null, campaign: { name: "Doses of spring" } });
    expect(await client.getCampaignEvents({ campaign }).all()).toEqual([changed]);
    await client.deleteCampaignEvent(event);
    await expect(client.deleteCampaignEvent(event)).rejects.toBeInstanceOf(NoSuchObjectError);

    const params = { clinic: "Likoni", round: 2 };
    const start =
      era === "old"
        ? await old.createFlowStart(flow, { urns: [AMINA], extra: params, restart_participants: false })
        : await young.createFlowStart(flow, { urns: [AMINA], params, restart_participants: false });
    expect(start).toMatchObject({ flow: { uuid: flow?.uuid }, restart_participants: false });
    expect(await young.getFlowStarts({ uuid: start }).all()).toMatchObject([{ params }]);

    const [resthook] = await client.getResthooks().all();
    const target = "http://127.0.0.1:9/here";
    const subscriber = await client.createResthookSubscriber(resthook?.resthook, target);
    expect(await client.getResthookSubscribers({ id: subscriber }).all()).toEqual([subscriber]);
    await client.deleteResthookSubscriber(subscriber);
    expect(await client.getResthookSubscribers({ id: subscriber }).all()).toEqual([]);
  });
});

describe("paging and errors", () => {
  it("251 contacts with the same time are all read, and paging can be resumed", async () => {
    const { old, new: young } = await begin("bare");
    const urns = Array.from({ length: 251 }, (_, index) => `tel:+2547110${String(index).padStart(5, "0")}`);
    // One broadcast adds up to a hundred contacts at once.
    for (let from = 0; from < urns.length; from += 100) {
      await old.createBroadcast("hello", { urns: urns.slice(from, from + 100) });
    }
    for (const client of [old, young]) {
      const contacts = await client.getContacts().all();
      expect(new Set(contacts.flatMap(({ urns }) => urns))).toEqual(new Set(urns));
      expect(contacts).toHaveLength(251);
    }
    const walk = young.getContacts().fetches();
    for await (const page of walk) {
      expect(page).toHaveLength(250);
      break;
    }
    const rest = await young.getContacts().all({ resumeCursor: walk.cursor() ?? "none" });
    expect(rest).toHaveLength(1);
  });

  it.each(clients)("the %s client gets errors in the expected form", async (_era, open) => {
    const { service, old } = await begin("bare");
    const client = open(service.url, service.token);
    await old.createContact({ urns: [AMINA] });
    await expect(client.createContact({ urns: [AMINA] })).rejects.toMatchObject({
      errors: { urns: [expect.stringContaining("URN belongs to another") as string] },
    });
    await expect(client.createGroup("x".repeat(65))).rejects.toBeInstanceOf(BadRequestError);
    await expect(client.getContacts({ urn: "not a urn" }).all()).rejects.toBeInstanceOf(BadRequestError);
    await expect(client.getContacts().all({ resumeCursor: "!!" })).rejects.toBeInstanceOf(NoSuchObjectError);
    await expect(open(service.url, "0".repeat(40)).getOrg()).rejects.toBeInstanceOf(TokenError);
    await expect(open(service.url, "").getOrg()).rejects.toBeInstanceOf(TokenError);
  });

  it("a throttled client waits for Retry-After and continues", async () => {
    const { service } = await begin("ready");
    const slept: number[] = [];
    const sleep = async (seconds: number): Promise<void> => void slept.push(seconds);
    const client = newClient(service.url, service.token, { sleep });
    await service.throttleNext(37);
    await expect(client.getLabels().all()).rejects.toBeInstanceOf(RateExceededError);
    await service.throttleNext(37);
    expect((await client.getLabels().all({ isRetriedWhenThrottled: true })).length).toBeGreaterThan(0);
    expect(slept).toEqual([37]);
  });
});

describe("other clients", () => {
  it("the adaptor creates, updates by address and sends", async () => {
    const { service, new: client } = await begin("ready");
    const adapted = adaptor(service.url, service.token);
    const contact = { name: "Amina", language: "ENG", urns: ["tel:+254711000222"] as [string] };
    const uuid = await adapted.upsertContact(contact);
    expect(await adapted.upsertContact({ ...contact, name: "Amina Otieno" })).toBe(uuid);
    expect(await client.getContacts({ urn: AMINA }).all()).toMatchObject([{ uuid, name: "Amina Otieno" }]);
    await adapted.sendBroadcast({ text: "hello", contacts: [uuid] });
    const [flow] = await client.getFlows().all();
    await adapted.startFlow({ flow: String(flow?.uuid), contacts: [uuid] });
    expect(await client.getFlowStarts().first()).toMatchObject({ contacts: [{ uuid }] });
  });

  it("the connector starts, syncs twice and polls", async () => {
    const { service, new: client } = await begin("ready");
    const connection = connector(service.url, service.token, "Village health & care");
    const { workspace, created } = await connection.start();
    expect(workspace).toBe((await client.getOrg()).uuid);
    expect(created).toEqual(["register_id", "register_unit", "Village health & care"]);
    expect((await connection.start()).created).toEqual([]);
    const people = Array.from({ length: 3 }, (_, index) => ({
      registerId: `R${index}`,
      name: `Person ${index}`,
      phone: `+25471100044${index}`,
    }));
    const first = await connection.sync(people);
    expect(first.created).toHaveLength(3);
    const second = await connection.sync(people);
    expect(second.created).toEqual([]);
    expect(second.updated.toSorted()).toEqual(first.created.toSorted());

    const completed = (await client.getRuns().all()).filter(({ exit_type }) => exit_type === "completed");
    const flow = completed[0]?.flow?.uuid;
    const polled = await connection.poll(String(flow), "2000-01-01T00:00:00.000", "any");
    expect(polled).toHaveLength(completed.filter((run) => run.flow?.uuid === flow).length);
    expect(polled.map(({ exitedOn }) => exitedOn)).toEqual(polled.map(({ exitedOn }) => exitedOn).toSorted());
  });
});
