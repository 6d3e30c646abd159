import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Api, type Row } from "./model/api.js";
import { type OperationId, OPERATIONS } from "./operations.js";
import { openTestService, type TestService } from "./support.js";

/** The ready account, and helpers for the requests below. */
class Account {
  readonly service: TestService;
  readonly api: Api;

  constructor(service: TestService) {
    this.service = service;
    this.api = new Api(service);
  }

  /** The newest record of a list that satisfies a condition. */
  async some(resource: string, willDo: (row: Row) => boolean = () => true): Promise<Row> {
    const row = (await this.api.list(resource)).find(willDo);
    if (row === undefined) throw new Error(`the ready account has no fitting record in ${resource}`);
    return row;
  }

  /** Expects all of these filters together to select exactly one record. */
  async finds(resource: string, query: Readonly<Record<string, unknown>>, row: Row): Promise<void> {
    const texts = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
    const { results } = await this.api.first(resource, texts);
    expect(results).toEqual([row]);
  }

  /** Sends a body and expects a status. @returns the record in the answer */
  async post(
    resource: string,
    body: object,
    status: number,
    query: Readonly<Record<string, string>> = {},
  ): Promise<Row> {
    const reply = await this.api.call("POST", resource, query, body);
    expect(reply).toMatchObject({ status });
    return (reply.body ?? {}) as Row;
  }

  /** Deletes a record and expects a list not to show it. */
  async deletes(resource: string, name: "uuid" | "id", row: Row): Promise<void> {
    const reply = await this.api.call("DELETE", resource, { [name]: String(row[name]) });
    expect(reply).toEqual({ status: 204, body: undefined });
    expect((await this.api.list(resource)).map((each) => each[name])).not.toContain(row[name]);
  }
}

/** `before` and `after` in the reference's form, around a time of a record. */
function around(moment: unknown): { after: string; before: string } {
  const atMs = Math.floor(Date.parse(String(moment)));
  const form = (ms: number): string => new Date(ms).toISOString().slice(0, "YYYY-MM-DDTHH:MM:SS.mmm".length);
  return { after: form(atMs), before: form(atMs + 1) };
}

function uuidOf(reference: unknown): string {
  return String((reference as Row)["uuid"]);
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/** Adds, then updates the same record by its UUID. */
async function addsAndUpdates(account: Account, resource: string, first: object, then: object): Promise<void> {
  const made = await account.post(resource, first, 201);
  const uuid = uuidOf(made);
  const changed = await account.post(resource, then, 200, { uuid });
  expect(uuidOf(changed)).toBe(uuid);
  await account.finds(resource, { uuid }, changed);
}

/** One request for each operation, with only the parameters and fields of the reference's table. */
const requests: Readonly<Record<OperationId, (account: Account) => Promise<void>>> = {
  "GET /api/v2/boundaries.json": async (account) => {
    await account.some("boundaries");
  },
  "GET /api/v2/broadcasts.json": async (account) => {
    const row = await account.some("broadcasts");
    await account.finds("broadcasts", { id: row["id"], ...around(row["created_on"]) }, row);
  },
  "POST /api/v2/broadcasts.json": async (account) => {
    const channel = await account.some("channels");
    const group = await account.some("groups");
    const contact = await account.some("contacts", ({ urns, blocked }) => list(urns).length > 0 && blocked === false);
    const urns = ["tel:+254711999000"];
    const body = {
      text: "Depot closes at five",
      urns,
      contacts: [uuidOf(contact)],
      groups: [uuidOf(group)],
      channel: uuidOf(channel),
    };
    const { id } = await account.post("broadcasts", body, 201);
    await account.service.settle();
    const messages = await account.api.list("messages", { broadcast: String(id) });
    expect(messages.map((message) => message["urn"])).toContain(urns[0]);
    expect(messages.map((message) => uuidOf(message["contact"]))).toContain(uuidOf(contact));
    for (const message of messages) {
      expect(message).toMatchObject({
        text: "Depot closes at five",
        direction: "out",
        channel: { uuid: uuidOf(channel) },
      });
    }
  },
  "GET /api/v2/campaigns.json": async (account) => {
    const row = await account.some("campaigns");
    await account.finds("campaigns", { uuid: row["uuid"] }, row);
  },
  "POST /api/v2/campaigns.json": async (account) => {
    const group = uuidOf(await account.some("groups"));
    await addsAndUpdates(account, "campaigns", { name: "Spring doses", group }, { name: "Doses of spring", group });
  },
  "GET /api/v2/campaign_events.json": async (account) => {
    const row = await account.some("campaign_events");
    await account.finds("campaign_events", { uuid: row["uuid"], campaign: uuidOf(row["campaign"]) }, row);
    await account.finds("campaign_events", { uuid: row["uuid"], campaign: (row["campaign"] as Row)["name"] }, row);
  },
  "POST /api/v2/campaign_events.json": async (account) => {
    const { key } = await account.some("fields");
    const campaign = uuidOf(await account.some("campaigns"));
    const flow = uuidOf(await account.some("flows"));
    const times = { relative_to: key, offset: -3, unit: "days", delivery_hour: 9 };
    const event = await account.post(
      "campaign_events",
      { campaign, ...times, flow, embedded_data: { clinic: "Likoni" } },
      201,
    );
    expect(event).toMatchObject({ offset: -3, flow: { uuid: flow }, embedded_data: { clinic: "Likoni" } });
    const uuid = uuidOf(event);
    const changes = { ...times, delivery_hour: -1, unit: "weeks", message: "Come today" };
    const changed = await account.post("campaign_events", changes, 200, { uuid });
    expect(changed).toMatchObject({ uuid, unit: "weeks", delivery_hour: -1, flow: null });
    await account.finds("campaign_events", { uuid }, changed);
  },
  "DELETE /api/v2/campaign_events.json": async (account) => {
    await account.deletes("campaign_events", "uuid", await account.some("campaign_events"));
  },
  "GET /api/v2/channels.json": async (account) => {
    const row = await account.some("channels");
    await account.finds("channels", { uuid: row["uuid"], address: row["address"] }, row);
  },
  "GET /api/v2/channel_events.json": async (account) => {
    const row = await account.some("channel_events");
    const query = { id: row["id"], contact: uuidOf(row["contact"]), ...around(row["created_on"]) };
    await account.finds("channel_events", query, row);
  },
  "GET /api/v2/contacts.json": async (account) => {
    const row = await account.some("contacts", ({ urns, groups }) => list(urns).length > 0 && list(groups).length > 0);
    const [group] = list(row["groups"]);
    const query = { uuid: row["uuid"], urn: list(row["urns"])[0], deleted: false, ...around(row["modified_on"]) };
    await account.finds("contacts", { ...query, group: uuidOf(group) }, row);
    await account.finds("contacts", { ...query, group: (group as Row)["name"] }, row);
    const [gone] = await account.api.list("contacts", { deleted: "true" });
    expect((await account.api.list("contacts")).map(uuidOf)).not.toContain(uuidOf(gone));
  },
  "POST /api/v2/contacts.json": async (account) => {
    const { key } = await account.some("fields", ({ value_type }) => value_type === "text");
    const group = await account.some("groups", ({ query }) => query === null);
    const urn = "tel:+254711999001";
    const body = {
      name: "Amina Otieno",
      language: "swa",
      urns: [urn],
      groups: [uuidOf(group)],
      fields: { [String(key)]: "Likoni" },
    };
    const made = await account.post("contacts", body, 201);
    expect(made).toMatchObject({
      name: "Amina Otieno",
      language: "swa",
      urns: [urn],
      groups: [{ uuid: uuidOf(group) }],
      fields: { [String(key)]: "Likoni" },
    });
    const uuid = uuidOf(made);
    await account.post("contacts", { name: "Amina O." }, 200, { uuid });
    const changed = await account.post("contacts", { language: "eng" }, 200, { urn });
    expect(changed).toMatchObject({ uuid, name: "Amina O.", language: "eng", urns: [urn] });
    await account.finds("contacts", { uuid }, changed);
  },
  "DELETE /api/v2/contacts.json": async (account) => {
    const row = await account.some("contacts");
    await account.deletes("contacts", "uuid", row);
    expect((await account.api.list("contacts", { deleted: "true" })).map(uuidOf)).toContain(uuidOf(row));
  },
  "POST /api/v2/contact_actions.json": async (account) => {
    const group = await account.some("groups", ({ query }) => query === null);
    const contact = uuidOf(await account.some("contacts", ({ blocked, stopped }) => !blocked && !stopped));
    await account.post("contact_actions", { contacts: [contact], action: "add", group: group["name"] }, 204);
    expect((await account.api.list("contacts", { group: uuidOf(group) })).map(uuidOf)).toContain(contact);
    await account.post("contact_actions", { contacts: [contact], action: "block" }, 204);
    expect((await account.api.list("contacts", { group: uuidOf(group) })).map(uuidOf)).not.toContain(contact);
  },
  "GET /api/v2/definitions.json": async (account) => {
    const flows = await account.api.list("flows");
    const campaign = await account.some("campaigns");
    const query = new URLSearchParams([
      ...flows.slice(0, 2).map((flow): [string, string] => ["flow", uuidOf(flow)]),
      ["campaign", uuidOf(campaign)],
      ["dependencies", "false"],
    ]);
    const answer = await fetch(`${account.service.url}/api/v2/definitions.json?${query.toString()}`, {
      headers: { authorization: `Token ${account.service.token}` },
    });
    expect(answer.status).toBe(200);
    const body = (await answer.json()) as Row;
    expect(list(body["flows"])).toHaveLength(Math.min(2, flows.length));
    expect(list(body["campaigns"]).map(uuidOf)).toEqual([uuidOf(campaign)]);
  },
  "GET /api/v2/fields.json": async (account) => {
    const row = await account.some("fields");
    await account.finds("fields", { key: row["key"] }, row);
  },
  "POST /api/v2/fields.json": async (account) => {
    // The reference lists no types, so they come from existing fields.
    const { value_type } = await account.some("fields");
    const { key } = await account.post("fields", { label: "Nets left", value_type }, 201);
    const changed = await account.post("fields", { label: "Nets remaining", value_type }, 200, { key: String(key) });
    expect(changed).toMatchObject({ key, label: "Nets remaining" });
    await account.finds("fields", { key }, changed);
  },
  "GET /api/v2/flows.json": async (account) => {
    const row = await account.some("flows");
    await account.finds("flows", { uuid: row["uuid"], ...around(row["modified_on"]) }, row);
  },
  "GET /api/v2/flow_starts.json": async (account) => {
    const row = await account.some("flow_starts");
    await account.finds("flow_starts", { id: row["id"], ...around(row["modified_on"]) }, row);
  },
  "POST /api/v2/flow_starts.json": async (account) => {
    const flow = uuidOf(await account.some("flows"));
    const body = {
      flow,
      groups: [uuidOf(await account.some("groups"))],
      contacts: [uuidOf(await account.some("contacts"))],
      urns: ["tel:+254711999002"],
      restart_participants: false,
      extra: { round: 2 },
      embedded_data: { clinic: "Likoni" },
    };
    const { id } = await account.post("flow_starts", body, 201);
    expect(await account.api.list("flow_starts", { id: String(id) })).toMatchObject([
      {
        flow: { uuid: flow },
        groups: body.groups.map((uuid) => ({ uuid })),
        restart_participants: false,
        extra: { round: 2 },
        embedded_data: { clinic: "Likoni" },
      },
    ]);
    expect(await account.api.list("contacts", { urn: "tel:+254711999002" })).toHaveLength(1);
  },
  "GET /api/v2/groups.json": async (account) => {
    const row = await account.some("groups");
    await account.finds("groups", { uuid: row["uuid"], name: row["name"] }, row);
  },
  "POST /api/v2/groups.json": (account) => addsAndUpdates(account, "groups", { name: "Drivers" }, { name: "Riders" }),
  "DELETE /api/v2/groups.json": async (account) => {
    await account.deletes("groups", "uuid", await account.some("groups"));
  },
  "GET /api/v2/labels.json": async (account) => {
    const row = await account.some("labels");
    await account.finds("labels", { uuid: row["uuid"], name: row["name"] }, row);
  },
  "POST /api/v2/labels.json": (account) => addsAndUpdates(account, "labels", { name: "Late" }, { name: "Very late" }),
  "DELETE /api/v2/labels.json": async (account) => {
    await account.deletes("labels", "uuid", await account.some("labels"));
  },
  "GET /api/v2/messages.json": async (account) => {
    const [from] = account.service.people;
    await account.service.text({ from, body: "nets arrived" });
    const [received] = await account.api.list("messages", { folder: "inbox" });
    const label = await account.some("labels");
    await account.post("message_actions", { messages: [received?.["id"]], action: "label", label: uuidOf(label) }, 204);
    const row = await account.some("messages", ({ id }) => id === received?.["id"]);
    const query = { id: row["id"], contact: uuidOf(row["contact"]), folder: "inbox", ...around(row["created_on"]) };
    await account.finds("messages", { ...query, label: uuidOf(label) }, row);
    await account.finds("messages", { ...query, label: label["name"] }, row);
    const { id } = await account.post("broadcasts", { text: "hello", urns: [`tel:${from}`] }, 201);
    await account.service.settle();
    expect(await account.api.list("messages", { broadcast: String(id), folder: "sent" })).toHaveLength(1);
  },
  "POST /api/v2/message_actions.json": async (account) => {
    await account.service.text({ from: account.service.people[0], body: "nets arrived" });
    const [row] = await account.api.list("messages", { folder: "inbox" });
    const { name } = await account.some("labels");
    const id = row?.["id"];
    await account.post("message_actions", { messages: [id], action: "label", label: name }, 204);
    await account.post("message_actions", { messages: [id], action: "archive" }, 204);
    const [archived] = await account.api.list("messages", { folder: "archived" });
    expect(archived).toMatchObject({ id, labels: [{ name }] });
  },
  "GET /api/v2/org.json": async (account) => {
    const { status, body } = await account.api.call("GET", "org");
    expect({ status, body }).toMatchObject({ status: 200, body: { name: expect.any(String) as string } });
  },
  "GET /api/v2/resthooks.json": async (account) => {
    await account.some("resthooks");
  },
  "GET /api/v2/resthook_events.json": async (account) => {
    await account.some("resthook_events");
  },
  "GET /api/v2/resthook_subscribers.json": async (account) => {
    await account.some("resthook_subscribers");
  },
  "POST /api/v2/resthook_subscribers.json": async (account) => {
    const { resthook } = await account.some("resthooks");
    const target_url = "http://127.0.0.1:9/stock";
    const made = await account.post("resthook_subscribers", { resthook, target_url }, 201);
    expect(made).toMatchObject({ resthook, target_url });
    await account.some("resthook_subscribers", ({ id }) => id === made["id"]);
  },
  "DELETE /api/v2/resthook_subscribers.json": async (account) => {
    await account.deletes("resthook_subscribers", "id", await account.some("resthook_subscribers"));
  },
  "GET /api/v2/runs.json": async (account) => {
    const row = await account.some("runs", ({ responded }) => responded === true);
    const query = { id: row["id"], flow: uuidOf(row["flow"]), contact: uuidOf(row["contact"]), responded: true };
    await account.finds("runs", { ...query, ...around(row["modified_on"]) }, row);
  },
};

describe("a request made from the reference alone", () => {
  let shared: TestService;
  beforeAll(async () => {
    shared = await openTestService({ account: "ready" });
  });
  afterAll(() => shared.close());

  // This operation labels a text that a person sends first.
  const onlyReads = (operation: OperationId): boolean =>
    operation.startsWith("GET ") && operation !== "GET /api/v2/messages.json";

  it.each(OPERATIONS)("%s", async (operation) => {
    await requests[operation](new Account(shared));
    if (!onlyReads(operation)) await shared.restore();
  });

  it("no operation works without the Authorization header", async () => {
    const { url } = shared;
    for (const operation of OPERATIONS) {
      const [method = "", path = ""] = operation.split(" ");
      const answer = await fetch(url + path, { method });
      expect(answer.status, operation).toBe(403);
      expect(await answer.json(), operation).toEqual({ detail: expect.any(String) as string });
    }
  });
});
