import type { Kernel, SimTime, Streams } from "../sim/index.js";
import type { CampaignUnit, Translations } from "../wire/index.js";

/** The dates of contacts that are no fields, by key, with their labels (flows.md 12). A field of that key goes before. */
export const systemDates: ReadonlyMap<string, string> = new Map([
  ["created_on", "Created On"],
  ["last_seen_on", "Last Seen On"],
]);

/** What happens when, in a campaign (service-api.md 2.4). Exactly one of `message` and `flow` is there. */
export interface CampaignEventContent {
  /** Key of the contact field that holds the date, or of one of `systemDates`. */
  readonly relativeTo: string;
  /** From that date on, in units; below zero: before it. */
  readonly offset: number;
  readonly unit: CampaignUnit;
  /** -1: at the hour of the date; else 0 to 23, in the time zone of the organisation. */
  readonly deliveryHour: number;
  /** By language. */
  readonly message: Translations | null;
  /** Id of the flow. */
  readonly flow: number | null;
  /** Normalised; flows only. */
  readonly embeddedData: unknown;
}

/** A campaign's event as it is stored. */
export interface CampaignEventRow extends CampaignEventContent {
  /** Counts from 1. */
  readonly id: number;
  readonly uuid: string;
  /** Id of the campaign. */
  readonly campaign: number;
  readonly createdAtMs: SimTime;
}

/** Where campaign events are kept. The store implements it; what was removed is found no more. */
export interface CampaignEventTable {
  get(id: number): CampaignEventRow | undefined;
  byUuid(uuid: string): CampaignEventRow | undefined;
  /** The oldest first. */
  ofCampaign(campaign: number): CampaignEventRow[];
  /** Ids of the campaigns with an event that starts a flow, rising. */
  campaignsWithFlow(flow: number): number[];
  /** The id that the next event gets. */
  nextId(): number;
  /** Inserts an event, or replaces what was stored under its id. */
  put(row: CampaignEventRow): void;
  /** Takes an event away, and what is to come of it; what has come of it stays. */
  remove(id: number): void;
}

/** The events of campaigns. Whoever calls has checked that campaign, field and flow are there. */
export class CampaignEvents {
  readonly #kernel: Kernel;
  readonly #streams: Streams;
  readonly #table: CampaignEventTable;

  constructor(options: { kernel: Kernel; streams: Streams; table: CampaignEventTable }) {
    this.#kernel = options.kernel;
    this.#streams = options.streams;
    this.#table = options.table;
  }

  /** @param event - with a UUID where it has one already; else it gets one that seed and id determine */
  add(event: CampaignEventContent & { campaign: number; uuid?: string | undefined }): CampaignEventRow {
    const id = this.#table.nextId();
    const uuid = event.uuid ?? this.#streams.uuid(`campaign-event/${id}`);
    const row = { ...event, id, uuid, createdAtMs: this.#kernel.now };
    this.#table.put(row);
    return row;
  }

  change(event: CampaignEventRow, content: CampaignEventContent): CampaignEventRow {
    const changed = { ...event, ...content };
    this.#table.put(changed);
    return changed;
  }

  /** Cannot be undone; what was due is dropped (service-api.md 2.4). */
  remove(event: CampaignEventRow): void {
    this.#table.remove(event.id);
  }
}
