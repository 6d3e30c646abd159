import type { Kernel, SimTime, Streams } from "../sim/index.js";

/** A campaign as it is stored: messages and flows that follow dates of contacts (service-api.md 2.3). */
export interface CampaignRow {
  /** Counts from 1. */
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  /** Id of the group that it is for. */
  readonly group: number;
  readonly isArchived: boolean;
  readonly createdAtMs: SimTime;
}

/** Where campaigns are kept. The store implements it. */
export interface CampaignTable {
  get(id: number): CampaignRow | undefined;
  byUuid(uuid: string): CampaignRow | undefined;
  /** The name in any case. */
  byName(name: string): CampaignRow | undefined;
  /** The oldest first. */
  all(): CampaignRow[];
  /** The id that the next campaign gets. */
  nextId(): number;
  /** Inserts a campaign, or replaces what was stored under its id. */
  put(row: CampaignRow): void;
}

/** What a campaign is made of. */
export type CampaignContent = Pick<CampaignRow, "name" | "group">;

/** Campaigns. Names are unique in any case, which whoever calls has checked. */
export class Campaigns {
  readonly #kernel: Kernel;
  readonly #streams: Streams;
  readonly #table: CampaignTable;

  constructor(options: { kernel: Kernel; streams: Streams; table: CampaignTable }) {
    this.#kernel = options.kernel;
    this.#streams = options.streams;
    this.#table = options.table;
  }

  /** @param campaign - with a UUID where it has one already; else it gets one that seed and id determine */
  add(campaign: CampaignContent & { uuid?: string | undefined; isArchived?: boolean | undefined }): CampaignRow {
    const id = this.#table.nextId();
    const row = {
      id,
      uuid: campaign.uuid ?? this.#streams.uuid(`campaign/${id}`),
      name: campaign.name,
      group: campaign.group,
      isArchived: campaign.isArchived ?? false,
      createdAtMs: this.#kernel.now,
    };
    this.#table.put(row);
    return row;
  }

  change(campaign: CampaignRow, changes: Partial<CampaignContent & { isArchived: boolean }>): CampaignRow {
    const changed = { ...campaign, ...changes };
    this.#table.put(changed);
    return changed;
  }
}
