/** A whole number of milliseconds since the scenario's `starts`. */
export type SimTime = number;

/** A handle to something scheduled, for `Kernel.cancel` and `Kernel.reschedule`. */
export interface Timer {
  readonly atMs: SimTime;
  /** True once the timer has fired or was cancelled. */
  readonly done: boolean;
}

/** The `seq` of a timer that is not queued: it has fired or was cancelled. */
const NOT_QUEUED = -1;

/**
 * A timer as the queue holds it: its callback, and its key `(atMs, order, seq)` in the total order.
 * It has few fields, because memory traffic dominates the cost of an event with a million timers.
 */
export class QueuedTimer implements Timer {
  atMs: SimTime;
  /** Rank among the timers of one instant. */
  readonly order: number;
  /** Sequence number that `TimerQueue.add` assigns, or `NOT_QUEUED`. */
  seq: number = NOT_QUEUED;
  fire: (arg: never) => void;
  arg: unknown;

  constructor(atMs: SimTime, order: number, fire: (arg: never) => void, arg: unknown) {
    this.atMs = atMs;
    this.order = order;
    this.fire = fire;
    this.arg = arg;
  }

  get done(): boolean {
    return this.seq === NOT_QUEUED;
  }
}

/** The fine wheel has one slot for each millisecond of one coarse slot. */
const FINE_SLOTS = 256;
const COARSE_SLOT_MS = FINE_SLOTS;
/** The coarse wheel covers about 16 s. A minute was measured as slower, because it leaves the processor's cache. */
const COARSE_SLOTS = 64;
const COARSE_WHEEL_MS = COARSE_SLOTS * COARSE_SLOT_MS;

/**
 * A coarse slot with at most this many timers skips the fine wheel: sorting them costs less than scanning its slots.
 */
const MAX_SORTED_DIRECTLY = 16;

/** Upper bound of the pool of empty overflow slots. */
const MAX_POOLED_SLOTS = 256;

/** Cancelled timers that may stay queued even if they outnumber the live ones. */
const MAX_CANCELLED = 4096;

/** Unsorted timers of one span of time. The array never shrinks, so that refilling a slot allocates nothing. */
interface WheelSlot {
  readonly timers: QueuedTimer[];
  count: number;
}

/** Fills the places of a slot that are not in use, so that the slot keeps no fired timer alive. */
const vacant = new QueuedTimer(0, 0, () => undefined, undefined);

/**
 * Priority queue of timers: a hierarchical timing wheel with an overflow.
 *
 * A timer waits in one of four levels, and moves down when the levels below are empty:
 *
 * 1. overflow: beyond the coarse wheel, in slots of 16.384 s. A heap orders those slots.
 * 2. coarse wheel: 64 slots of 256 ms.
 * 3. fine wheel: 256 slots of 1 ms.
 * 4. due heap: the timers of the current slot, ordered by `(atMs, order, seq)`.
 *
 * Only the due heap compares timers. The cost of a timer therefore depends on how many share its slot, not on how
 * many are queued.
 */
export class TimerQueue {
  #nextSeq = 0;
  #size = 0;
  /** Cancelled timers that are still in a level. */
  #cancelled = 0;
  /** Level 4: timers before `#dueEndMs`. */
  readonly #due: QueuedTimer[] = [];
  #dueEndMs: SimTime;
  /** Level 3: timers from `#dueEndMs` to before `#fineEndMs`. */
  readonly #fine: readonly WheelSlot[] = Array.from({ length: FINE_SLOTS }, newSlot);
  #fineEndMs: SimTime;
  #inFine = 0;
  /** Level 2: timers from `#fineEndMs` to before `#coarseEndMs`. */
  readonly #coarse: readonly WheelSlot[] = Array.from({ length: COARSE_SLOTS }, newSlot);
  #coarseEndMs: SimTime;
  #inCoarse = 0;
  /** Level 1: timers from `#coarseEndMs` on, by the start of their slot. */
  readonly #overflow = new Map<SimTime, WheelSlot>();
  /** One marker at the start of each overflow slot. Markers are timers, so that one heap serves both. */
  readonly #overflowStarts: QueuedTimer[] = [];
  /** Object pool of empty overflow slots. */
  readonly #pool: WheelSlot[] = [];

  /** @param nowMs - where the clock starts, whole milliseconds >= 0; no timer may be earlier */
  constructor(nowMs: SimTime) {
    this.#dueEndMs = (Math.floor(nowMs / COARSE_SLOT_MS) + 1) * COARSE_SLOT_MS;
    this.#fineEndMs = this.#dueEndMs;
    this.#coarseEndMs = (Math.floor(nowMs / COARSE_WHEEL_MS) + 1) * COARSE_WHEEL_MS;
  }

  /** Number of queued timers, without cancelled ones. */
  get size(): number {
    return this.#size;
  }

  /** Queues a timer that is not queued, behind the timers with the same `atMs` and `order`. */
  add(timer: QueuedTimer): void {
    timer.seq = this.#nextSeq++;
    this.#size++;
    this.#place(timer);
  }

  /** The first live timer, which stays queued. Drops the cancelled ones before it. */
  peek(): QueuedTimer | undefined {
    const due = this.#due;
    for (;;) {
      const first = due[0];
      if (first === undefined) {
        if (!this.#refillDue()) return undefined;
      } else if (first.done) {
        dropFirst(due);
        this.#cancelled--;
      } else return first;
    }
  }

  /** Removes the timer that `peek` has just returned. */
  dropPeeked(timer: QueuedTimer): void {
    dropFirst(this.#due);
    timer.seq = NOT_QUEUED;
    this.#size--;
  }

  /** Cancels a timer: it stays in its level, marked, until the level is emptied or swept. False if it is not queued. */
  cancel(timer: QueuedTimer): boolean {
    if (timer.done) return false;
    timer.seq = NOT_QUEUED;
    timer.arg = undefined;
    this.#size--;
    if (++this.#cancelled > MAX_CANCELLED && this.#cancelled > this.#size) this.#sweepCancelled();
    return true;
  }

  #place(timer: QueuedTimer): void {
    const { atMs } = timer;
    if (atMs < this.#dueEndMs) {
      insert(this.#due, timer);
    } else if (atMs < this.#fineEndMs) {
      append(this.#fineSlotAt(atMs), timer);
      this.#inFine++;
    } else if (atMs < this.#coarseEndMs) {
      append(this.#coarseSlotAt(atMs), timer);
      this.#inCoarse++;
    } else {
      append(this.#overflowSlotAt(Math.floor(atMs / COARSE_WHEEL_MS) * COARSE_WHEEL_MS), timer);
    }
  }

  #fineSlotAt(atMs: SimTime): WheelSlot {
    return this.#fine[atMs - this.#fineEndMs + FINE_SLOTS] as WheelSlot;
  }

  #coarseSlotAt(atMs: SimTime): WheelSlot {
    return this.#coarse[Math.floor((atMs - this.#coarseEndMs + COARSE_WHEEL_MS) / COARSE_SLOT_MS)] as WheelSlot;
  }

  #overflowSlotAt(startMs: SimTime): WheelSlot {
    const existing = this.#overflow.get(startMs);
    if (existing !== undefined) return existing;
    const slot = this.#pool.pop() ?? newSlot();
    this.#overflow.set(startMs, slot);
    insert(this.#overflowStarts, new QueuedTimer(startMs, 0, vacant.fire, undefined));
    return slot;
  }

  /** Empties the next slot of the lowest level that has timers. False when no level has any. */
  #refillDue(): boolean {
    if (this.#inFine > 0) this.#emptyFineSlot();
    else if (this.#inCoarse > 0) this.#emptyCoarseSlot();
    else if (this.#overflowStarts.length > 0) this.#emptyOverflowSlot();
    else return false;
    return true;
  }

  #emptyFineSlot(): void {
    while (this.#fineSlotAt(this.#dueEndMs).count === 0) this.#dueEndMs++;
    const slot = this.#fineSlotAt(this.#dueEndMs++);
    this.#inFine -= slot.count;
    this.#replaceAll(slot);
  }

  #emptyCoarseSlot(): void {
    while (this.#coarseSlotAt(this.#fineEndMs).count === 0) this.#fineEndMs += COARSE_SLOT_MS;
    const slot = this.#coarseSlotAt(this.#fineEndMs);
    this.#inCoarse -= slot.count;
    this.#dueEndMs = slot.count > MAX_SORTED_DIRECTLY ? this.#fineEndMs : this.#fineEndMs + COARSE_SLOT_MS;
    this.#fineEndMs += COARSE_SLOT_MS;
    this.#replaceAll(slot);
  }

  #emptyOverflowSlot(): void {
    const startMs = (this.#overflowStarts[0] as QueuedTimer).atMs;
    dropFirst(this.#overflowStarts);
    const slot = this.#overflow.get(startMs) as WheelSlot;
    this.#overflow.delete(startMs);
    this.#dueEndMs = startMs;
    this.#fineEndMs = startMs;
    this.#coarseEndMs = startMs + COARSE_WHEEL_MS;
    this.#replaceAll(slot);
    if (this.#pool.length < MAX_POOLED_SLOTS) this.#pool.push(slot);
  }

  /** Moves the timers of a slot to the lower levels, without the cancelled ones. */
  #replaceAll(slot: WheelSlot): void {
    const { timers, count } = slot;
    slot.count = 0;
    for (let index = 0; index < count; index++) {
      const timer = timers[index] as QueuedTimer;
      timers[index] = vacant;
      if (timer.done) this.#cancelled--;
      else this.#place(timer);
    }
  }

  /** Removes all cancelled timers, which would otherwise stay until their instant comes. */
  #sweepCancelled(): void {
    const due = this.#due.filter((timer) => !timer.done);
    this.#due.length = 0;
    for (const timer of due) insert(this.#due, timer);
    for (const slot of [...this.#fine, ...this.#coarse, ...this.#overflow.values()]) {
      const { timers, count } = slot;
      slot.count = 0;
      for (let index = 0; index < count; index++) {
        const timer = timers[index] as QueuedTimer;
        timers[index] = vacant;
        if (!timer.done) append(slot, timer);
      }
    }
    this.#inFine = this.#fine.reduce((sum, { count }) => sum + count, 0);
    this.#inCoarse = this.#coarse.reduce((sum, { count }) => sum + count, 0);
    this.#cancelled = 0;
  }
}

function newSlot(): WheelSlot {
  return { timers: [], count: 0 };
}

function append(slot: WheelSlot, timer: QueuedTimer): void {
  if (slot.count < slot.timers.length) slot.timers[slot.count] = timer;
  else slot.timers.push(timer);
  slot.count++;
}

function isBefore(a: QueuedTimer, b: QueuedTimer): boolean {
  if (a.atMs !== b.atMs) return a.atMs < b.atMs;
  if (a.order !== b.order) return a.order < b.order;
  return a.seq < b.seq;
}

/** Inserts into a binary min-heap. */
function insert(heap: QueuedTimer[], timer: QueuedTimer): void {
  let index = heap.length;
  heap.push(timer);
  while (index > 0) {
    const parentIndex = (index - 1) >> 1;
    const parent = heap[parentIndex] as QueuedTimer;
    if (!isBefore(timer, parent)) break;
    heap[index] = parent;
    index = parentIndex;
  }
  heap[index] = timer;
}

/** Removes the root of a binary min-heap. */
function dropFirst(heap: QueuedTimer[]): void {
  const last = heap.pop();
  const count = heap.length;
  if (last === undefined || count === 0) return;
  let index = 0;
  for (;;) {
    let child = 2 * index + 1;
    if (child >= count) break;
    if (child + 1 < count && isBefore(heap[child + 1] as QueuedTimer, heap[child] as QueuedTimer)) child++;
    const timer = heap[child] as QueuedTimer;
    if (!isBefore(timer, last)) break;
    heap[index] = timer;
    index = child;
  }
  heap[index] = last;
}
