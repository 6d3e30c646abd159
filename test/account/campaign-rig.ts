import type { CampaignEventRow, CampaignFire, CampaignRow, ContactRow, GroupRow } from "../../src/account/index.js";
import type { OrganisationData } from "../../src/wire/index.js";
import { Service, startsAtMs } from "../gateway/service.js";

export const minuteMs = 60_000;
export const hourMs: number = 60 * minuteMs;
export const dayMs: number = 24 * hourMs;

/** The content of an event; default: a message at the instant of the field `visit`. */
export type EventPlan = Partial<Omit<CampaignEventRow, "id" | "uuid" | "campaign" | "createdAtMs">>;

/** A service with one campaign for the group "Mothers", whose events count from the datetime field `visit`. */
export class CampaignRig {
  readonly service: Service;
  readonly group: GroupRow;
  campaign: CampaignRow;

  constructor(organisation: Partial<OrganisationData> = {}) {
    this.service = new Service();
    const { account } = this.service;
    account.organisation.set(organisation);
    account.fields.add({ key: "visit", label: "Visit", type: "datetime" });
    this.group = account.groups.add({ name: "Mothers" });
    this.campaign = account.campaigns.add({ name: "Doses", group: this.group.id });
  }

  addEvent(plan: EventPlan = {}): CampaignEventRow {
    const message = plan.flow === undefined || plan.flow === null ? { eng: "Come" } : null;
    return this.service.account.campaignEvents.add({
      relativeTo: "visit",
      offset: 0,
      unit: "minutes",
      deliveryHour: -1,
      message,
      flow: null,
      embeddedData: null,
      ...plan,
      campaign: this.campaign.id,
    });
  }

  /** Adds a member of the group. */
  addMember(number: number, visit: string, more: { language?: string; name?: string } = {}): ContactRow {
    return this.service.account.contacts.add({
      urns: [phone(number)],
      groups: [this.group],
      fields: new Map([["visit", visit]]),
      ...more,
    });
  }

  row(contact: ContactRow): ContactRow {
    return this.service.recording.tables.contacts.get(contact.row) as ContactRow;
  }

  setVisit(contact: ContactRow, visit: string | undefined): void {
    this.service.account.contacts.change(this.row(contact), { fields: new Map([["visit", visit]]) });
  }

  /** Lets everything happen that is due now. */
  settle(): void {
    this.service.passTo(this.service.kernel.now);
  }

  /** Pending fires of all contacts, by due time, event and contact. */
  pending(): CampaignFire[] {
    this.settle();
    return this.service.recording.tables.campaignFires.dueBy(Number.MAX_SAFE_INTEGER, 10_000);
  }

  /** Due times of the pending fires of a contact. */
  dueOf(contact: ContactRow): string[] {
    this.settle();
    const fires = this.service.recording.tables.campaignFires.pendingOf(contact.row);
    return fires.map(({ dueAtMs }) => iso(dueAtMs));
  }

  /** The messages so far: when, to whom, what. */
  sent(): string[] {
    return sentBy(this.service);
  }
}

export function phone(number: number): string {
  return `tel:+2507810${String(number).padStart(5, "0")}`;
}

/** A virtual instant, to the second. */
export function iso(atMs: number): string {
  return new Date(startsAtMs + atMs).toISOString().slice(0, 19);
}

/** The virtual instant of a time in UTC. */
export function at(time: string): number {
  return Date.parse(`${time}Z`) - startsAtMs;
}

export function sentBy(service: Service): string[] {
  return service.messages
    .filter(({ direction }) => direction === "O")
    .map(({ createdAtMs, phone: to, text }) => `${iso(createdAtMs)} ${to.slice(-2)} ${text}`);
}
