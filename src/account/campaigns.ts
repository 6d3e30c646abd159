import type { Kernel, SimTime, Streams } from "../sim/index.js";
import { Registry, type RowContent, type RowTable } from "./registry.js";

/**
 * A campaign, as it is stored: messages and flows relative to dates of a group's contacts
 * (docs/reference/service-api.md#campaigns).
 */
export interface CampaignRow {
  /** Counts from 1. */
  readonly id: number;
  readonly uuid: string;
  /** Unique, ignoring letter case. */
  readonly name: string;
  /** Id of the group whose contacts it is for. */
  readonly group: number;
  readonly isArchived: boolean;
  readonly createdAtMs: SimTime;
}

/** Where campaigns are stored. The store implements it. */
export interface CampaignTable extends RowTable<CampaignRow> {
  get(id: number): CampaignRow | undefined;
  byUuid(uuid: string): CampaignRow | undefined;
  /** Ignores letter case. */
  byName(name: string): CampaignRow | undefined;
  /** Oldest first. */
  all(): CampaignRow[];
}

/** Campaigns. The API cannot delete or archive them. */
export class Campaigns extends Registry<CampaignRow> {
  constructor({ kernel, streams, table }: { kernel: Kernel; streams: Streams; table: CampaignTable }) {
    super({ kernel, table, uuids: { streams, kind: "campaign" } });
  }

  override add(campaign: Omit<RowContent<CampaignRow>, "isArchived"> & { isArchived?: boolean }): CampaignRow {
    return super.add({ ...campaign, isArchived: campaign.isArchived ?? false });
  }
}
