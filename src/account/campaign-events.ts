import type { Kernel, SimTime, Streams } from "../sim/index.js";
import type { CampaignStartMode, CampaignUnit, Translations } from "../wire/index.js";
import { Registry, type RowContent, type RowTable } from "./registry.js";

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
  /** Hour of delivery, 0 to 23 in the time zone of the organisation; -1 for the hour of the date. */
  readonly deliveryHour: number;
  /** By language. */
  readonly message: Translations | null;
  /**
   * The language for contacts whose language `message` lacks; null for the primary language, else the first one in
   * `message`.
   */
  readonly baseLanguage: string | null;
  /** Id of the flow. */
  readonly flow: number | null;
  /** Normalised; flows only. */
  readonly embeddedData: unknown;
  readonly startMode: CampaignStartMode;
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

type Defaulted = "baseLanguage" | "startMode";
type NewCampaignEvent = Omit<RowContent<CampaignEventRow>, Defaulted> & Partial<Pick<CampaignEventRow, Defaulted>>;

/** Observer that maintains the pending fires of events (`CampaignFires`). */
export interface EventObserver {
  /** Called when an event was added, or its time changed. */
  eventChanged(event: CampaignEventRow): void;
  /** Called when the action of an event changed, but not its time. */
  eventActs(event: CampaignEventRow): void;
  eventRemoved(event: number): void;
  /** Number of events in a group's campaigns that are not archived. */
  countOfGroup(group: number): number;
}

/** Most events in the campaigns of one group: the fires of a contact are computed in one step. */
export const EVENTS_MAX = 1000;

/** The properties on which the time of an event depends. */
const timeProperties = ["relativeTo", "offset", "unit", "deliveryHour"] as const;

/** The events of campaigns. */
export class CampaignEvents extends Registry<CampaignEventRow> {
  readonly #table: CampaignEventTable;
  readonly #fires: EventObserver;

  constructor(options: { kernel: Kernel; streams: Streams; table: CampaignEventTable; fires: EventObserver }) {
    const { kernel, streams, table } = options;
    super({ kernel, table, uuids: { streams, kind: "campaign-event" } });
    this.#table = table;
    this.#fires = options.fires;
  }

  /** @param event - default: no base language; it interrupts the contact's session */
  override add(event: NewCampaignEvent): CampaignEventRow {
    const added = super.add({
      ...event,
      baseLanguage: event.baseLanguage ?? null,
      startMode: event.startMode ?? "interrupt",
    });
    this.#fires.eventChanged(added);
    return added;
  }

  /** Whether the campaigns of a group have the maximum number of events. */
  isFull(group: number): boolean {
    return this.#fires.countOfGroup(group) >= EVENTS_MAX;
  }

  /** Changes an event. Pending fires of another time are dropped and computed again; finished ones stay finished. */
  override change(event: CampaignEventRow, changes: Partial<CampaignEventContent>): CampaignEventRow {
    const changed = super.change(event, changes);
    if (timeProperties.some((property) => changed[property] !== event[property])) this.#fires.eventChanged(changed);
    else this.#fires.eventActs(changed);
    return changed;
  }

  /** Deletes an event and its pending fires. Cannot be undone (docs/reference/service-api.md#campaign-events). */
  remove(event: CampaignEventRow): void {
    this.#table.remove(event.id);
    this.#fires.eventRemoved(event.id);
  }
}
