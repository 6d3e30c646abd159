import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { contactRecords, fakeService, fakeToken } from "./fake-service.js";
import { contentOf, listOf, outputPath, pull, serveAccount } from "./rig.js";

const group = "9c4e2d11-7b6a-4f2e-8d3c-1a2b3c4d5e6f";
const smart = "9c4e2d11-7b6a-4f2e-8d3c-1a2b3c4d5e70";
const flow = "2b6d8f10-4e5a-4c3b-8a9d-0e1f2a3b4c5d";

/** Records as newer and older services give them: with keys that ours does not have, without some that it has. */
const newer = {
  org: {
    name: "Coast",
    languages: null,
    primary_language: "swa",
    timezone: "Africa/Nairobi",
    credits: { used: -1, remaining: -1 },
  },
  fields: [
    { key: "shoe_size", name: "Shoe size (EU)", type: "number", featured: true },
    { key: "email", name: "Email", type: "text" },
  ],
  groups: [
    { uuid: smart, name: "Odd", query: "tickets > 0", status: "ready" },
    { uuid: group, name: "(test) Nurses", query: null, system: false, count: 1 },
    { uuid: "9c4e2d11-7b6a-4f2e-8d3c-1a2b3c4d5e71", name: "Open Tickets", query: null, system: true },
  ],
  globals: [{ key: "hotline", name: "Hotline", value: "112", modified_on: null }],
  contacts: [
    {
      uuid: "a7d2c9f0-0f3b-4a8e-9b7a-2c5e6d7f8091",
      name: null,
      status: "archived",
      urns: ["discord:750841288886321253", "tel:+250788000001", "tel:+250788000001#again"],
      groups: null,
      fields: { shoe_size: 42, email: "x@example.org", gone: "1" },
      notes: [{ text: "?" }],
    },
    {
      uuid: "A7D2C9F0-0F3B-4A8E-9B7A-2C5E6D7F8092",
      name: " Ada ",
      language: "ENG",
      urns: ["tel:+250788000001", "mailto:ada@example.org"],
      groups: [
        { uuid: smart, name: "Odd" },
        { uuid: group, name: "(test) Nurses" },
      ],
      flow: { uuid: flow, name: "Join" },
    },
    { status: null, urns: ["tel:********"] },
  ],
  flows: [{ uuid: flow, name: "Join", archived: false, labels: null }],
  definitions: {
    version: "13",
    flows: [
      {
        uuid: flow,
        name: "Join",
        spec_version: "14.3.0",
        language: "eng",
        type: "messaging",
        nodes: [
          {
            uuid: "0e3c2a51-7a0f-4bb4-9a21-111111111111",
            actions: [],
            exits: [{ uuid: "0e3c2a51-7a0f-4bb4-9a21-444444444444" }],
          },
        ],
      },
    ],
    triggers: [
      {
        trigger_type: "K",
        keywords: ["join", "start"],
        match_type: "F",
        flow: { uuid: flow, name: "Join" },
        groups: [],
        exclude_groups: null,
        channel: null,
      },
      { trigger_type: "U", flow: { uuid: flow, name: "Join" } },
    ],
  },
};

describe("a service of another version", () => {
  it("is read with its own spellings, and what does not fit is listed by reason", async () => {
    const service = await fakeService(newer);
    const output = outputPath();
    const { leftOut, problems, refused } = await pull(service, output);
    expect(problems).toBe("");
    expect(leftOut.map(({ what, why, count }) => `${count} ${what}: ${why}`)).toMatchSnapshot();
    expect(refused.map(({ resource, status }) => `${resource} ${status}`)).toEqual([
      "labels 404",
      "boundaries 404",
      "channels 404",
      "resthooks 404",
      "resthook_subscribers 404",
      "campaigns 404",
      "campaign_events 404",
    ]);
    expect(contentOf(output)).toMatchSnapshot();
    expect(readFileSync(output, "utf8")).toContain("# Not here: labels: the service answered 404.");
  });

  it("may refuse a list to the token's role: the rest is read", async () => {
    const denied = '{"detail":"You do not have permission to perform this action."}';
    const service = await fakeService(newer, (path) =>
      /groups|definitions/.test(path) ? { status: 403, body: denied } : undefined,
    );
    const { refused, resources, leftOut } = await pull(service, outputPath());
    expect(refused).toContainEqual({
      resource: "groups",
      status: 403,
      detail: "You do not have permission to perform this action.",
    });
    expect(resources).toContainEqual({ resource: "contacts", read: 3, written: 3 });
    expect(leftOut).toContainEqual({ what: "flows", why: "the service gave no definition", count: 1, of: ["Join"] });
  });

  it("with a flow that breaks the rules of loading gives a sound account, with the flow beside it", async () => {
    const broken = {
      ...newer.definitions.flows[0],
      nodes: [{ uuid: "x", actions: [], exits: [{ uuid: "y", destination_uuid: "z" }] }],
    };
    const service = await fakeService({ ...newer, definitions: { version: "13", flows: [broken] } });
    const output = outputPath();
    const { leftOut, files, problems } = await pull(service, output);
    expect(problems).toBe("");
    expect(leftOut.find(({ what }) => what === "flows")).toMatchObject({ count: 1, of: ["Join"] });
    expect(files.some((file) => file.endsWith("account-flows/join.json"))).toBe(true);
    expect(readFileSync(output, "utf8")).toContain("# Left out: flow 'Join' (account-flows/join.json): ");
  });

  it("has more contacts than a file may have: further files add to the account", async () => {
    const service = await fakeService({ org: { name: "Big" }, contacts: contactRecords(40) });
    const output = outputPath();
    const { files, problems } = await pull(service, output, { contactsLengthMax: 1000 });
    expect(problems).toBe("");
    const parts = files.filter((file) => file.endsWith(".yaml")).map((file) => readFileSync(file, "utf8"));
    expect(parts.length).toBeGreaterThan(3);
    expect(parts.join("").match(/name: Contact \d+/g)).toHaveLength(40);
    expect(parts[1]).toMatch(/^# More contacts of account.yaml.\naccount: existing\n/);
    const served = await serveAccount(files.filter((file) => file.endsWith(".yaml")));
    expect(await listOf(served, "contacts")).toHaveLength(40);
  });
});

describe("what is no service, or does not let in", () => {
  it.each([
    ["not a url", "'not a url' is not the address of a service"],
    ["rapidpro.example", "'rapidpro.example' is not the address of a service"],
    ["ftp://rapidpro.example", "'ftp://rapidpro.example' is not the address of a service"],
    ["https://user:word@rapidpro.example", "the address of the service has a user or a password"],
  ])("%s", async (url, message) => {
    await expect(pull({ url, token: fakeToken }, outputPath())).rejects.toMatchObject({ code: "bad-options", message });
  });

  it("a token that is refused, at the begin and later, without the token in the message", async () => {
    const service = await fakeService(newer);
    const output = outputPath();
    await expect(pull({ ...service, token: "wrong" }, output)).rejects.toMatchObject({
      code: "service-refused",
      message: "the service refuses the token: 403 'Invalid token'",
    });
    expect(existsSync(`${output}.pull`)).toBe(false);
    const later = await fakeService(newer, (path) =>
      path.includes("contacts") ? { status: 403, body: `{"detail":"Invalid token ${fakeToken}"}` } : undefined,
    );
    await expect(pull(later, output)).rejects.toMatchObject({
      code: "service-refused",
      message: "the service no longer accepts the token: 403 'Invalid token …'",
    });
    expect(existsSync(`${output}.pull`)).toBe(true);
  });

  it.each([
    [{ status: 200, body: "<html>Welcome</html>" }, "answered 200 with something that is not JSON ('Welcome')"],
    [
      { status: 404, body: "<html>Not found</html>" },
      "this does not answer like a service: org.json and workspace.json answered 404",
    ],
    [{ status: 200, body: '{"ok":true}' }, "this does not answer like a service: its org.json has no name"],
    [
      { status: 301, headers: { location: "https://rapidpro.example/api/v2/org.json" } },
      "redirects to https://rapidpro.example (301)",
    ],
  ])("an answer %j", async (answer, message) => {
    const service = await fakeService(newer, () => answer);
    const output = outputPath();
    await expect(pull(service, output)).rejects.toMatchObject({
      code: "bad-options",
      message: expect.stringContaining(message),
    });
    expect(existsSync(`${output}.pull`)).toBe(false);
  });

  it("a server that is not there, at once", async () => {
    const service = { url: "http://127.0.0.1:9", token: fakeToken };
    await expect(pull(service, outputPath())).rejects.toMatchObject({
      code: "no-service",
      message: expect.stringContaining("the connection failed"),
    });
  });

  it("files that are there are not replaced unasked", async () => {
    const service = await fakeService(newer);
    const output = outputPath();
    await pull(service, output);
    const before = readFileSync(output, "utf8");
    await expect(pull(service, output)).rejects.toMatchObject({ hint: expect.stringContaining("--overwrite") });
    writeFileSync(output, "mine");
    await pull(service, output, { overwrite: true });
    expect(readFileSync(output, "utf8")).toBe(before);
  });
});
