import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/folder.js";
import { readyScenario, serveReady, type ServedLab, serving } from "./served.js";
import { receiverThat } from "./support.js";

/** What a client sees of the account. */
async function account({ api }: ServedLab): Promise<unknown> {
  const lists = ["contacts", "groups", "labels", "messages", "broadcasts", "channel_events", "runs", "campaigns"];
  return Promise.all(lists.map((list) => api.all(`${list}.json`)));
}

async function save({ lab }: ServedLab, name: string): Promise<void> {
  expect(await lab.done("POST", "/snapshots", { save: name })).toMatchObject({ done: `saved ${name}` });
}

async function restore({ lab }: ServedLab, name: string): Promise<void> {
  expect(await lab.done("POST", "/snapshots", { restore: name })).toMatchObject({ done: `restored ${name}` });
}

async function change({ api, lab }: ServedLab): Promise<void> {
  await api.done("POST", "contacts.json", { name: "Late", urns: ["tel:+250788123123"] });
  await api.done("POST", "broadcasts.json", { text: "hello", urns: ["tel:+250788123123"] });
  await api.delete(`contacts.json?urn=tel:${encodeURIComponent("+12065550110")}`);
  await lab.done("POST", "/do/text", { from: "people/3", to: "clinic", body: "join" });
}

describe.each([["in memory"], ["in a file"]])("a snapshot of an account %s", (place) => {
  const where = (): { database?: string } =>
    place === "in a file" ? { database: join(temporaryFolder(), "account.db") } : {};

  it("brings back what was; time and the ids that follow continue", async () => {
    const receiver = await receiverThat((_body, response) => void response.end("{}"));
    const lab = await serveReady({ ...where(), receiver: receiver.url });
    const atStart = await account(lab);
    await lab.step("20m");
    const before = await account(lab);
    expect(before).not.toEqual(atStart);
    await save(lab, "before");
    await change(lab);
    await lab.step("20m");
    expect(await account(lab)).not.toEqual(before);

    await restore(lab, "before");
    expect(await account(lab)).toEqual(before);
    expect((await lab.lab.done("GET", "/clock")).now).toBe("2026-03-04T06:40:00.000000Z");

    await restore(lab, "start");
    expect(await account(lab)).toEqual(atStart);

    // The restored world continues to play and to send events.
    receiver.got.splice(0);
    await change(lab);
    await lab.lab.done("POST", "/alarms", { of: "clinic" });
    await lab.step("30m");
    const types = receiver.got.map(({ body }) => new URLSearchParams(body).get("event"));
    expect(types).toEqual(expect.arrayContaining(["alarm", "mo_sms", "mt_sent"]));
    const { results } = await lab.lab.done("GET", "/events?outcome=accepted");
    expect(results).toHaveLength(receiver.got.length);
    const { ledger } = await lab.lab.done("GET", "/");
    for (const one of ["texts", "calls", "events", "attempts"]) expect([one, ledger[one].gap]).toEqual([one, 0]);

    expect((await lab.lab.done("GET", "/snapshots")).map(({ name }: { name: string }) => name)).toEqual([
      "before",
      "start",
    ]);
  });

  it("is gone back to any number of times, also while the clock runs", async () => {
    const receiver = await receiverThat((_body, response) => void response.end("{}"));
    const lab = await serveReady({ ...where(), receiver: receiver.url, isPaused: false, speed: 3600 });
    let failure: unknown;
    lab.served.ended.catch((error: unknown) => (failure = error));
    for (let round = 0; round < 5; round++) {
      await lab.lab.done("POST", "/alarms", { of: "clinic" });
      await lab.lab.done("POST", "/do/text", { from: "people/3", to: "clinic", body: `round ${round}` });
      if (round === 2) await save(lab, "middle");
      await restore(lab, round < 3 ? "start" : "middle");
    }
    await lab.lab.done("POST", "/alarms", { of: "clinic" });
    const clock = await lab.lab.done("GET", "/clock");
    expect(clock).toMatchObject({ paused: false, speed: 3600 });
    expect(failure).toBeUndefined();
  });

  it("keeps requests waiting that come meanwhile, and answers them", async () => {
    const lab = await serveReady(where());
    await lab.api.done("POST", "labels.json", { name: "Gone" });
    const restoring = restore(lab, "start");
    const asked = await Promise.all([
      ...Array.from({ length: 20 }, () => lab.api.get("labels.json")),
      ...Array.from({ length: 5 }, (_, n) => lab.api.post("labels.json", { name: `Meanwhile ${n}` })),
      lab.lab.get("/clock"),
      lab.lab.post("/alarms", { of: "clinic" }),
      lab.lab.get("/events"),
      lab.lab.get("/handsets"),
    ]);
    await restoring;
    expect(asked.map(({ status }) => status).filter((status) => status !== 200 && status !== 201)).toEqual([]);
    const names = (await lab.api.all("labels.json")).map(({ name }) => name as string);
    // The restore undoes a change that was acknowledged before it.
    expect(names).not.toContain("Gone");
  });

  it("is gone back to one after the other by several who ask at once", async () => {
    const lab = await serveReady({ ...where(), isPaused: false, speed: 60 });
    const text = "account: {}\nlabels: [Meanwhile]\n";
    const asked = await Promise.all([
      ...Array.from({ length: 6 }, () => lab.lab.post("/snapshots", { restore: "start" })),
      ...Array.from({ length: 40 }, (_, n) => lab.api.post("labels.json", { name: `Label ${n}` })),
      ...Array.from({ length: 4 }, () => lab.lab.post("/account", text)),
      ...Array.from({ length: 10 }, () => lab.api.get("contacts.json")),
    ]);
    expect(asked.filter(({ status }) => status !== 200 && status !== 201).map(({ body }) => body as unknown)).toEqual(
      [],
    );
    await restore(lab, "start");
    expect((await lab.api.all("labels.json")).length).toBe(3);
  });

  it("keeps delivery URLs that were set by hand, and tokens", async () => {
    const lab = await serveReady({
      ...where(),
      receiver: "http://127.0.0.1:9/default",
      tokens: [{ role: "surveyor", token: "surveyor-token", isActive: true }],
    });
    await lab.lab.done("POST", "/delivery-url", { of: "clinic/1", url: "http://127.0.0.1:9/mine" });
    await save(lab, "mine");
    await lab.lab.done("POST", "/delivery-url", { of: "clinic", url: null });
    await restore(lab, "mine");
    expect(
      ((await lab.lab.done("GET", "/handsets")) as { delivery_url: string }[]).map((one) => one.delivery_url),
    ).toEqual(["http://127.0.0.1:9/default", "http://127.0.0.1:9/mine"]);
    const surveyor = await lab.api.ask("GET", "contacts.json", undefined, { authorization: "Token surveyor-token" });
    expect(surveyor.status).toBe(200);
    expect((await lab.api.get("org.json")).status).toBe(200);
  });

  it("that there is not is refused by name", async () => {
    const lab = await serveReady(where());
    expect(await lab.lab.post("/snapshots", { restore: "nowhere" })).toMatchObject({
      status: 404,
      body: { detail: "There is no snapshot 'nowhere'; there are: start" },
    });
    for (const body of [{}, { save: "a", restore: "b" }, { save: "../etc" }, { restore: "a/b" }]) {
      expect((await lab.lab.post("/snapshots", body)).status).toBe(400);
    }
    expect(await lab.api.get("contacts.json")).toMatchObject({ status: 200 });
  });
});

describe("snapshots of a database", () => {
  it("lie beside it, and are there after the next start", async () => {
    const database = join(temporaryFolder(), "account.db");
    const first = await serveReady({ database });
    await save(first, "kept");
    await first.api.done("POST", "labels.json", { name: "Later" });
    await first.served.close();
    expect(existsSync(`${database}.snapshots`)).toBe(true);
    const second = await serving({ database });
    expect((await second.lab.done("GET", "/snapshots")).map(({ name }: { name: string }) => name)).toEqual([
      "kept",
      "start",
    ]);
    const names = async (): Promise<string[]> =>
      (await second.api.all("labels.json")).map(({ name }) => name as string);
    expect(await names()).toContain("Later");
    await restore(second, "kept");
    expect(await names()).not.toContain("Later");
    // The restored state is durable: a new server continues it.
    await second.served.close();
    const third = await serving({ database });
    expect((await third.api.all("labels.json")).map(({ name }) => name as string)).not.toContain("Later");
    expect((await third.lab.done("GET", "/events?outcome=waiting")).results).toEqual([]);
  });
});

describe("a receiver that answers nobody", () => {
  it("keeps neither a restore nor the end waiting", async () => {
    const receiver = await receiverThat(() => undefined);
    // The receiver's time limit is longer than the test's.
    const scenario = readyScenario(["starts=2026-03-04T06:00:00.000Z", "receiver.timeout=1h"]);
    const lab = await serveReady({ scenario, receiver: receiver.url });
    const alarm = (): Promise<unknown> => lab.lab.done("POST", "/alarms", { of: "clinic" });
    await alarm();
    await restore(lab, "start");
    await alarm();
    await lab.served.close();
    expect(receiver.got).toHaveLength(4);
  });
});

it("a database with tokens, its snapshots and what takes its place are for this user only", async () => {
  const folder = temporaryFolder();
  const database = join(folder, "account.db");
  const lab = await serveReady({ database });
  await save(lab, "before");
  await restore(lab, "before");
  await change(lab);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
  const open = files.filter((file) => (statSync(file).mode & 0o077) !== 0 && !file.endsWith(".lock"));
  expect(open).toEqual([]);
  expect(files.length).toBeGreaterThan(4);
});
