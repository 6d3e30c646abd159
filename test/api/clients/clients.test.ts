import { describe, expect, it } from "vitest";
import { connector } from "./connector.js";
import {
  BadRequestError,
  ConnectionError,
  HttpError,
  NoSuchObjectError,
  RateExceededError,
  SerializationError,
  TokenError,
} from "./errors.js";
import { page, scripted } from "./fake-service.js";
import { Instant } from "./instant.js";
import { newClient } from "./new-client.js";
import { oldClient } from "./old-client.js";
import { adaptor } from "./upsert.js";

const group = { uuid: "9c4e2d11-7b6a-4f2e-8d3c-1a2b3c4d5e6f", name: "Drivers", query: null, count: 3 };
const label = { uuid: "5e8f7a61-2c3d-4b1a-9e0f-6d7c8b9a0f12", name: "Late", count: 0 };
const message = {
  id: 7,
  uuid: "f1e2d3c4-b5a6-4789-9a0b-c1d2e3f4a5b6",
  broadcast: null,
  contact: { uuid: "a7d2c9f0-0f3b-4a8e-9b7a-2c5e6d7f8091", name: null },
  urn: "tel:+254711000222",
  channel: null,
  direction: "in",
  type: "inbox",
  status: "handled",
  visibility: "visible",
  text: "on my way",
  labels: [label],
  attachments: [],
  quick_replies: [],
  flow: null,
  created_on: "2018-03-05T07:41:09.120450Z",
  sent_on: null,
  modified_on: "2018-03-05T07:41:09Z",
};

describe("requests", () => {
  it("every call carries the client's headers, a GET too", async () => {
    const { url, seen } = await scripted(page());
    await oldClient(`${url}/`, "t0ken").getGroups().all();
    expect(seen[0]).toMatchObject({ method: "GET", url: "/api/v2/groups.json", body: "" });
    expect(seen[0]?.headers).toMatchObject({
      "content-type": "application/json",
      accept: "application/json",
      authorization: "Token t0ken",
      "user-agent": "rapidpro-python/2.6.1",
    });
  });

  it("moments, booleans, lists and records become parameters; null does not", async () => {
    const { url, seen } = await scripted(page(group), page(), page(), { body: { version: "10.4", flows: [] } });
    const client = newClient(url, "t");
    const found = await client.getGroups().first();
    const after = new Instant(1_520_235_669_120_450n);
    await client.getContacts({ group: found, deleted: true, after, urn: null }).all();
    await client.getRuns({ flow: undefined, responded: false }).all();
    await client.getDefinitions({ flow: ["a", "b"], dependencies: true });
    expect(seen.slice(1).map(({ url }) => url)).toEqual([
      `/api/v2/contacts.json?group=${group.uuid}&deleted=1&after=2018-03-05T07%3A41%3A09.120450Z`,
      "/api/v2/runs.json?responded=0",
      "/api/v2/definitions.json?flow=a&flow=b&dependencies=1",
    ]);
  });

  it("an empty payload sends no body", async () => {
    const contact = { uuid: "u", urns: [], groups: [] };
    const { url, seen } = await scripted({ status: 201, body: contact });
    await newClient(url, "t").createContact();
    expect(seen[0]).toMatchObject({ method: "POST", url: "/api/v2/contacts.json", body: "" });
    expect(seen[0]?.headers["content-type"]).toBe("application/json");
  });

  it("bulk actions name messages by id in the old client and by UUID in the new one", async () => {
    const answers = [page(message), { status: 204 }, page(message), { status: 204 }];
    const { url, seen } = await scripted(...answers);
    for (const client of [oldClient(url, "t"), newClient(url, "t")]) {
      await client.bulkLabelMessages(await client.getMessages().all(), { label_name: "Late" });
    }
    expect([seen[1], seen[3]].map((request) => JSON.parse(request?.body ?? "") as unknown)).toEqual([
      { messages: [7], action: "label", label_name: "Late" },
      { messages: [message.uuid], action: "label", label_name: "Late" },
    ]);
  });

  it("a contact is named by URN when its name has a colon; booleans are numbers in bodies too", async () => {
    const { url, seen } = await scripted({ status: 204 }, { status: 204 }, { status: 204 }, { status: 400, body: {} });
    const client = oldClient(url, "t");
    await client.deleteContact("tel:+254711000222");
    await client.deleteContact("a7d2");
    await client.bulkArchiveContacts(["a"]);
    await expect(client.createFlowStart("f", { restart_participants: false, extra: { a: [true] } })).rejects.toThrow(
      BadRequestError,
    );
    expect(seen.map(({ method, url, body }) => `${method} ${url} ${body}`)).toEqual([
      "DELETE /api/v2/contacts.json?urn=tel%3A%2B254711000222 ",
      "DELETE /api/v2/contacts.json?uuid=a7d2 ",
      'POST /api/v2/contact_actions.json {"contacts":["a"],"action":"archive"}',
      'POST /api/v2/flow_starts.json {"flow":"f","restart_participants":0,"extra":{"a":[1]}}',
    ]);
  });

  it("paging follows next byte for byte, and can be resumed", async () => {
    const { url, seen } = await scripted(
      (root) => ({ body: { next: `${root}/else?cursor=a%3D%3d&x=+`, previous: null, results: [label] } }),
      page(label, label),
      page(label),
    );
    const client = oldClient(url, "t");
    const walk = client.getLabels({ name: "Late" }).fetches();
    const sizes: number[] = [];
    let cursor: string | undefined;
    for await (const labels of walk) {
      sizes.push(labels.length);
      cursor ??= walk.cursor();
    }
    await client.getLabels({ name: "Late" }).all({ resumeCursor: cursor ?? "" });
    expect(sizes).toEqual([1, 2]);
    expect(seen.map(({ url }) => url)).toEqual([
      "/api/v2/labels.json?name=Late",
      "/else?cursor=a%3D%3d&x=+",
      "/api/v2/labels.json?name=Late&cursor=a%3D%3D",
    ]);
  });
});

describe("errors", () => {
  it.each([
    [{ status: 403, body: { detail: "Invalid token" } }, TokenError],
    [{ status: 404, body: { detail: "Not found." } }, NoSuchObjectError],
    [{ status: 401, body: {} }, HttpError],
    [{ status: 405, body: {} }, HttpError],
    [{ status: 500, body: "oh" }, HttpError],
    [{ status: 200, body: { next: null } }, SerializationError],
    [{ status: 200, body: { results: [] } }, SerializationError],
    [{ status: 200, body: "<html>" }, SerializationError],
  ])("%j", async (answer, expected) => {
    const { url } = await scripted(answer);
    await expect(newClient(url, "t").getLabels().all()).rejects.toBeInstanceOf(expected);
  });

  it("400 carries the body and all messages", async () => {
    const { url } = await scripted(
      { status: 400, body: { name: ["Too long."], urns: ["Taken.", "Wrong."] } },
      { status: 400, body: "nope" },
    );
    const create = () => newClient(url, "t").createGroup("x");
    await expect(create()).rejects.toMatchObject({
      message: "Too long.. Taken.. Wrong.",
      errors: { name: ["Too long."], urns: ["Taken.", "Wrong."] },
    });
    await expect(create()).rejects.toMatchObject({ errors: { details: ["nope"] } });
  });

  it("a throttled request is retried after Retry-After, at most five times", async () => {
    const throttled = { status: 429, headers: { "retry-after": "3" }, body: {} };
    const { url, seen } = await scripted(throttled, page(label), ...Array<typeof throttled>(6).fill(throttled));
    const slept: number[] = [];
    const sleep = async (seconds: number): Promise<void> => void slept.push(seconds);
    const { getLabels } = newClient(url, "t", { sleep });
    expect(await getLabels().all({ isRetriedWhenThrottled: true })).toHaveLength(1);
    await expect(getLabels().all({ isRetriedWhenThrottled: true })).rejects.toMatchObject({ retryAfter: 3 });
    await expect(getLabels().all()).rejects.toBeInstanceOf(RateExceededError);
    expect(slept).toEqual([3, 3, 3, 3, 3]);
    expect(seen).toHaveLength(8);
  });

  it("without Retry-After a request is not retried", async () => {
    const { url, seen } = await scripted({ status: 429 });
    const trial = newClient(url, "t").getLabels().all({ isRetriedWhenThrottled: true });
    await expect(trial).rejects.toMatchObject({ retryAfter: 0 });
    expect(seen).toHaveLength(1);
  });

  it("no server", async () => {
    await expect(newClient("http://127.0.0.1:1", "t").getOrg()).rejects.toBeInstanceOf(ConnectionError);
  });
});

describe("records", () => {
  const reads = async (era: "old" | "new", body: unknown): Promise<unknown> => {
    const { url } = await scripted(typeof body === "string" ? { body } : page(body));
    return era === "old" ? oldClient(url, "t").getMessages().first() : newClient(url, "t").getMessages().first();
  };
  const raw = (record: string): string => `{"next":null,"previous":null,"results":[${record}]}`;

  it("both read a complete record", async () => {
    for (const era of ["old", "new"] as const) {
      expect(await reads(era, message)).toMatchObject({
        created_on: new Instant(1_520_235_669_120_450n),
        sent_on: null,
        modified_on: new Instant(1_520_235_669_000_000n),
        labels: [{ uuid: label.uuid, name: "Late" }],
      });
    }
  });

  it("the old client needs every field, the new one only lists of objects", async () => {
    const without = (name: keyof typeof message): object =>
      Object.fromEntries(Object.entries(message).filter(([key]) => key !== name));
    await expect(reads("old", without("channel"))).rejects.toThrow("lacks the field channel");
    await expect(reads("new", without("channel"))).resolves.toMatchObject({ channel: null });
    await expect(reads("old", without("visibility"))).resolves.toMatchObject({ visibility: null });
    await expect(reads("new", without("quick_replies"))).rejects.toThrow("a list of objects");
    const nameless = { ...message, contact: { uuid: "x" } };
    await expect(reads("old", nameless)).rejects.toThrow("lacks the field name");
    await expect(reads("new", nameless)).resolves.toMatchObject({ contact: { uuid: "x", name: null } });
  });

  it.each([
    ["an integer as text", { ...message, id: "7" }],
    ["an integer as boolean", { ...message, id: true }],
    ["an object as text", { ...message, contact: "a7d2" }],
    ["an object as array", { ...message, channel: [] }],
    ["null for a list of objects", { ...message, labels: null }],
    ["text in a list of objects", { ...message, labels: ["Late"] }],
    ["a date that is none", { ...message, created_on: "2018-02-31T07:41:09Z" }],
    ["a number as a date", { ...message, sent_on: 1_520_235_669 }],
    ["a float that is whole", raw(JSON.stringify(message).replace('"id":7', '"id":7.0'))],
  ])("%s is refused", async (_what, body) => {
    await expect(reads("old", body)).rejects.toBeInstanceOf(SerializationError);
  });

  it("text that looks like a float stays text", async () => {
    await expect(reads("old", { ...message, text: 'is 7.0 "1.0"' })).resolves.toMatchObject({ text: 'is 7.0 "1.0"' });
  });

  it.each([
    ["2018-03-05T10:41:09+03:00", "2018-03-05T07:41:09.000000Z"],
    ["2018-03-05 07:41:09.1", "2018-03-05T07:41:09.100000Z"],
    ["2018-03-05T07:41:09.123456Z", "2018-03-05T07:41:09.123456Z"],
    ["2018-03-05", "2018-03-05T00:00:00.000000Z"],
    ["1969-12-31T23:59:59.999999Z", "1969-12-31T23:59:59.999999Z"],
    ["yesterday", undefined],
    ["2018-13-05T07:41:09Z", undefined],
  ])("%s", (text, expected) => {
    expect(Instant.parse(text)?.toString()).toBe(expected);
  });
});

describe("other clients", () => {
  it("the adaptor updates by address, with a raw plus sign, when the address is in use", async () => {
    const taken = { urns: ["URN belongs to another contact: tel:+254711000222"] };
    const { url, seen } = await scripted({ status: 400, body: taken }, { status: 200, body: { uuid: "x1" } });
    const uuid = adaptor(url, "t").upsertContact({ name: "Amina", language: "ENG", urns: ["tel:+254711000222"] });
    expect(await uuid).toBe("x1");
    expect(seen[1]).toMatchObject({
      url: "/api/v2/contacts.json?urn=tel:+254711000222",
      body: '{"name":"Amina","language":"ENG"}',
    });
  });

  it.each([
    { urns: { 0: ["URN belongs to another contact"] } },
    { urns: ["Invalid URN"] },
    { name: ["URN belongs to another"] },
    "not JSON",
  ])("the adaptor passes on %j", async (body) => {
    const { url, seen } = await scripted({ status: 400, body });
    await expect(adaptor(url, "t").upsertContact({ urns: ["tel:+254711000222"] })).rejects.toThrow("400");
    expect(seen).toHaveLength(1);
  });

  it("the connector adds missing records, and requires 201", async () => {
    const made = { status: 201, body: {} };
    const { url } = await scripted(
      { body: { uuid: "w1" } },
      page({ key: "register_id" }),
      page(),
      made,
      page(),
      made,
      page({ uuid: "c1", fields: { register_id: "7" } }),
      { status: 200, body: { uuid: "c1" } },
      { status: 200, body: { uuid: "c2" } },
    );
    const connection = connector(url, "t", "Village health");
    expect(await connection.start()).toEqual({ workspace: "w1", created: ["register_unit", "Village health"] });
    const people = ["7", "8"].map((registerId) => ({ registerId, name: "A", phone: "+254711000222" }));
    await expect(connection.sync(people)).rejects.toThrow("200 and not 201");
  });

  it("the connector refuses a service without a workspace", async () => {
    const { url } = await scripted({ body: { uuid: null } });
    await expect(connector(url, "t", "g").start()).rejects.toThrow("no workspace");
  });
});
