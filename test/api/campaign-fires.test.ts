import { expect, it } from "vitest";
import { loadAccount, accountOfDefinitions } from "../../src/account/index.js";
import { Rig } from "./rig.js";

/** What is due, by then, with the contact's row: instants in UTC; the rig's clock begins on 2026-03-04 at 6:00. */
function pending(rig: Rig): string[] {
  const { service } = rig;
  service.passTo(service.kernel.now);
  const fires = rig.recording.tables.campaignFires.dueBy(Number.MAX_SAFE_INTEGER, 100);
  return fires.map(
    ({ contact, dueAtMs }) => `${contact} ${new Date(Date.UTC(2026, 2, 4, 6) + dueAtMs).toISOString().slice(0, 16)}`,
  );
}

async function rigWithCampaign(): Promise<{ rig: Rig; campaign: string; event: string; contact: string }> {
  const rig = await Rig.start();
  for (const name of ["Mothers", "Fathers"]) await rig.post("groups.json", { name });
  await rig.post("fields.json", { label: "Visit", value_type: "datetime" });
  const { body: contact } = await rig.post("contacts.json", {
    urns: ["tel:+250781000001"],
    groups: ["Mothers"],
    fields: { visit: "2026-03-10T08:20:00Z" },
  });
  const { body: campaign } = await rig.post("campaigns.json", { name: "Doses", group: "Mothers" });
  const { body: event } = await rig.post("campaign_events.json", {
    campaign: campaign.uuid,
    relative_to: "visit",
    offset: 2,
    unit: "days",
    delivery_hour: 9,
    message: "Come",
  });
  return { rig, campaign: campaign.uuid, event: event.uuid, contact: contact.uuid };
}

it("events of campaigns are due by the organisation's clock, and follow requests", async () => {
  const { rig, campaign, event, contact } = await rigWithCampaign();
  // Nairobi is three hours ahead of UTC.
  expect(pending(rig)).toEqual(["1 2026-03-12T06:00"]);
  const body = { campaign, relative_to: "visit", offset: 2, unit: "hours", delivery_hour: -1, message: "Come" };
  await rig.post(`campaign_events.json?uuid=${event}`, body);
  expect(pending(rig)).toEqual(["1 2026-03-10T10:20"]);
  await rig.post(`contacts.json?uuid=${contact}`, { fields: { visit: "2026-03-11T08:20:30Z" } });
  expect(pending(rig)).toEqual(["1 2026-03-11T10:21"]);
  await rig.post("contact_actions.json", { contacts: [contact], action: "remove", group: "Mothers" });
  expect(pending(rig)).toEqual([]);
  await rig.post("contact_actions.json", { contacts: [contact], action: "add", group: "Fathers" });
  await rig.post(`campaigns.json?uuid=${campaign}`, { name: "Doses", group: "Fathers" });
  expect(pending(rig)).toEqual(["1 2026-03-11T10:21"]);
  await rig.post("contact_actions.json", { contacts: [contact], action: "block" });
  expect(pending(rig)).toEqual([]);
  await rig.post("contact_actions.json", { contacts: [contact], action: "unblock" });
  await rig.post("contact_actions.json", { contacts: [contact], action: "add", group: "Fathers" });
  expect(pending(rig)).toEqual(["1 2026-03-11T10:21"]);
  await rig.delete(`campaign_events.json?uuid=${event}`);
  expect(pending(rig)).toEqual([]);
});

it("a message of a campaign is of type flow and belongs to no broadcast", async () => {
  const { rig } = await rigWithCampaign();
  rig.service.passTo(10 * 24 * 3_600_000);
  const { body } = await rig.get("messages.json?folder=outbox");
  expect(body.results).toMatchObject([{ text: "Come", type: "flow", broadcast: null, direction: "out" }]);
});

it("an exported campaign loads into an empty account, and is exported equally", async () => {
  const { rig, campaign } = await rigWithCampaign();
  const { tables } = rig.recording;
  const row = tables.campaigns.byUuid(campaign);
  rig.service.account.campaignEvents.add({
    campaign: row?.id ?? 0,
    relativeTo: "last_seen_on",
    offset: -1,
    unit: "weeks",
    deliveryHour: -1,
    message: { eng: "Hello", swa: "Habari" },
    baseLanguage: "swa",
    flow: null,
    embeddedData: null,
    startMode: "skip",
  });
  const exported = (await rig.get(`definitions.json?campaign=${campaign}`)).body;
  const second = await Rig.start();
  const { account, problems } = accountOfDefinitions(exported);
  expect(problems).toEqual([]);
  loadAccount(second.service.account, second.recording.tables, account);
  const again = (await second.get(`definitions.json?campaign=${campaign}`)).body;
  expect(again).toEqual(exported);
  expect(again.campaigns[0].events).toMatchObject([{}, { start_mode: "S", base_language: "swa" }]);
});
