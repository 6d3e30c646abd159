import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { handset } from "../cli/terminal.js";
import { serveReady } from "../end-to-end/served.js";
import { temporaryFolder } from "../support/folder.js";

interface Named {
  readonly uuid: string;
}

const lastInstant = "9999-12-31T23:59:59.999Z";

it("campaign events with a date beyond the year 9999 are accepted or refused, and break nothing", async () => {
  const { api, lab, step } = await serveReady().then((served) => ({
    api: served.api,
    lab: served.lab,
    step: (span: string) => served.step(span),
  }));
  const [campaign] = (await api.all("campaigns.json")) as (Named & { group: Named })[];
  const [contact] = (await api.all(`contacts.json?group=${campaign?.group.uuid}`)) as Named[];
  const ask = { campaign: campaign?.uuid, relative_to: "first_dose", delivery_hour: -1, message: "hi" };
  const statuses: number[] = [];
  for (const offset of [2 ** 31 - 1, -(2 ** 31), 2 ** 31, 1e300]) {
    for (const unit of ["minutes", "weeks"]) {
      statuses.push((await api.post("campaign_events.json", { ...ask, offset, unit })).status);
    }
  }
  expect(statuses).toEqual([201, 201, 201, 201, 400, 400, 400, 400]);
  for (const date of [lastInstant, "0001-01-01", "10000-01-01T00:00:00Z", "275760-09-13"]) {
    const { status, body } = await api.post(`contacts.json?uuid=${contact?.uuid}`, { fields: { first_dose: date } });
    expect([date, status]).toEqual([date, 200]);
    // A text without a four-digit year has no value as a date.
    const year = (body.fields.first_dose as string | null)?.slice(0, 4) ?? null;
    expect(year).toBe(/^\d{4}-/.test(date) ? date.slice(0, 4) : null);
    await step("1h");
    expect((await api.get("campaign_events.json")).status).toBe(200);
    expect((await lab.get("/events")).status).toBe(200);
  }
  expect((await lab.post("/clock", { step: "99999999d" })).body).toEqual({
    step: ["A span is at most ten years, 3650d."],
  });
});

it("an account file with dates and offsets beyond the year 9999 is served, or refused by check", async () => {
  const offsets = ["2147483647 weeks", "99999999999 weeks", "-2147483648 minutes"];
  const values = [lastInstant, "99999-01-01", "+010000-01-01T00:00:00Z"];
  for (const [index, offset] of offsets.entries()) {
    const file = join(temporaryFolder(), "account.yaml");
    const text = [
      "account: { name: Far }",
      "fields: { due: datetime }",
      "groups: [G]",
      `contacts: [{ phone: "+250788000001", groups: [G], fields: { due: "${values[index]}" } }]`,
      `campaigns: [{ name: C, group: G, events: [{ relative-to: due, offset: ${offset}, message: hi }] }]`,
    ].join("\n");
    writeFileSync(file, text);
    const checked = await handset(["check", file]);
    const run = ["run", "scenarios/first-day.yaml", "-r", "none", "--recording", "none", "-q", "--data", file];
    const played = await handset(run);
    expect([0, 2], checked.stderr).toContain(checked.code);
    expect([0, 1, 2], played.stderr).toContain(played.code);
    if (checked.code === 2) expect(checked.stderr).toMatch(/error\[[a-z-]+\]: .*(offset|due)/);
  }
});
