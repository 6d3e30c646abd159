import type { Kernel, SimTime, Streams } from "../sim/index.js";
import type { CampaignUnit, Translations } from "../wire/index.js";
import { Registry, type RowTable } from "./registry.js";

/**
 * Dates of contacts that are not fields: labels by key (docs/reference/flows.md#campaigns). A field with the same key
 * takes precedence.
 */
export const systemDates: ReadonlyMap<string, string> = new Map([
  ["created_on", "Created On"],
  ["last_seen_on", "Last Seen On"],
]);

/**
 * A message or flow at an offset from a date of each contact (docs/reference/service-api.md#campaign-events). Exactly
 * one of `message` and `flow` is null.
 */
export interface CampaignEventContent {
  /** Key of the contact field with the date, or a key of `systemDates`. */
  readonly relativeTo: string;
  /** Units after the date; negative: before it. */
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

/** A campaign event, as it is stored. */
export interface CampaignEventRow extends CampaignEventContent {
  /** Counts from 1. */
  readonly id: number;
  readonly uuid: string;
  /** Id of the campaign. */
  readonly campaign: number;
  readonly createdAtMs: SimTime;
}

/** Where campaign events are stored. The store implements it. No method finds a deleted event. */
export interface CampaignEventTable extends RowTable<CampaignEventRow> {
  get(id: number): CampaignEventRow | undefined;
  byUuid(uuid: string): CampaignEventRow | undefined;
  /** Oldest first. */
  ofCampaign(campaign: number): CampaignEventRow[];
  /** Ids of the campaigns with an event that starts this flow, ascending. */
  campaignsWithFlow(flow: number): number[];
  /** Deletes an event. */
  remove(id: number): void;
}

/** The events of campaigns. */
export class CampaignEvents extends Registry<CampaignEventRow> {
  readonly #table: CampaignEventTable;

  constructor({ kernel, streams, table }: { kernel: Kernel; streams: Streams; table: CampaignEventTable }) {
    super({ kernel, table, uuids: { streams, kind: "campaign-event" } });
    this.#table = table;
  }

  /** Deletes an event. Cannot be undone (docs/reference/service-api.md#campaign-events). */
  remove(event: CampaignEventRow): void {
    this.#table.remove(event.id);
  }
}
