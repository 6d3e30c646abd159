import { beforeEach, describe, expect, it } from "vitest";
import { startsAtMs } from "../gateway/service.js";
import { addCountry } from "../account/add-country.js";
import { expectConforming } from "./conforms.js";
import { type Answered, Rig } from "./rig.js";

/** Deleted and unknown records give the same error. */
const notFound = { status: 404, body: { detail: "Not found." } };
const nobody = "7b0c4b1e-4a2f-4f0e-9d55-0a1de3f7b201";

let rig: Rig;
beforeEach(async () => {
  rig = await Rig.start();
});

async function add(body?: unknown): Promise<Answered["body"]> {
  const added = await rig.post("contacts.json", body);
  expect(added).toMatchObject({ status: 201 });
  return added.body;
}

async function listed(query = ""): Promise<Answered["body"][]> {
  const page = await rig.get(`contacts.json?${query}`);
  expect(page.status).toBe(200);
  expectConforming(rig, "GET contacts.json", page);
  return page.body.results;
}

async function contact(uuid: string): Promise<Answered["body"]> {
  return (await listed(`uuid=${uuid}`))[0];
}

/** A person texts the first phone. */
function text(phone: string, words = "hello"): void {
  rig.service.sync(1, [{ type: "mo_sms", phone, text: words, timeMs: startsAtMs + rig.service.kernel.now }]);
}

describe("a new contact", () => {
  it("has the posted values", async () => {
    await rig.post("groups.json", { name: "Farmers" });
    const { uuid: staff } = (await rig.post("groups.json", { name: "Staff" })).body;
    await rig.post("fields.json", { label: "Age", value_type: "numeric" });
    await rig.post("fields.json", { label: "Job", value_type: "text" });
    const added = await rig.post("contacts.json", {
      name: "  Amina Otieno ",
      language: "swa",
      urns: ["tel:+254 711 000 222", "MAILTO:Amina@Example.com", "tel:254711000222"],
      groups: [staff, "farmers", "FARMERS"],
      fields: { age: 34.5 },
    });
    expect(added).toMatchObject({ status: 201 });
    expectConforming(rig, "POST contacts.json", added);
    expect(added.body).toEqual({
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: "Amina Otieno",
      status: "active",
      language: "swa",
      urns: ["tel:+254711000222", "mailto:amina@example.com"],
      groups: [
        { uuid: expect.any(String), name: "Farmers" },
        { uuid: staff, name: "Staff" },
      ],
      fields: { age: "34.5", job: null },
      flow: null,
      blocked: false,
      stopped: false,
      created_on: "2026-03-04T06:00:00.000000Z",
      modified_on: "2026-03-04T06:00:00.000000Z",
      last_seen_on: null,
      notes: [],
    });
    expect(await contact(added.body.uuid)).toEqual(added.body);
  });

  it("may be empty, without a body", async () => {
    const made = await rig.post("contacts.json", undefined, { "content-type": "application/json" });
    expect(made).toMatchObject({ status: 201, body: { name: null, language: null, urns: [], groups: [], fields: {} } });
    expect((await add({})).uuid).not.toBe(made.body.uuid);
  });

  it("cannot have addresses of another contact", async () => {
    await add({ urns: ["tel:+254711000222"] });
    expect(await rig.post("contacts.json", { name: "Brian", urns: ["ext:1", "tel:+254-711-000-222"] })).toMatchObject({
      status: 400,
      body: { urns: ["URN belongs to another contact: tel:+254711000222"] },
    });
    text("+250788111111");
    expect(await rig.post("contacts.json", { urns: ["tel:+250788111111"] })).toMatchObject({ status: 400 });
    expect(await listed()).toHaveLength(2);
    expect(await listed("urn=ext:1")).toEqual([]);
  });

  it("can be posted as a form", async () => {
    await rig.post("fields.json", { label: "Age", value_type: "numeric" });
    const form = "name=Amina&urns=tel:%2B254711000222&urns=ext:7&fields[age]=12";
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    expect(await rig.post("contacts.json", form, headers)).toMatchObject({
      status: 201,
      body: { name: "Amina", urns: ["tel:+254711000222", "ext:7"], fields: { age: "12" } },
    });
  });

  it("is not affected by __proto__", async () => {
    const odd = '{"name":"Amina","fields":{"__proto__":"x"}}';
    expect(await rig.post("contacts.json", odd)).toMatchObject({
      status: 400,
      body: { fields: ["Unknown contact field: __proto__"] },
    });
    expect(await rig.post("contacts.json", '{"__proto__":{"name":"Eve"}}')).toMatchObject({
      status: 201,
      body: { name: null },
    });
  });

  it("reports all errors at once", async () => {
    expect((await rig.post("contacts.json", { name: "", urns: ["x"], groups: ["y"] })).body).toEqual({
      name: ["This field may not be blank."],
      urns: ["Invalid URN: x. Phone numbers need their country code."],
      groups: ["No such object: y"],
    });
  });

  it("stores values as sent: cut, cleared, numbers and booleans as text", async () => {
    for (const label of ["A", "B", "C", "D", "E"]) await rig.post("fields.json", { label, value_type: "text" });
    const fields = { a: "💧".repeat(700), b: "", c: null, d: true, e: 1e21 };
    expect((await add({ fields })).fields).toEqual({
      a: "💧".repeat(640),
      b: null,
      c: null,
      d: "True",
      e: "1000000000000000000000",
    });
  });
});

describe("a contact by URN in the URL", () => {
  it("is added when no contact has the URN, also with a raw plus sign", async () => {
    const made = await rig.post("contacts.json?urn=tel:+254711000222", { name: "Amina" });
    expect(made).toMatchObject({ status: 201, body: { name: "Amina", urns: ["tel:+254711000222"] } });
    expectConforming(rig, "POST contacts.json", made);
    const changed = await rig.post("contacts.json?urn=tel:%2B254711000222", { language: "ENG" });
    expect(changed).toMatchObject({ status: 200, body: { uuid: made.body.uuid, name: "Amina", language: "ENG" } });
    expectConforming(rig, "POST contacts.json", changed);
  });

  it("cannot have other URNs in the body", async () => {
    for (const urn of ["tel:+254711000222", "tel:+254711000333"]) {
      expect(await rig.post(`contacts.json?urn=${urn}`, { urns: ["ext:1"] })).toMatchObject({
        status: 400,
        body: { urns: ["Not allowed together with a URN in the URL"] },
      });
    }
    expect(await listed()).toEqual([]);
  });

  it("must be a URN, and the only identifier in the URL", async () => {
    const bad = { status: 400, body: { detail: "Invalid URN: nothing" } };
    expect(await rig.get("contacts.json?urn=nothing")).toMatchObject(bad);
    expect(await rig.post("contacts.json?urn=nothing", { name: "Amina" })).toMatchObject(bad);
    expect(await rig.delete("contacts.json?urn=nothing")).toMatchObject(bad);
    expect(await rig.post("contacts.json?urn=tel:0788123123", { name: "Amina" })).toMatchObject({ status: 400 });
    expect(await rig.post("contacts.json?urn=", { name: "Amina" })).toMatchObject(notFound);
    expect(await rig.post("contacts.json?urn=tel:%00", { name: "Amina" })).toMatchObject(notFound);
    expect(await rig.post(`contacts.json?uuid=${nobody}&urn=tel:%2B254711000222`, {})).toMatchObject({
      status: 400,
      body: { detail: "Use only one of these in the URL: urn, uuid" },
    });
    expect(await listed()).toEqual([]);
  });

  it("finds the contact who texted from a short code, whose address can be posted back", async () => {
    text("3636");
    const [sender] = await listed("urn=tel:3636");
    expect(sender.urns).toEqual(["tel:3636"]);
    const body = { urns: [...sender.urns, "tel:+254711000222"] };
    expect(await rig.post(`contacts.json?uuid=${sender.uuid}`, body)).toMatchObject({ status: 200, body });
    expect(await rig.post("contacts.json", { urns: ["tel:3637"] })).toMatchObject({ status: 400 });
  });
});

describe("a change of a contact", () => {
  it("keeps absent properties, and clears those that are null", async () => {
    await rig.post("fields.json", { label: "Age", value_type: "text" });
    await rig.post("fields.json", { label: "Job", value_type: "text" });
    await rig.post("groups.json", { name: "Farmers" });
    const before = await add({
      name: "Amina",
      language: "eng",
      urns: ["tel:+254711000222"],
      groups: ["Farmers"],
      fields: { age: "34", job: "nurse" },
    });
    const path = `contacts.json?uuid=${before.uuid.toUpperCase()}`;
    expect((await rig.post(path, {})).body).toEqual(before);
    expect((await rig.post(path)).body).toEqual(before);
    expect((await rig.post(path, { fields: { age: "" } })).body).toEqual({
      ...before,
      fields: { age: null, job: "nurse" },
    });
    expect((await rig.post(path, { name: null, language: null, urns: [], groups: [] })).body).toEqual({
      ...before,
      name: null,
      language: null,
      urns: [],
      groups: [],
      fields: { age: null, job: "nurse" },
    });
    expect(await listed("urn=tel:%2B254711000222")).toEqual([]);
  });

  it("of an unknown contact is refused", async () => {
    for (const uuid of [nobody, "none", ""]) {
      expect(await rig.post(`contacts.json?uuid=${uuid}`, { name: "Amina" })).toMatchObject(notFound);
    }
    expect(await rig.post(`contacts.json?uuid=${nobody}`, "{broken")).toMatchObject(notFound);
    expect(await listed()).toEqual([]);
  });

  it("silently takes over addresses of others, in the given order", async () => {
    const amina = await add({ name: "Amina", urns: ["tel:+254711000222", "ext:a"] });
    const brian = await add({ name: "Brian", urns: ["tel:+254711000333"] });
    rig.service.passTo(60_000);
    const urns = ["tel:+254711000222", "tel:+254711000333"];
    expect((await rig.post(`contacts.json?uuid=${brian.uuid}`, { urns })).body.urns).toEqual(urns);
    expect(await contact(amina.uuid)).toMatchObject({ urns: ["ext:a"], modified_on: "2026-03-04T06:01:00.000000Z" });
    expect(await listed("urn=tel:%2B254711000222")).toMatchObject([{ name: "Brian" }]);
    expect((await rig.post(`contacts.json?uuid=${brian.uuid}`, { urns: urns.toReversed() })).body.urns).toEqual(
      urns.toReversed(),
    );
    await rig.post(`contacts.json?uuid=${brian.uuid}`, { urns: ["ext:b"] });
    expect(await add({ urns })).toMatchObject({ urns });
  });

  it("applies to the next text", async () => {
    text("+254711000222");
    const [stranger] = await listed();
    await rig.post(`contacts.json?uuid=${stranger.uuid}`, { urns: ["ext:1"] });
    text("+254711000222");
    expect(await listed()).toHaveLength(2);
    const [other] = await listed("urn=tel:%2B254711000222");
    expect(other.uuid).not.toBe(stranger.uuid);
    await rig.post(`contacts.json?uuid=${stranger.uuid}`, { urns: ["tel:+254711000222"] });
    text("+254711000222");
    const contacts = rig.service.messages.map((message) => message.contact);
    expect(contacts).toEqual([1, 2, 1]);
  });

  it("updates modified_on only when a value changes", async () => {
    await rig.post("fields.json", { label: "Age", value_type: "numeric" });
    await rig.post("groups.json", { name: "Farmers" });
    const body = { name: "Amina", language: "eng", urns: ["ext:1", "ext:2"], groups: ["Farmers"], fields: { age: 3 } };
    const { uuid } = await add(body);
    const movesWith = async (change: unknown): Promise<boolean> => {
      rig.service.passTo(rig.service.kernel.now + 1000);
      const before = (await contact(uuid)).modified_on;
      const after = (await rig.post(`contacts.json?uuid=${uuid}`, change)).body.modified_on;
      expect([before, `2026-03-04T06:00:${String(rig.service.kernel.now / 1000).padStart(2, "0")}.000000Z`]).toContain(
        after,
      );
      return after !== before;
    };
    expect(await movesWith(body)).toBe(false);
    expect(await movesWith({ name: "Brian" })).toBe(true);
    expect(await movesWith({ language: null })).toBe(true);
    expect(await movesWith({ urns: ["ext:2", "ext:1"] })).toBe(true);
    expect(await movesWith({ groups: [] })).toBe(true);
    expect(await movesWith({ groups: [] })).toBe(false);
    expect(await movesWith({ fields: { age: "3" } })).toBe(false);
    expect(await movesWith({ fields: { age: "3.0" } })).toBe(true);
    expect(await movesWith({ fields: { age: null } })).toBe(true);
    expect(await movesWith({ fields: { age: "" } })).toBe(false);
    const before = (await contact(uuid)).modified_on;
    await rig.post(`contacts.json?uuid=${uuid}`, { urns: ["tel:+254711000222"] });
    rig.service.passTo(120_000);
    text("+254711000222");
    expect(await contact(uuid)).toMatchObject({ last_seen_on: "2026-03-04T06:02:00.000000Z" });
    expect((await contact(uuid)).modified_on > before).toBe(true);
    expect((await contact(uuid)).modified_on < "2026-03-04T06:02").toBe(true);
  });

  it("adds no blocked or opted-out contact to a group", async () => {
    await rig.post("groups.json", { name: "Farmers" });
    for (const state of ["blocked", "stopped"] as const) {
      const { uuid } = rig.service.account.contacts.add({ name: state, state });
      expect(await contact(uuid)).toMatchObject({
        status: state,
        blocked: state === "blocked",
        stopped: state === "stopped",
      });
      expect(await rig.post(`contacts.json?uuid=${uuid}`, { groups: ["Farmers"] })).toMatchObject({
        status: 400,
        body: { groups: [`Blocked or stopped contacts cannot join groups: ${uuid}`] },
      });
      expect(await rig.post(`contacts.json?uuid=${uuid}`, { groups: [], name: "Eve" })).toMatchObject({ status: 200 });
    }
  });
});

describe("a deleted contact", () => {
  it("is listed among the deleted only, with only its dates", async () => {
    await rig.post("fields.json", { label: "Age", value_type: "numeric" });
    await rig.post("groups.json", { name: "Farmers" });
    const body = {
      name: "Amina",
      language: "eng",
      urns: ["tel:+254711000222"],
      groups: ["Farmers"],
      fields: { age: 3 },
    };
    const { uuid } = await add(body);
    await add({ name: "Brian" });
    rig.service.passTo(60_000);
    text("+254711000222");
    const gone = await rig.delete(`contacts.json?uuid=${uuid}`);
    expect(gone).toMatchObject({ status: 204, body: "" });
    expectConforming(rig, "DELETE contacts.json", gone);
    expect(await listed()).toMatchObject([{ name: "Brian" }]);
    expect(await listed(`uuid=${uuid}`)).toEqual([]);
    expect(await listed("group=Farmers")).toEqual([]);
    expect(await listed("deleted=true&group=Farmers")).toEqual([]);
    expect((await rig.get("groups.json")).body.results).toMatchObject([{ count: 0 }]);
    for (const query of ["deleted=true", "deleted=1", "deleted=YES", `deleted=true&uuid=${uuid}`]) {
      expect(await listed(query)).toEqual([
        {
          uuid,
          name: null,
          status: null,
          language: null,
          urns: [],
          groups: [],
          fields: {},
          flow: null,
          blocked: null,
          stopped: null,
          created_on: "2026-03-04T06:00:00.000000Z",
          modified_on: "2026-03-04T06:01:00.000000Z",
          last_seen_on: "2026-03-04T06:01:00.000000Z",
          notes: [],
        },
      ]);
    }
    expect(await listed("deleted=0")).toMatchObject([{ name: "Brian" }]);
    expect(await rig.delete(`contacts.json?uuid=${uuid}`)).toMatchObject(notFound);
    expect(await rig.delete("contacts.json?urn=tel:%2B254711000222")).toMatchObject(notFound);
    expect(await rig.post(`contacts.json?uuid=${uuid}`, { name: "Eve" })).toMatchObject(notFound);
    expect(await rig.post("contact_actions.json", { contacts: [uuid], action: "block" })).toMatchObject({
      status: 400,
      body: { contacts: [`No such object: ${uuid}`] },
    });
  });

  it("has no readable messages, calls or runs", async () => {
    const { account } = rig.service;
    const flow = account.flows.add({
      name: "Stock check",
      type: "message",
      isArchived: false,
      expiresMinutes: 720,
      labels: [],
      definition: {},
    });
    for (const phone of ["+254711000222", "+254711000333"]) {
      text(phone, `from ${phone}`);
      const call = { type: "call", call: "mo_miss", phone, timeMs: startsAtMs, durationS: 0 } as const;
      rig.service.sync(1, [call]);
      const run = { agoMs: 0, lastedMs: 0, exit: null, path: [], results: [] };
      account.runs.add({ ...run, flow, contact: rig.recording.tables.contacts.ownerOf(`tel:${phone}`)?.contact ?? 0 });
    }
    await rig.delete("contacts.json?urn=tel:+254711000222");
    const left = async (path: string): Promise<Answered["body"][]> => (await rig.get(path)).body.results;
    expect(await left("messages.json")).toMatchObject([{ text: "from +254711000333" }]);
    expect(await left("messages.json?folder=incoming")).toMatchObject([{ visibility: "visible" }, { text: "" }]);
    expect(await left("channel_events.json")).toHaveLength(1);
    expect(await left("runs.json")).toHaveLength(1);
  });

  it("frees its address: a text from its number adds another contact", async () => {
    text("+254711000222");
    const [{ uuid }] = await listed();
    await rig.delete("contacts.json?urn=tel:+254711000222");
    text("+254711000222");
    const [other] = await listed();
    expect(other.uuid).not.toBe(uuid);
    expect(other.urns).toEqual(["tel:+254711000222"]);
    await rig.delete(`contacts.json?uuid=${other.uuid}`);
    expect((await add({ urns: ["tel:+254711000222"] })).uuid).not.toBe(uuid);
  });

  it("needs one identifier in the URL", async () => {
    const { uuid } = await add({ urns: ["ext:1"] });
    expect(await rig.delete("contacts.json")).toMatchObject({
      status: 400,
      body: { detail: "One of these is needed in the URL: uuid, urn" },
    });
    expect(await rig.delete(`contacts.json?uuid=${uuid}&urn=ext:1`)).toMatchObject({ status: 400 });
    for (const query of ["uuid=", "urn=", `uuid=${nobody}`, "urn=ext:2", "uuid=%00"]) {
      expect(await rig.delete(`contacts.json?${query}`)).toMatchObject(notFound);
    }
    expect(await listed()).toHaveLength(1);
    expect(await rig.delete("contacts.json?urn=EXT:1")).toMatchObject({ status: 204 });
  });
});

describe("the list of contacts", () => {
  it("combines all given filters", async () => {
    await rig.post("groups.json", { name: "Field staff" });
    const [{ uuid: group }] = (await rig.get("groups.json")).body.results;
    const amina = await add({ name: "Amina", urns: ["tel:+254711000222"], groups: ["field STAFF"] });
    await add({ name: "Brian" });
    const names = async (query: string): Promise<string[]> => (await listed(query)).map(({ name }) => name);
    expect(await names("")).toEqual(["Brian", "Amina"]);
    expect(await names("reverse=true")).toEqual(["Amina", "Brian"]);
    expect(await names(`uuid=${amina.uuid.toUpperCase()}`)).toEqual(["Amina"]);
    expect(await names("uuid=something")).toEqual([]);
    expect(await names("urn=tel:%2B254711000222")).toEqual(["Amina"]);
    expect(await names("urn=tel:+254711000222")).toEqual(["Amina"]);
    expect(await names("urn=tel:%2B254711000333")).toEqual([]);
    expect(await names("group=Field+staff")).toEqual(["Amina"]);
    expect(await names("group=field+staff")).toEqual(["Amina"]);
    expect(await names(`group=${group.toUpperCase()}`)).toEqual(["Amina"]);
    expect(await names("group=Nobody")).toEqual([]);
    expect(await names(`group=${group}&urn=tel:%2B254711000222&uuid=${amina.uuid}`)).toEqual(["Amina"]);
    expect(await names(`group=${group}&urn=tel:%2B254711000333`)).toEqual([]);
    expect(await names("group=%00")).toEqual([]);
    expect(await names("uuid=&urn=&group=&deleted=&before=&after=&more=1")).toEqual(["Brian", "Amina"]);
  });

  it("filters by time of modification, both ends included", async () => {
    await rig.post("groups.json", { name: "All" });
    for (let minute = 1; minute <= 3; minute++) {
      rig.service.passTo(minute * 60_000);
      await add({ name: String(minute), groups: ["All"] });
    }
    for (const group of ["", "&group=All"]) {
      const names = async (query: string): Promise<string[]> =>
        (await listed(`${query}${group}`)).map(({ name }) => name);
      expect(await names("after=2026-03-04T06:02:00.000000Z")).toEqual(["3", "2"]);
      expect(await names("before=2026-03-04T06:02:00.000")).toEqual(["2", "1"]);
      expect(await names("after=2026-03-04T06:02:00.001Z&before=2026-03-04T09:03:00+03:00")).toEqual(["3"]);
      expect(await names("after=2026-03-04T06:03:00Z&before=2026-03-04T06:01:00Z")).toEqual([]);
      expect(await names("after=yesterday")).toEqual([]);
    }
  });

  it("has pages of 250, in every order, also by group", async () => {
    const { account } = rig.service;
    const group = account.groups.add({ name: "All" });
    for (let index = 0; index < 520; index++) {
      // Batches of two hundred have the same time of modification.
      if (index % 200 === 0) rig.service.passTo(index);
      account.contacts.add({ name: String(index), groups: [group] });
    }
    const newestFirst = Array.from({ length: 520 }, (_, index) => String(519 - index));
    for (const query of ["", "group=All"]) {
      for (const isReversed of [false, true]) {
        const wanted = isReversed ? newestFirst.toReversed() : newestFirst;
        let page = await rig.get(`contacts.json?${query}${isReversed ? "&reverse=1" : ""}`);
        const pages = [page];
        while (page.body.next !== null) {
          page = await rig.get(page.body.next.replace(/^.*\/api\/v2\//, ""));
          pages.push(page);
        }
        expect(pages.map(({ body }) => body.results.length)).toEqual([250, 250, 20]);
        expect(pages.flatMap(({ body }) => body.results.map(({ name }: { name: string }) => name))).toEqual(wanted);
        const back = await rig.get(page.body.previous.replace(/^.*\/api\/v2\//, ""));
        expect(back.body.results.map(({ name }: { name: string }) => name)).toEqual(wanted.slice(250, 500));
      }
    }
    expect(await rig.get("contacts.json?cursor=nonsense")).toMatchObject({
      status: 404,
      body: { detail: "Invalid cursor" },
    });
  });

  it.each([
    ["contacts", [["active"]], "contact_modified"],
    ["contacts", [["deleted"], ["after", 1]], "contact_deleted"],
    ["contacts", [["active"], ["before", 1]], "contact_modified"],
    ["contacts", [["active"], ["uuid", "x"]], "contact_uuid"],
    ["contacts", [["active"], ["urn", "x"]], "INTEGER PRIMARY KEY"],
    ["members", [["active"], ["group", 1]], "membership_group"],
    ["members", [["active"], ["group", 1], ["after", 1], ["before", 2]], "membership_group"],
    ["members", [["active"], ["group", 1], ["uuid", "x"]], "contact_uuid"],
    ["members", [["active"], ["group", 1], ["urn", "x"]], "(contact=? AND contact_group=?)"],
  ] as const)("is read from an index without sorting: %s by %j", (list, filters, index) => {
    for (const isReversed of [false, true]) {
      for (const cursor of [undefined, { position: 1, tie: 1, isBackwards: false }]) {
        const plan = rig.service.lists[list].plan({ order: "modified", isReversed, filters, cursor, size: 250 });
        expect(plan[0]).toContain(index);
        expect(plan.join()).not.toContain("TEMP B-TREE");
      }
    }
  });

  it("shows values by their types", async () => {
    addCountry(rig.service.account.boundaries, {
      osmId: "R1",
      name: "Kenya",
      aliases: [],
      geometry: null,
      parts: [{ osmId: "R2", name: "Mombasa", aliases: ["Mvita"], geometry: null, parts: [] }],
    });
    for (const [label, value_type] of [
      ["Words", "text"],
      ["Nets", "numeric"],
      ["Dose", "datetime"],
      ["County", "state"],
    ]) {
      await rig.post("fields.json", { label, value_type });
    }
    const shown = async (fields: unknown): Promise<unknown> => (await add({ fields })).fields;
    expect(await shown({ words: " a b ", nets: "2.50", dose: "05-03-2026 14:30", county: "mvita" })).toEqual({
      words: " a b ",
      nets: "2.5",
      dose: "2026-03-05T11:30:00.000000Z",
      county: "Mombasa",
    });
    expect(await shown({ nets: "many", dose: "soon", county: "Atlantis" })).toEqual({
      words: null,
      nets: null,
      dose: null,
      county: null,
    });
  });

  it("shows the flow in which a contact is", async () => {
    const { account } = rig.service;
    const flow = account.flows.add({
      name: "Stock check",
      type: "message",
      isArchived: false,
      expiresMinutes: 720,
      labels: [],
      definition: {},
    });
    const { uuid } = await add({ name: "Amina" });
    const { row } = rig.recording.tables.contacts.byUuid(uuid) ?? { row: 0 };
    account.runs.add({
      flow,
      contact: row,
      agoMs: 0,
      lastedMs: 0,
      exit: null,
      path: [],
      results: [],
    });
    expect(await contact(uuid)).toMatchObject({ flow: { uuid: flow.uuid, name: "Stock check" } });
    await rig.post("contact_actions.json", { contacts: [uuid], action: "interrupt" });
    expect(await contact(uuid)).toMatchObject({ flow: null });
  });
});

describe("an account that hides addresses", () => {
  beforeEach(async () => {
    rig = await Rig.start({ organisation: { isAnonymous: true } });
  });

  it("shows no URNs, and accepts only those of new contacts", async () => {
    const amina = await add({ name: "Amina", urns: ["tel:+254711000222"] });
    expect(amina.urns).toEqual([]);
    expect(await listed()).toMatchObject([{ urns: [] }]);
    const hidden = { status: 400, body: { detail: expect.any(String) } };
    expect(await rig.get("contacts.json?urn=tel:%2B254711000222")).toMatchObject(hidden);
    expect(await rig.post("contacts.json?urn=tel:%2B254711000333", {})).toMatchObject(hidden);
    expect(await rig.delete("contacts.json?urn=tel:%2B254711000222")).toMatchObject(hidden);
    expect(await rig.post(`contacts.json?uuid=${amina.uuid}`, { urns: [] })).toMatchObject({
      status: 400,
      body: { urns: [expect.any(String)] },
    });
    expect(await rig.post(`contacts.json?uuid=${amina.uuid}`, { name: "Eve" })).toMatchObject({ status: 200 });
  });
});

describe("strict mode", () => {
  beforeEach(async () => {
    rig = await Rig.start({ isStrict: true });
  });

  it("refuses the requests that real systems refuse", async () => {
    expect(await rig.get("contacts.json?uuid=none")).toMatchObject({ status: 400 });
    // Numbers of North America have ten digits.
    expect(await rig.post("contacts.json", { urns: ["tel:+1206555014"] })).toMatchObject({ status: 400 });
    text("3636");
    expect(await rig.post("contacts.json", { urns: ["tel:3636"] })).toMatchObject({
      status: 400,
      body: { urns: ["Invalid URN: tel:3636. Phone numbers need their country code."] },
    });
    expect(await rig.post("contact_actions.json", { contacts: [], action: "block" })).toMatchObject({
      status: 400,
      body: { contacts: ["This list may not be empty."] },
    });
  });
});

describe("a suspended account", () => {
  it("accepts no changes except deletion", async () => {
    const { uuid } = await add({ name: "Amina" });
    rig.service.account.organisation.set({ isSuspended: true });
    expect(await rig.post(`contacts.json?uuid=${uuid}`, { name: "Eve" })).toMatchObject({
      status: 400,
      body: { non_field_errors: [expect.any(String)] },
    });
    expect(await contact(uuid)).toMatchObject({ name: "Amina" });
    expect(await rig.delete(`contacts.json?uuid=${uuid}`)).toMatchObject({ status: 204 });
  });
});
