import type { Kernel, Streams } from "../sim/index.js";
import type { FlowRow } from "./flows.js";
import type { SessionOrder } from "./sessions/session-order.js";
import { SLICE, SLICE_EVERY_MS } from "./slices.js";
import { sortedIds } from "./sorted-ids.js";
import type { AccountTables } from "./tables/account-tables.js";
import type { ContactRow } from "./tables/contact-table.js";
import type { FlowStartRow, StartOrder } from "./tables/flow-start-table.js";
import type { Workload } from "./workload.js";

/** Units of work to check whether a contact can be started. */
const CHECK_UNITS = 3;

/**
 * Starts a flow for one contact.
 * @returns false when the flow cannot run
 */
export type StartFlow = (contact: ContactRow, flow: FlowRow, order: SessionOrder) => boolean;

/** A start whose recipients are still being counted. */
interface StartCounted {
  readonly start: FlowStartRow;
  readonly flow: FlowRow;
  /** Rows, ascending. */
  readonly candidates: readonly number[];
  /** Number of contacts that the start has already started. */
  readonly startedCount: number;
  /** Index of the next candidate to check. */
  next: number;
  /** Contacts that passed the checks and can be started. */
  readonly recipients: number[];
}

/** A start that is in progress. */
interface StartUnderWay {
  start: FlowStartRow;
  readonly flow: FlowRow;
  /** Rows, ascending. */
  readonly recipients: readonly number[];
  /** Index of the next slice's first recipient. */
  next: number;
  hasFailed: boolean;
}

/**
 * Flow starts (docs/reference/service-api.md#flow-starts). Kernel timers start the contacts slice by slice in virtual
 * time.
 */
export class FlowStarts {
  readonly #kernel: Kernel;
  readonly #streams: Streams;
  readonly #tables: AccountTables;
  readonly #startFlow: StartFlow;
  readonly #workload: Workload;

  /** @param options - `startFlow`: called once for each contact */
  constructor(options: {
    kernel: Kernel;
    streams: Streams;
    tables: AccountTables;
    startFlow: StartFlow;
    workload: Workload;
  }) {
    this.#kernel = options.kernel;
    this.#streams = options.streams;
    this.#tables = options.tables;
    this.#startFlow = options.startFlow;
    this.#workload = options.workload;
  }

  /** Continues the starts that were unfinished when the database was closed. */
  continueUnfinished(): void {
    for (const start of this.#tables.flowStarts.unfinished()) this.#kernel.in(0, this.#continue, start);
  }

  /** Adds a start, which begins immediately; without recipients it is complete. */
  add(order: StartOrder): FlowStartRow {
    const id = this.#tables.flowStarts.nextId();
    const isForNobody = order.groups.length === 0 && order.contacts.length === 0;
    const start: FlowStartRow = {
      ...order,
      id,
      uuid: this.#streams.uuid(`flow-start/${id}`),
      groups: sortedIds(order.groups),
      excludeGroups: sortedIds(order.excludeGroups ?? []),
      contacts: sortedIds(order.contacts),
      parent: order.parent ?? null,
      origin: order.origin === undefined ? "api" : order.origin,
      status: isForNobody ? "complete" : "pending",
      total: isForNobody ? 0 : null,
      createdAtMs: this.#kernel.now,
      modifiedAtMs: this.#kernel.now,
    };
    this.#tables.flowStarts.put(start);
    if (!isForNobody) this.#kernel.in(0, this.#begin, start);
    return start;
  }

  // A new start needs no query for its runs: `contactsOfStart` reads the whole table, and each contact of a flow can
  // order a start.
  readonly #begin = (start: FlowStartRow): void => this.#startContacts(start, new Set());

  readonly #continue = (start: FlowStartRow): void =>
    this.#startContacts(start, this.#tables.runs.contactsOfStart(start.id));

  /** @param started - rows of the contacts that the start has started already */
  #startContacts(start: FlowStartRow, started: ReadonlySet<number>): void {
    const flow = this.#tables.flows.get(start.flow);
    if (flow === undefined) return void this.#change(start, { status: "failed", total: 0 });
    const candidates = this.#candidatesOf(start).filter((contact) => !started.has(contact));
    this.#countSlice({ start, flow, candidates, startedCount: started.size, next: 0, recipients: [] });
  }

  /**
   * Checks candidates until the step is full. Then the first slice begins, or the remaining candidates are checked at
   * the same instant.
   */
  readonly #countSlice = (counted: StartCounted): void => {
    const { start, flow, candidates, startedCount, recipients } = counted;
    while (counted.next < candidates.length) {
      if (this.#workload.isStepFull) return void this.#kernel.in(0, this.#countSlice, counted);
      this.#workload.add(CHECK_UNITS);
      const row = candidates[counted.next++] ?? 0;
      if (this.#canStart(start, row)) recipients.push(row);
    }
    const underWay = this.#change(start, { status: "starting", total: recipients.length + startedCount });
    this.#startSlice({ start: underWay, flow, recipients, next: 0, hasFailed: false });
  };

  /** The contacts that the start names, each once (docs/reference/flows.md#flow-starts). */
  #candidatesOf(start: FlowStartRow): number[] {
    const { groups } = this.#tables;
    const rows = new Set(start.groups.flatMap((group) => groups.membersOf(group)));
    for (const group of start.excludeGroups) for (const contact of groups.membersOf(group)) rows.delete(contact);
    for (const contact of start.contacts) rows.add(contact);
    return [...rows].toSorted((a, b) => a - b);
  }

  /** Whether a contact is active and the start's options do not exclude it. */
  #canStart(start: FlowStartRow, row: number): boolean {
    const { contacts, runs } = this.#tables;
    if (contacts.stateOf(row) !== "active") return false;
    if (!start.restartsParticipants && runs.hasRun(start.flow, row)) return false;
    return !start.excludesActive || !runs.hasActive(row);
  }

  readonly #startSlice = (underWay: StartUnderWay): void => {
    const { start, flow, recipients } = underWay;
    const order = this.#sessionOrder(start, (start.total ?? 0) > 1);
    for (const row of recipients.slice(underWay.next, underWay.next + SLICE)) {
      if (this.#workload.isStepFull) break;
      underWay.next++;
      // Another start, or a text, may have started the contact since the first slice.
      const contact = this.#canStart(start, row) ? this.#tables.contacts.get(row) : undefined;
      if (contact === undefined) continue;
      if (!this.#startFlow(contact, flow, order)) underWay.hasFailed = true;
    }
    if (underWay.next < recipients.length) {
      underWay.start = this.#change(start, {});
      this.#kernel.in(SLICE_EVERY_MS, this.#startSlice, underWay);
    } else this.#change(start, { status: underWay.hasFailed ? "failed" : "complete" });
  };

  #sessionOrder({ id, extra, embeddedData, parent, origin }: FlowStartRow, isBatch: boolean): SessionOrder {
    const cause =
      parent === null
        ? ({ type: "manual", ...(origin !== null && { origin }) } as const)
        : ({ type: "flow_action", runSummary: parent.runSummary, history: parent.history } as const);
    return {
      cause: { ...cause, ...(extra !== null && { params: extra }), ...(isBatch && { isBatch }) },
      start: id,
      embeddedData,
    };
  }

  #change(start: FlowStartRow, changes: Partial<Pick<FlowStartRow, "status" | "total">>): FlowStartRow {
    const changed = { ...start, ...changes, modifiedAtMs: this.#kernel.now };
    this.#tables.flowStarts.setProgress(changed);
    return changed;
  }
}
