import type { SprintEvent } from "../flow/index.js";
import type { HandledText } from "../gateway/index.js";
import type { Kernel, Timer } from "../sim/index.js";
import type { CallEventType } from "../wire/index.js";
import { SLICE_EVERY_MS } from "./slices.js";
import type { Workload } from "./workload.js";

/** An event of a flow that can address the contacts who match a query. */
export type QueryOrder = Extract<SprintEvent, { type: "broadcast_created" | "session_triggered" }>;

/** Work that did not fit into one kernel step. Plain JSON, because it is stored. */
export type Task =
  /** A text that its flow has not handled yet. */
  | { readonly kind: "text"; readonly text: HandledText }
  /** A call whose flow has not started yet. */
  | { readonly kind: "call"; readonly phone: string; readonly channel: number; readonly type: CallEventType }
  /** A contact whose memberships in smart groups are to be computed again. */
  | { readonly kind: "contact"; readonly contact: number }
  /** Smart groups whose queries are parsed again from index `next` on; `scans`: their members are searched afterwards. */
  | { readonly kind: "queries"; readonly groups: readonly number[]; readonly next: number; readonly scans: boolean }
  /** Smart groups whose members are searched in the rows of contacts from `after` + 1 to `last`. */
  | { readonly kind: "members"; readonly groups: readonly number[]; readonly after: number; readonly last: number }
  /** A deleted group whose members have not all left it. */
  | { readonly kind: "leavers"; readonly group: number }
  /** A start or broadcast of a flow whose recipients are to be found. */
  | { readonly kind: "order"; readonly event: QueryOrder };

/** A task of one kind. */
export type TaskOf<Kind extends Task["kind"]> = Extract<Task, { kind: Kind }>;

/**
 * Functions that process a task until it is done or the step is full.
 * @returns the remaining task; undefined when it is done
 */
export type Workers = { readonly [Kind in Task["kind"]]: (task: TaskOf<Kind>) => Task | undefined };

/**
 * Kinds that are processed first, at the instant at which they were added. Other kinds begin `SLICE_EVERY_MS` later.
 */
const urgentKinds: readonly Task["kind"][] = ["text", "call", "contact"];

/**
 * Work of the account that was left to later kernel steps (`Workload.isStepFull`). It is stored with each commit of a
 * database, so it continues when the database is opened again.
 */
export class Backlog {
  readonly #kernel: Kernel;
  readonly #workload: Workload;
  readonly #workers: () => Workers;
  readonly #urgent: Task[] = [];
  readonly #others: Task[] = [];
  #timer: Timer | undefined;
  #isHeld = false;
  /** Cached {@link state}; undefined when stale. */
  #json: string | undefined = "[]";

  constructor(options: { kernel: Kernel; workload: Workload; workers: () => Workers }) {
    this.#kernel = options.kernel;
    this.#workload = options.workload;
    this.#workers = options.workers;
  }

  add(task: Task): void {
    const last = this.#others.at(-1);
    // Groups that an account file adds in sequence share one search.
    if (task.kind === "members" && task.after === 0 && last?.kind === "members" && last.after === 0)
      this.#others[this.#others.length - 1] = { ...task, groups: [...new Set([...last.groups, ...task.groups])] };
    else (urgentKinds.includes(task.kind) ? this.#urgent : this.#others).push(task);
    this.#changed();
  }

  /** Number of waiting tasks of a kind. */
  count(kind: Task["kind"]): number {
    return [...this.#urgent, ...this.#others].filter((task) => task.kind === kind).length;
  }

  /** The waiting tasks as JSON, for {@link restore}. */
  get state(): string {
    return (this.#json ??= JSON.stringify([...this.#urgent, ...this.#others]));
  }

  /**
   * Restores the tasks that waited when the database was closed.
   * @param state - see {@link state}
   */
  restore(state: string): void {
    for (const task of JSON.parse(state) as Task[]) this.add(task);
  }

  /** Makes tasks that are not urgent wait for {@link workHeld} or {@link release}, while an account file is loaded. */
  hold(): void {
    this.#isHeld = true;
    this.#changed();
  }

  /**
   * Processes held tasks until none is left or the step is full.
   * @returns whether none is left
   */
  workHeld(): boolean {
    this.#work(this.#others);
    return this.#others.length === 0;
  }

  /** Ends {@link hold}. */
  release(): void {
    this.#isHeld = false;
    this.#changed();
  }

  readonly #step = (): void => {
    this.#timer = undefined;
    this.#work(this.#urgent);
    if (!this.#isHeld) this.#work(this.#others);
  };

  #work(tasks: Task[]): void {
    while (!this.#workload.isStepFull) {
      const task = tasks.shift();
      if (task === undefined) break;
      const rest = this.#workOn(task);
      if (rest !== undefined) tasks.unshift(rest);
    }
    this.#changed();
  }

  #workOn(task: Task): Task | undefined {
    const workers = this.#workers();
    switch (task.kind) {
      case "text":
        return workers.text(task);
      case "call":
        return workers.call(task);
      case "contact":
        return workers.contact(task);
      case "queries":
        return workers.queries(task);
      case "members":
        return workers.members(task);
      case "leavers":
        return workers.leavers(task);
      case "order":
        return workers.order(task);
    }
  }

  #changed(): void {
    this.#json = undefined;
    const isUrgent = this.#urgent.length > 0;
    if (!isUrgent && (this.#isHeld || this.#others.length === 0)) return;
    if (this.#timer !== undefined) {
      if (!isUrgent || this.#timer.atMs === this.#kernel.now) return;
      this.#kernel.cancel(this.#timer);
    }
    this.#timer = this.#kernel.in(isUrgent ? 0 : SLICE_EVERY_MS, this.#step, undefined);
  }
}
