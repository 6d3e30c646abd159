import type { Kernel, Streams } from "../../sim/index.js";
import type { GroupRow } from "../tables/group-table.js";
import { Registry } from "../registry.js";
import type { SmartGroups } from "./smart-groups.js";
import type { Backlog, Task, TaskOf } from "../backlog.js";
import { MEMBERSHIP_UNITS, SLICE } from "../slices.js";
import type { Workload } from "../workload.js";
import type { AccountTables } from "../tables/account-tables.js";

/** Contact groups. Changes also update the members of smart groups, whose queries can name other groups. */
export class Groups extends Registry<GroupRow> {
  readonly #kernel: Kernel;
  readonly #tables: AccountTables;
  readonly #smartGroups: SmartGroups;
  readonly #workload: Workload;
  readonly #backlog: Backlog;

  constructor(options: {
    kernel: Kernel;
    streams: Streams;
    tables: AccountTables;
    smartGroups: SmartGroups;
    workload: Workload;
    backlog: Backlog;
  }) {
    const { kernel, streams, tables } = options;
    super({ kernel, table: tables.groups, uuids: { streams, kind: "group" } });
    this.#kernel = kernel;
    this.#tables = tables;
    this.#smartGroups = options.smartGroups;
    this.#workload = options.workload;
    this.#backlog = options.backlog;
  }

  /** @param group - `query`: a contact query, which makes a smart group; default null */
  override add(group: { name: string; query?: string | null | undefined; uuid?: string | undefined }): GroupRow {
    const row = super.add({ ...group, query: group.query ?? null });
    this.#smartGroups.added(row);
    return row;
  }

  override change(group: GroupRow, { name }: { name: string }): GroupRow {
    const renamed = super.change(group, { name });
    this.#smartGroups.renamed(group, renamed);
    return renamed;
  }

  /**
   * Deletes a group: its members leave it, and triggers limited to it are archived
   * (docs/reference/service-api.md#groups). Members who do not fit into one step are modified in later ones.
   */
  remove(group: GroupRow): void {
    this.#tables.groups.remove(group.id);
    const rest = this.releaseSome({ kind: "leavers", group: group.id });
    if (rest !== undefined) this.#backlog.add(rest);
    this.#tables.triggers.archiveOfGroup(group.id);
    this.#smartGroups.removed(group);
  }

  /**
   * Removes former members from a deleted group until the step is full.
   * @returns the remaining task
   */
  releaseSome(task: TaskOf<"leavers">): Task | undefined {
    const { contacts, groups } = this.#tables;
    for (let some; (some = groups.formerMembers(task.group, SLICE)).length > 0;) {
      for (const contact of some) {
        if (this.#workload.isStepFull) return task;
        groups.leave(task.group, contact);
        contacts.touch(contact, this.#kernel.now);
        this.#workload.add(MEMBERSHIP_UNITS);
      }
    }
    return undefined;
  }

  /** Delays the search for members of added groups until {@link endLoad}, so that one search finds all of them. */
  beginLoad(): void {
    this.#smartGroups.beginLoad();
  }

  endLoad(): void {
    this.#smartGroups.endLoad();
  }

  /** Why the query of a group is invalid; undefined when it is valid, or the group has none. */
  faultOf(group: GroupRow): string | undefined {
    return this.#smartGroups.faultOf(group);
  }
}
