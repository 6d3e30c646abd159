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

/** Observer that maintains the pending fires of campaigns (`CampaignFires`). */
export interface CampaignObserver {
  /** Called when a campaign was archived or restored, or got another group. */
  campaignChanged(campaign: CampaignRow): void;
  campaignRenamed(campaign: CampaignRow): void;
}

/** Campaigns. The API cannot delete or archive them. */
export class Campaigns extends Registry<CampaignRow> {
  readonly #fires: CampaignObserver;

  constructor(options: { kernel: Kernel; streams: Streams; table: CampaignTable; fires: CampaignObserver }) {
    const { kernel, streams, table } = options;
    super({ kernel, table, uuids: { streams, kind: "campaign" } });
    this.#fires = options.fires;
  }

  override add(campaign: Omit<RowContent<CampaignRow>, "isArchived"> & { isArchived?: boolean }): CampaignRow {
    return super.add({ ...campaign, isArchived: campaign.isArchived ?? false });
  }

  /** Changes a campaign. Another group, archiving or restoring gives it new pending fires. */
  override change(
    campaign: CampaignRow,
    changes: Partial<Pick<CampaignRow, "name" | "group" | "isArchived">>,
  ): CampaignRow {
    const changed = super.change(campaign, changes);
    if (changed.group !== campaign.group || changed.isArchived !== campaign.isArchived)
      this.#fires.campaignChanged(changed);
    else this.#fires.campaignRenamed(changed);
    return changed;
  }
}
