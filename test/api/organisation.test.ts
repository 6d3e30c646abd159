import { describe, expect, it } from "vitest";
import { Recording } from "../../src/store/index.js";
import { Service } from "../gateway/service.js";
import { meta } from "../store/samples.js";
import { expectConforming } from "./conforms.js";
import { organisation, Rig } from "./rig.js";

describe("the organisation", () => {
  it("is one object under both names", async () => {
    const rig = await Rig.start();
    const org = await rig.get("org.json");
    expect(org).toMatchObject({
      status: 200,
      body: {
        uuid: organisation.uuid,
        name: "Coast Depot",
        country: "KE",
        languages: ["eng", "swa"],
        primary_language: "eng",
        timezone: "Africa/Nairobi",
        date_style: "day_first",
        credits: { used: 0, remaining: 1000 },
        anon: false,
      },
    });
    expectConforming(rig, "GET org.json", org);
    expect((await rig.get("workspace.json")).body).toEqual(org.body);
  });

  it("shows its changed data, with languages sorted", async () => {
    const rig = await Rig.start();
    rig.service.account.organisation.set({
      country: null,
      primaryLanguage: null,
      languages: ["swa", "eng"],
      isAnonymous: true,
    });
    const org = await rig.get("org.json");
    expect(org.body).toMatchObject({
      country: null,
      primary_language: null,
      languages: ["eng", "swa"],
      anon: true,
      name: "Coast Depot",
    });
    expectConforming(rig, "GET org.json", org);
  });

  it("refuses writes while suspended, and still permits reading and deleting", async () => {
    const rig = await Rig.start();
    const { uuid } = (await rig.post("labels.json", { name: "Urgent" })).body;
    rig.service.account.organisation.set({ isSuspended: true });
    expect(await rig.post("labels.json", { name: "Later" })).toMatchObject({
      status: 400,
      body: { non_field_errors: ["This account is suspended and cannot do this."] },
    });
    expect((await rig.get("labels.json")).body.results).toHaveLength(1);
    expect((await rig.delete(`labels.json?uuid=${uuid}`)).status).toBe(204);
  });

  it("has a default UUID and name, and keeps both in the recording", () => {
    const recording = Recording.create(":memory:", meta);
    const first = new Service({}, { recording }).account.organisation;
    expect(first.get().uuid).toMatch(/^[\da-f-]{36}$/);
    first.set({ name: "Coast Depot" });
    const { organisation: kept } = recording.tables;
    expect(kept.get()).toEqual(first.get());
    expect(kept.get()).toMatchObject({ name: "Coast Depot", timezone: "UTC" });
  });
});

describe("tokens", () => {
  it("are stored with their latest data", () => {
    const { tokens } = new Service().recording.tables;
    tokens.put({ token: "b-token-1", role: "editor", isActive: true });
    tokens.put({ token: "a-token-1", role: "administrator", isActive: true });
    tokens.put({ token: "b-token-1", role: "editor", isActive: false });
    expect(tokens.all()).toEqual([
      { token: "a-token-1", role: "administrator", isActive: true },
      { token: "b-token-1", role: "editor", isActive: false },
    ]);
  });
});
