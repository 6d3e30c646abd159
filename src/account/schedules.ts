import { nextFireTime } from "../flow/index.js";
import type { Kernel, SimTime, Timer } from "../sim/index.js";
import type { FlowStarts } from "./flow-starts.js";
import type { Organisation } from "./organisation.js";
import { SLICE } from "./slices.js";
import type { FlowNotes } from "./sessions/flow-notes.js";
import type { AccountTables } from "./tables/account-tables.js";
import type { ScheduleRow, ScheduleTimer, TriggerRow } from "./triggers.js";

/** A trigger that waits for its next fire. */
type Scheduled = TriggerRow & { readonly schedule: ScheduleRow; readonly nextFireAtMs: SimTime };

/**
 * Starts flows at the times of schedules (docs/reference/flows.md#schedules). One kernel timer waits for the next
 * fire. A schedule that became due while the database was closed fires once, immediately.
 */
export class Schedules implements ScheduleTimer {
  readonly #kernel: Kernel;
  readonly #startsAtMs: number;
  readonly #tables: Pick<AccountTables, "flows" | "triggers">;
  readonly #organisation: Organisation;
  readonly #flowStarts: FlowStarts;
  readonly #notes: FlowNotes;
  #timer: Timer | undefined;
  #timerAtMs: SimTime | undefined;

  constructor(options: {
    kernel: Kernel;
    startsAtMs: number;
    tables: AccountTables;
    organisation: Organisation;
    flowStarts: FlowStarts;
    notes: FlowNotes;
  }) {
    this.#kernel = options.kernel;
    this.#startsAtMs = options.startsAtMs;
    this.#tables = options.tables;
    this.#organisation = options.organisation;
    this.#flowStarts = options.flowStarts;
    this.#notes = options.notes;
  }

  firstFire(schedule: ScheduleRow, startAtMs: SimTime | null): SimTime | null {
    return startAtMs !== null && startAtMs >= this.#kernel.now ? startAtMs : this.#nextFire(schedule);
  }

  added(fireAtMs: SimTime | null): void {
    if (fireAtMs !== null && fireAtMs < (this.#timerAtMs ?? Infinity)) this.#setTimer(fireAtMs);
  }

  /** Sets the timer to the next fire. Call it after the database was opened. */
  wake(): void {
    this.#setTimer(this.#waiting()[0]?.nextFireAtMs);
  }

  #setTimer(fireAtMs: SimTime | undefined): void {
    const atMs = fireAtMs === undefined ? undefined : Math.max(fireAtMs, this.#kernel.now);
    if (atMs === this.#timerAtMs) return;
    if (this.#timer !== undefined) this.#kernel.cancel(this.#timer);
    this.#timerAtMs = atMs;
    this.#timer = atMs === undefined ? undefined : this.#kernel.at(atMs, this.#fireDue, undefined);
  }

  /** The waiting triggers, by the time of their next fire, then by id. */
  #waiting(): Scheduled[] {
    return this.#tables.triggers
      .active()
      .filter((one): one is Scheduled => one.schedule !== null && one.nextFireAtMs !== null)
      .toSorted((a, b) => a.nextFireAtMs - b.nextFireAtMs || a.id - b.id);
  }

  readonly #fireDue = (): void => {
    this.#timer = this.#timerAtMs = undefined;
    // The remaining ones fire in a later step of this instant.
    for (const trigger of this.#waiting().slice(0, SLICE)) {
      if (trigger.nextFireAtMs > this.#kernel.now) break;
      this.#tables.triggers.put({ ...trigger, nextFireAtMs: this.#nextFire(trigger.schedule) });
      this.#startFlow(trigger);
    }
    this.wake();
  };

  #nextFire(schedule: ScheduleRow): SimTime | null {
    const { timezone } = this.#organisation.get();
    const nextMs = nextFireTime({ ...schedule, timezone }, this.#startsAtMs + this.#kernel.now);
    return nextMs === undefined ? null : nextMs - this.#startsAtMs;
  }

  #startFlow({ flow: id, groups, excludeGroups, contacts }: Scheduled): void {
    const flow = this.#tables.flows.get(id);
    if (flow === undefined || flow.isArchived) {
      const name = flow === undefined ? "that is missing" : `'${flow.name}', which is archived`;
      return this.#notes.note("trigger-ignored", `a schedule does not start the flow ${name}`);
    }
    this.#flowStarts.add({
      flow: id,
      groups,
      excludeGroups,
      contacts,
      restartsParticipants: true,
      excludesActive: false,
      extra: null,
      embeddedData: null,
      origin: null,
    });
  }
}
