import fc from "fast-check";
import { expect, it } from "vitest";
import type { CampaignFire } from "../../src/account/index.js";
import { campaignFireTime } from "../../src/flow/index.js";
import { campaignUnits } from "../../src/wire/index.js";
import { startsAtMs } from "../gateway/service.js";
import { CampaignRig, dayMs, iso, minuteMs } from "./campaign-rig.js";
import { runs } from "../support/effort.js";

const contacts = 3;

/** A change of the account, as numbers so that it shrinks well. */
const change = fc.tuple(
  fc.constantFrom(
    "visit",
    "visit",
    "clear",
    "join",
    "leave",
    "block",
    "activate",
    "delete",
    "add",
    "event",
    "change",
    "remove",
    "group",
    "archive",
    "zone",
    "wait",
  ),
  fc.nat({ max: contacts - 1 }),
  fc.integer({ min: -3, max: 30 }),
);

it("after any changes, the pending fires are those that a computation from scratch gives", () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 25 }), (changes) => {
      const rig = new CampaignRig();
      const { account, recording } = rig.service;
      const { tables } = recording;
      const other = account.groups.add({ name: "Others" });
      rig.addEvent();
      rig.addEvent({ offset: 1, unit: "days", deliveryHour: 9 });
      const rows = Array.from({ length: contacts }, (_, index) => rig.addMember(index, "2026-03-05T10:00:00Z"));
      for (const [kind, which, number] of changes) {
        const contact = tables.contacts.get(rows[which]?.row ?? 1);
        const campaign = tables.campaigns.get(rig.campaign.id);
        if (contact === undefined || campaign === undefined) continue;
        const events = tables.campaignEvents.ofCampaign(campaign.id);
        const event = events[which];
        const isThere = contact.state !== "deleted";
        if (kind === "visit" && isThere) rig.setVisit(contact, `${iso(number * dayMs + which * minuteMs)}Z`);
        else if (kind === "clear" && isThere) rig.setVisit(contact, undefined);
        else if (kind === "join" && contact.state === "active")
          account.contacts.join(contact, number % 2 === 0 ? rig.group : other);
        else if (kind === "leave" && contact.state === "active") account.contacts.leave(contact, rig.group);
        else if (kind === "block" && isThere) account.contacts.setState(contact, "blocked");
        else if (kind === "activate" && isThere) account.contacts.setState(contact, "active");
        else if (kind === "delete" && isThere) account.contacts.remove(contact);
        else if (kind === "add") rows[which] = rig.addMember(10 + number, `${iso(number * dayMs)}Z`);
        else if (kind === "event") rig.addEvent({ offset: number, unit: campaignUnits[which] ?? "weeks" });
        else if (kind === "change" && event !== undefined) account.campaignEvents.change(event, { offset: number });
        else if (kind === "remove" && event !== undefined) account.campaignEvents.remove(event);
        else if (kind === "group")
          account.campaigns.change(campaign, { group: number % 2 === 0 ? rig.group.id : other.id });
        else if (kind === "archive") account.campaigns.change(campaign, { isArchived: number % 2 === 0 });
        else if (kind === "zone")
          account.organisation.set({ timezone: number % 2 === 0 ? "Europe/Berlin" : "America/New_York" });
        else if (kind === "wait" && number > 0) rig.service.passTo(rig.service.kernel.now + number * 600 * minuteMs);
      }
      expect(rig.pending()).toEqual(expectedOf(rig));
    }),
    {
      numRuns: runs(30),
      // A member that joins while the only campaign is archived.
      examples: [
        [
          [
            ["archive", 0, 0],
            ["add", 0, 0],
            ["archive", 0, 7],
          ],
        ],
      ],
    },
  );
});

/** The fires that the account's present state asks for, without those that were done. */
function expectedOf({ service, campaign }: CampaignRig): CampaignFire[] {
  const { account, kernel } = service;
  const { campaigns, campaignEvents, contacts: table, groups } = service.recording.tables;
  const { group, isArchived } = campaigns.get(campaign.id) ?? campaign;
  const { timezone } = account.organisation.get();
  const fires: CampaignFire[] = [];
  for (const event of isArchived ? [] : campaignEvents.ofCampaign(campaign.id)) {
    for (const row of groups.membersOf(group)) {
      const visit = table.get(row)?.fields["visit"];
      const visitMs = visit === undefined ? undefined : Date.parse(visit);
      if (visitMs === undefined) continue;
      const dueMs = campaignFireTime({ ...event, timezone }, visitMs, startsAtMs + kernel.now);
      // What is due now was done now: the clock stands still only after everything that is due.
      if (dueMs !== undefined && dueMs > startsAtMs + kernel.now)
        fires.push({ event: event.id, contact: row, dueAtMs: dueMs - startsAtMs });
    }
  }
  return fires.toSorted((a, b) => a.dueAtMs - b.dueAtMs || a.event - b.event || a.contact - b.contact);
}
