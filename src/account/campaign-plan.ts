import type { CampaignEventRow, CampaignEventTable } from "./campaign-events.js";
import type { CampaignRow, CampaignTable } from "./campaigns.js";

/** An event of a campaign that is not archived. */
export interface PlannedEvent {
  readonly event: CampaignEventRow;
  readonly campaign: CampaignRow;
}

const none: readonly PlannedEvent[] = [];

/** The events that can fire. Read on first use, then changed with the campaigns. */
export class CampaignPlan {
  readonly #tables: { readonly campaigns: CampaignTable; readonly campaignEvents: CampaignEventTable };
  /** By campaign, then by event, oldest first; undefined before the first read. */
  #byCampaign: Map<number, Map<number, PlannedEvent>> | undefined;
  /** Ids of campaigns by group. */
  readonly #byGroup = new Map<number, Set<number>>();
  /** Ids of campaigns by event. */
  readonly #byEvent = new Map<number, number>();
  /** Events that count from the time at which contacts were last seen. */
  readonly #ofLastSeen = new Set<number>();

  constructor(tables: { readonly campaigns: CampaignTable; readonly campaignEvents: CampaignEventTable }) {
    this.#tables = tables;
  }

  get isEmpty(): boolean {
    this.#campaigns();
    return this.#byEvent.size === 0;
  }

  get usesLastSeen(): boolean {
    this.#campaigns();
    return this.#ofLastSeen.size > 0;
  }

  /** Ids of the groups whose contacts have events. */
  get groups(): number[] {
    this.#campaigns();
    return [...this.#byGroup.keys()];
  }

  hasGroup(group: number): boolean {
    this.#campaigns();
    return this.#byGroup.has(group);
  }

  event(id: number): PlannedEvent | undefined {
    const campaigns = this.#campaigns();
    return campaigns.get(this.#byEvent.get(id) ?? 0)?.get(id);
  }

  /** The events of a group's campaigns. */
  *ofGroup(group: number): Iterable<PlannedEvent> {
    const campaigns = this.#campaigns();
    for (const campaign of this.#byGroup.get(group) ?? []) yield* campaigns.get(campaign)?.values() ?? none;
  }

  countOfGroup(group: number): number {
    const campaigns = this.#campaigns();
    let count = 0;
    for (const campaign of this.#byGroup.get(group) ?? []) count += campaigns.get(campaign)?.size ?? 0;
    return count;
  }

  /** Updates a campaign that was added or changed, with all its events. */
  replaceCampaign(campaign: CampaignRow): void {
    this.#campaigns();
    this.#drop(campaign.id);
    this.#read(campaign);
  }

  /** Updates an event that was added or changed. */
  putEvent(event: CampaignEventRow): void {
    if (this.#byCampaign === undefined) return;
    const campaign = this.#tables.campaigns.get(event.campaign);
    if (campaign !== undefined && !campaign.isArchived) this.#put({ event, campaign });
  }

  removeEvent(id: number): void {
    const campaigns = this.#campaigns();
    const campaign = this.#byEvent.get(id);
    if (campaign === undefined) return;
    const events = campaigns.get(campaign);
    const group = events?.get(id)?.campaign.group;
    events?.delete(id);
    this.#forgetEvent(id);
    if (events?.size === 0 && group !== undefined) this.#leaveGroup(group, campaign);
  }

  #campaigns(): Map<number, Map<number, PlannedEvent>> {
    if (this.#byCampaign === undefined) {
      this.#byCampaign = new Map();
      for (const campaign of this.#tables.campaigns.all()) this.#read(campaign);
    }
    return this.#byCampaign;
  }

  #read(campaign: CampaignRow): void {
    if (campaign.isArchived) return;
    for (const event of this.#tables.campaignEvents.ofCampaign(campaign.id)) this.#put({ event, campaign });
  }

  #put(planned: PlannedEvent): void {
    const { event, campaign } = planned;
    const campaigns = this.#campaigns();
    const events = campaigns.get(campaign.id) ?? new Map<number, PlannedEvent>();
    campaigns.set(campaign.id, events.set(event.id, planned));
    this.#byEvent.set(event.id, campaign.id);
    const ofGroup = this.#byGroup.get(campaign.group);
    if (ofGroup === undefined) this.#byGroup.set(campaign.group, new Set([campaign.id]));
    else ofGroup.add(campaign.id);
    if (event.relativeTo === "last_seen_on") this.#ofLastSeen.add(event.id);
    else this.#ofLastSeen.delete(event.id);
  }

  #drop(campaign: number): void {
    for (const { event, campaign: row } of this.#byCampaign?.get(campaign)?.values() ?? none) {
      this.#forgetEvent(event.id);
      this.#leaveGroup(row.group, campaign);
    }
    this.#byCampaign?.delete(campaign);
  }

  #forgetEvent(id: number): void {
    this.#byEvent.delete(id);
    this.#ofLastSeen.delete(id);
  }

  #leaveGroup(group: number, campaign: number): void {
    const campaigns = this.#byGroup.get(group);
    campaigns?.delete(campaign);
    if (campaigns?.size === 0) this.#byGroup.delete(group);
  }
}
