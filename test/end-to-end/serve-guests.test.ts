import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LabError, runScenario } from "../../src/index.js";
import { temporaryFolder } from "../support/folder.js";
import { readyScenario, type ServedLab, serveReady, serving } from "./served.js";
import { parse, smallDay } from "./support.js";

/** A phone number that is not in the ready account. */
const ada = "+12065550177";

async function messagesOf(lab: ServedLab, contact: string, direction: string): Promise<unknown[]> {
  const all = await lab.api.all(`messages.json?contact=${contact}`);
  return all.filter((one) => (one as { direction: string }).direction === direction);
}

async function lossesOf(lab: ServedLab): Promise<unknown> {
  return (await lab.lab.done("GET", "/")).ledger.texts.lost as unknown;
}

describe("a phone number in place of people", () => {
  it("lets a contact answer that was created over the API, and hears what is sent to it", async () => {
    const lab = await serveReady();
    const { uuid } = await lab.api.done("POST", "contacts.json", { name: "Ada", urns: [`tel:${ada}`] });
    const text = { from: ada, to: "clinic/0", body: "I am Ada" };
    expect((await lab.lab.done("POST", "/do/text", text)).done).toBe("text is done");
    await lab.lab.done("POST", "/do/text", { ...text, body: "me again" });
    await lab.step("1h");
    expect(await messagesOf(lab, uuid as string, "in")).toMatchObject([{ text: "me again" }, { text: "I am Ada" }]);

    const lostBefore = await lossesOf(lab);
    await lab.lab.done("POST", "/do/carrier", { of: "network", "reports-delivery": "100%" });
    await lab.api.done("POST", "broadcasts.json", { text: "Hello Ada", contacts: [uuid] });
    await lab.step("1h");
    expect(await messagesOf(lab, uuid as string, "out")).toMatchObject([{ text: "Hello Ada", status: "delivered" }]);
    expect(await lossesOf(lab)).toEqual(lostBefore);
    const people = (await lab.lab.done("GET", "/people")) as unknown[];
    expect(people).toHaveLength(31);
    expect(people.at(-1)).toEqual({ selector: ada, phone: ada, name: null });
  });

  it("means the member of the cast who has it", async () => {
    const lab = await serveReady();
    const [member] = (await lab.lab.done("GET", "/people")) as { phone: string }[];
    await lab.lab.done("POST", "/do/text", { from: member?.phone, to: "clinic", body: "hello" });
    expect(await lab.lab.done("GET", "/people")).toHaveLength(30);
  });

  it("stays one person when the database is served again", async () => {
    const database = join(temporaryFolder(), "account.db");
    const scenario = readyScenario();
    const first = await serving({ scenario, database });
    await first.lab.done("POST", "/do/text", { from: ada, to: "clinic/0", body: "I am Ada" });
    await first.step("1h");
    await first.served.close();
    const again = await serving({ database });
    expect(((await again.lab.done("GET", "/people")) as unknown[]).at(-1)).toMatchObject({ phone: ada });
    await again.lab.done("POST", "/do/send", { via: "clinic/0", to: ada, body: "still there?" });
    await again.step("1h");
    const sent = (await again.api.all("messages.json?folder=sent")) as { text: string; status: string }[];
    expect(sent.filter(({ text }) => text === "still there?")).toMatchObject([{ status: "delivered" }]);
  });

  it("calls and is called, and calls are logged with it or with people", async () => {
    const lab = await serveReady();
    await lab.lab.done("POST", "/do/call", { from: ada, to: "clinic/1", rings: "20s" });
    await lab.step("1m"); // one line: a call at the same time is busy
    await lab.lab.done("POST", "/do/call", { from: "clinic/1", to: ada, talks: "20s" });
    await lab.step("1h");
    const [farmer] = (await lab.lab.done("GET", "/people")) as { phone: string; selector: string }[];
    await lab.lab.done("POST", "/calls", { of: "clinic/0", phone: farmer?.selector });
    await lab.lab.done("POST", "/calls", { of: "clinic/0", phone: "3636" });
    const logged = await lab.lab.done("GET", "/events?limit=250");
    const events = logged.results as { type: string; fields: { phone: string } }[];
    const calls = events
      .filter(({ type }) => /_(call|miss)$/.test(type))
      .map(({ type, fields }) => [type, fields.phone]);
    expect(calls).toEqual(
      expect.arrayContaining([
        ["mo_miss", ada],
        ["mt_call", ada],
        ["mo_miss", farmer?.phone],
        ["mo_miss", "3636"],
      ]),
    );
  });

  it("is refused where it is none, with how to write it", async () => {
    const lab = await serveReady();
    const refusalOf = async (from: string): Promise<string> => {
      const { status, body } = await lab.lab.post("/do/text", { from, to: "clinic/0", body: "hello" });
      expect([from, status]).toEqual([from, 400]);
      return JSON.stringify(body);
    };
    expect(await refusalOf("12065550177")).toContain("+12065550177");
    expect(await refusalOf("+1 206 555 0177")).toContain("+12065550177");
    expect(await refusalOf("+12065{0000}")).toContain("without a counter");
    expect(await refusalOf("nobody/3")).toContain("names no group of people");
    const call = await lab.lab.post("/do/call", { from: ada, to: ada });
    expect([call.status, JSON.stringify(call.body)]).toEqual([400, expect.stringContaining("must be handsets")]);
    const logged = await lab.lab.post("/calls", { of: "clinic/0", phone: "nobody/3" });
    expect([logged.status, JSON.stringify(logged.body)]).toEqual([400, expect.stringContaining("names no group")]);
  });

  it("may stand in a story, which is then not played in parts", async () => {
    const story = `
story:
  - { at: 1m, text: { from: "${ada}", to: clinic/0, body: hello } }
`;
    const scenario = parse(smallDay.replace(/\nstory:[^]*$/, "\n") + story);
    const lab = await serving({ scenario });
    await lab.step("2m");
    expect(((await lab.lab.done("GET", "/people")) as unknown[]).at(-1)).toMatchObject({ phone: ada });
    await expect(
      runScenario(scenario, { recording: "none", receiver: "none", shard: { index: 0, count: 2 } }),
    ).rejects.toThrow(LabError);
  });
});
