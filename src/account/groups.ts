import type { Kernel, Streams } from "../sim/index.js";
import type { GroupRow } from "./group-table.js";
import type { SmartGroups } from "./smart-groups.js";
import type { AccountTables } from "./tables.js";

/** Contact groups. Names are unique in any case, which whoever calls has checked. */
export class Groups {
  readonly #kernel: Kernel;
  readonly #streams: Streams;
  readonly #tables: AccountTables;
  readonly #smartGroups: SmartGroups;

  constructor(options: { kernel: Kernel; streams: Streams; tables: AccountTables; smartGroups: SmartGroups }) {
    this.#kernel = options.kernel;
    this.#streams = options.streams;
    this.#tables = options.tables;
    this.#smartGroups = options.smartGroups;
  }

  /**
   * @param group - `query`: a contact query, for a smart group, whose members are found at once; `uuid`: for a group that
   *   has one already, else one that seed and id determine
   */
  add(group: { name: string; query?: string | null | undefined; uuid?: string | undefined }): GroupRow {
    const id = this.#tables.groups.nextId();
    const row: GroupRow = {
      id,
      uuid: group.uuid ?? this.#streams.uuid(`group/${id}`),
      name: group.name,
      query: group.query ?? null,
      createdAtMs: this.#kernel.now,
    };
    this.#tables.groups.put(row);
    if (row.query === null) this.#smartGroups.groupsRenamed();
    else this.#smartGroups.fill(row);
    return row;
  }

  rename(group: GroupRow, name: string): GroupRow {
    const renamed = { ...group, name };
    this.#tables.groups.put(renamed);
    this.#smartGroups.groupsRenamed();
    return renamed;
  }

  /** Its members leave it, and the triggers that are limited to it are archived (service-api.md 2.13, op 23). */
  remove(group: GroupRow): void {
    this.#tables.groups.remove(group.id, this.#kernel.now);
    this.#tables.triggers.archiveOfGroup(group.id);
    this.#smartGroups.groupsRenamed();
  }
}
