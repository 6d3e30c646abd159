/** A whole number of milliseconds since the scenario's `starts`. */
export type SimTime = number;

/** A handle to something scheduled; `Kernel.cancel` takes it back. */
export interface Timer {
  readonly atMs: SimTime;
  /** Set when the timer has fired or was cancelled. */
  readonly done: boolean;
}

/** The `seq` of an entry that waits for nothing: it has fired or was cancelled. */
const DONE = -1;

/**
 * What a timer looks like inside the kernel: the key of the total order, and what to call. Small on purpose: with a
 * million of them, what an event costs is the memory that it touches.
 */
class Entry implements Timer {
  atMs: SimTime;
  order: number;
  seq = DONE;
  fire: (arg: never) => void;
  arg: unknown;

  constructor(atMs: SimTime, order: number, fire: (arg: never) => void, arg: unknown) {
    this.atMs = atMs;
    this.order = order;
    this.fire = fire;
    this.arg = arg;
  }

  get done(): boolean {
    return this.seq === DONE;
  }
}

/**
 * Entries wait unsorted in stretches of a quarter of a minute; those of the next stretch in buckets of a quarter of a second;
 * those of the next bucket in slots of a millisecond each; those of the next slot in a heap. So the cost of an event depends on
 * how many share its instant, not on how many handsets there are. Longer stretches would not stay in the processor's cache.
 */
const BUCKET_MS = 256;
const BUCKETS = 64;
const STRETCH_MS = BUCKETS * BUCKET_MS;

/** A bucket with at most so many entries goes to the heap at once: it would cost more to look for them in the slots. */
const FEW = 16;

/**
 * Entries of one span of time, in no order. Emptied ones are used again: buckets that grow anew for each second of
 * virtual time would keep the collector busy.
 */
interface Bucket {
  readonly entries: Entry[];
  count: number;
}

/** Emptied stretches that are kept. */
const SPARES = 256;

/** So many cancelled timers may wait for their instant to be forgotten; more are, where they outnumber the live ones. */
const MOST_CANCELLED = 4096;

/** What stands in an emptied place: a bucket must not hold on to what has fired. */
const cleared = new Entry(0, 0, () => undefined, undefined);

/**
 * The virtual clock and its event queue.
 *
 * Order is total: earlier first, then the lower `order`, then first scheduled first. Time never goes back.
 * Callbacks get their argument handed in, so that hot paths schedule without allocating a closure.
 */
export class Kernel {
  #now: SimTime;
  #seq = 0;
  #size = 0;
  #fired = 0;
  /** Cancelled timers that still have their place. */
  #cancelled = 0;
  #isPaused = false;
  /** Entries before `#nearEndMs`, as a binary heap. */
  readonly #near: Entry[] = [];
  #nearEndMs: SimTime;
  /** Entries from there on and before `#slotsEndMs`, by the millisecond of the bucket that ends there. */
  readonly #slots: readonly Bucket[] = Array.from({ length: BUCKET_MS }, newBucket);
  #slotsEndMs: SimTime;
  #inSlots = 0;
  /** Entries from there on and before `#bucketsEndMs`, by the place of their bucket in the stretch that ends there. */
  readonly #buckets: readonly Bucket[] = Array.from({ length: BUCKETS }, newBucket);
  #bucketsEndMs: SimTime;
  #inBuckets = 0;
  /** All others, by the number of their stretch. */
  readonly #far = new Map<number, Bucket>();
  readonly #spares: Bucket[] = [];
  /** The keys of `#far`, as a binary heap. */
  readonly #farKeys: number[] = [];

  /**
   * @param nowMs - where the clock begins: whole milliseconds >= 0. Later than 0 where something goes on that was played
   *   before
   * @throws RangeError when it is not a whole number >= 0
   */
  constructor(nowMs: SimTime = 0) {
    if (!(nowMs >= 0) || !Number.isSafeInteger(nowMs)) {
      throw new RangeError(`a clock must begin at a whole number of ms >= 0, got ${nowMs}`);
    }
    this.#now = nowMs;
    this.#nearEndMs = (Math.floor(nowMs / BUCKET_MS) + 1) * BUCKET_MS;
    this.#slotsEndMs = this.#nearEndMs;
    this.#bucketsEndMs = (Math.floor(nowMs / STRETCH_MS) + 1) * STRETCH_MS;
  }

  /** Virtual time now, in milliseconds. */
  get now(): SimTime {
    return this.#now;
  }

  /** How many timers wait (cancelled ones are not counted). */
  get size(): number {
    return this.#size;
  }

  /** How many timers have fired: the measure of a run's work. */
  get fired(): number {
    return this.#fired;
  }

  /**
   * Schedules `fire(arg)` at an instant.
   *
   * @param atMs - whole milliseconds, not before `now`
   * @param order - the place among timers of one instant; lower fires first; default 0
   * @throws RangeError when the instant has passed or is not a whole number
   */
  at<T>(atMs: SimTime, fire: (arg: T) => void, arg: T, order = 0): Timer {
    if (!(atMs >= this.#now) || !Number.isSafeInteger(atMs)) {
      throw new RangeError(`a timer must be a whole number of ms >= ${this.#now}, got ${atMs}`);
    }
    const entry = new Entry(atMs, order, fire, arg);
    this.#schedule(entry);
    return entry;
  }

  /** Schedules `fire(arg)` after a span of whole milliseconds >= 0. */
  in<T>(delayMs: number, fire: (arg: T) => void, arg: T, order = 0): Timer {
    return this.at(this.#now + delayMs, fire, arg, order);
  }

  /**
   * Schedules a timer that has fired once more, with its argument: for what happens again and again, as a new timer
   * for each poll of each phone would keep the collector busy.
   *
   * @throws RangeError when the timer still waits or was cancelled, or the span is not a whole number >= 0
   */
  again<T>(timer: Timer, delayMs: number, fire: (arg: T) => void): void {
    const entry = timer as Entry;
    if (!entry.done || entry.arg === undefined) throw new RangeError("only a timer that has fired can be set again");
    const atMs = this.#now + delayMs;
    if (!(delayMs >= 0) || !Number.isSafeInteger(atMs)) {
      throw new RangeError(`a span must be a whole number of ms >= 0, got ${delayMs}`);
    }
    entry.atMs = atMs;
    entry.fire = fire;
    this.#schedule(entry);
  }

  #schedule(entry: Entry): void {
    entry.seq = this.#seq++;
    this.#size++;
    this.#place(entry);
  }

  /** Puts an entry where it waits: that is nearer each time. */
  #place(entry: Entry): void {
    const { atMs } = entry;
    if (atMs < this.#nearEndMs) {
      pushEntry(this.#near, entry);
    } else if (atMs < this.#slotsEndMs) {
      fill(this.#slotAt(atMs), entry);
      this.#inSlots++;
    } else if (atMs < this.#bucketsEndMs) {
      fill(this.#bucketAt(atMs), entry);
      this.#inBuckets++;
    } else {
      const key = Math.floor(atMs / STRETCH_MS);
      const bucket = this.#far.get(key);
      if (bucket !== undefined) fill(bucket, entry);
      else {
        const empty = this.#spares.pop() ?? newBucket();
        fill(empty, entry);
        this.#far.set(key, empty);
        pushKey(this.#farKeys, key);
      }
    }
  }

  /** Takes a timer back. Returns false when it has already fired or was cancelled. */
  cancel(timer: Timer): boolean {
    const entry = timer as Entry;
    if (entry.done) return false;
    entry.seq = DONE;
    entry.arg = undefined;
    this.#size--;
    if (++this.#cancelled > MOST_CANCELLED && this.#cancelled > this.#size) this.#sweep();
    return true;
  }

  /** The instant of the next timer, or Infinity when none waits. */
  get nextAtMs(): SimTime {
    return this.#front()?.atMs ?? Infinity;
  }

  /** Fires the next timer and returns true; returns false when none waits. */
  step(): boolean {
    const entry = this.#front();
    if (entry === undefined) return false;
    this.#fire(entry);
    return true;
  }

  /**
   * Fires timers that are due before an instant, in order, until none is left, `steps` have fired, or one of them has
   * called `pause`.
   *
   * @returns how many fired
   */
  run(beforeMs: SimTime, steps: number): number {
    this.#isPaused = false;
    let count = 0;
    while (count < steps && !this.#isPaused) {
      const entry = this.#front();
      if (entry === undefined || entry.atMs >= beforeMs) break;
      this.#fire(entry);
      count++;
    }
    return count;
  }

  /** Ends the `run` that is under way after the timer that calls this. */
  pause(): void {
    this.#isPaused = true;
  }

  /** Moves the clock on to an instant at which nothing needs to fire. Never back, never past a waiting timer. */
  advanceTo(atMs: SimTime): void {
    if (atMs > this.nextAtMs) throw new RangeError(`cannot pass the timer at ${this.nextAtMs} on the way to ${atMs}`);
    if (atMs > this.#now) this.#now = atMs;
  }

  /** Fires the entry in front. */
  #fire(entry: Entry): void {
    popEntry(this.#near);
    this.#size--;
    this.#fired++;
    entry.seq = DONE;
    this.#now = entry.atMs;
    (entry.fire as (arg: unknown) => void)(entry.arg);
  }

  /** Takes cancelled timers from their places: those that are far away would stay there for long. */
  #sweep(): void {
    const near = this.#near.filter((entry) => !entry.done);
    this.#near.length = 0;
    for (const entry of near) pushEntry(this.#near, entry);
    for (const bucket of [...this.#slots, ...this.#buckets, ...this.#far.values()]) {
      const { entries, count } = bucket;
      bucket.count = 0;
      for (let index = 0; index < count; index++) {
        const entry = entries[index] as Entry;
        entries[index] = cleared;
        if (!entry.done) fill(bucket, entry);
      }
    }
    this.#inSlots = this.#slots.reduce((sum, { count }) => sum + count, 0);
    this.#inBuckets = this.#buckets.reduce((sum, { count }) => sum + count, 0);
    this.#cancelled = 0;
  }

  #slotAt(atMs: SimTime): Bucket {
    return this.#slots[atMs - this.#slotsEndMs + BUCKET_MS] as Bucket;
  }

  #bucketAt(atMs: SimTime): Bucket {
    return this.#buckets[Math.floor((atMs - this.#bucketsEndMs + STRETCH_MS) / BUCKET_MS)] as Bucket;
  }

  /** Empties a bucket when what is near has come up to it: its entries take their new places. */
  #empty(bucket: Bucket): void {
    const { entries, count } = bucket;
    bucket.count = 0;
    for (let index = 0; index < count; index++) {
      const entry = entries[index] as Entry;
      entries[index] = cleared;
      if (entry.done) this.#cancelled--;
      else this.#place(entry);
    }
  }

  /** Nothing is near: brings nearer what comes next. Returns false when nothing does. */
  #comeNear(): boolean {
    if (this.#inSlots > 0) this.#openSlot();
    else if (this.#inBuckets > 0) this.#openBucket();
    else return this.#openStretch();
    return true;
  }

  #openSlot(): void {
    while (this.#slotAt(this.#nearEndMs).count === 0) this.#nearEndMs++;
    const slot = this.#slotAt(this.#nearEndMs++);
    this.#inSlots -= slot.count;
    this.#empty(slot);
  }

  #openBucket(): void {
    while (this.#bucketAt(this.#slotsEndMs).count === 0) this.#slotsEndMs += BUCKET_MS;
    const bucket = this.#bucketAt(this.#slotsEndMs);
    this.#inBuckets -= bucket.count;
    this.#nearEndMs = bucket.count > FEW ? this.#slotsEndMs : this.#slotsEndMs + BUCKET_MS;
    this.#slotsEndMs += BUCKET_MS;
    this.#empty(bucket);
  }

  #openStretch(): boolean {
    const key = popKey(this.#farKeys);
    if (key === undefined) return false;
    const stretch = this.#far.get(key) as Bucket;
    this.#far.delete(key);
    this.#slotsEndMs = key * STRETCH_MS;
    this.#nearEndMs = this.#slotsEndMs;
    this.#bucketsEndMs = this.#slotsEndMs + STRETCH_MS;
    this.#empty(stretch);
    if (this.#spares.length < SPARES) this.#spares.push(stretch);
    return true;
  }

  /** The first live entry, left in place: cancelled ones are dropped. */
  #front(): Entry | undefined {
    const near = this.#near;
    for (;;) {
      const first = near[0];
      if (first === undefined) {
        if (!this.#comeNear()) return undefined;
      } else if (first.done) {
        popEntry(near);
        this.#cancelled--;
      } else return first;
    }
  }
}

function newBucket(): Bucket {
  return { entries: [], count: 0 };
}

function fill(bucket: Bucket, entry: Entry): void {
  if (bucket.count < bucket.entries.length) bucket.entries[bucket.count] = entry;
  else bucket.entries.push(entry);
  bucket.count++;
}

function before(a: Entry, b: Entry): boolean {
  if (a.atMs !== b.atMs) return a.atMs < b.atMs;
  if (a.order !== b.order) return a.order < b.order;
  return a.seq < b.seq;
}

function pushEntry(heap: Entry[], entry: Entry): void {
  let index = heap.length;
  heap.push(entry);
  while (index > 0) {
    const parentIndex = (index - 1) >> 1;
    const parent = heap[parentIndex] as Entry;
    if (!before(entry, parent)) break;
    heap[index] = parent;
    index = parentIndex;
  }
  heap[index] = entry;
}

function popEntry(heap: Entry[]): void {
  const last = heap.pop();
  const count = heap.length;
  if (last === undefined || count === 0) return;
  let index = 0;
  for (;;) {
    let child = 2 * index + 1;
    if (child >= count) break;
    if (child + 1 < count && before(heap[child + 1] as Entry, heap[child] as Entry)) child++;
    const entry = heap[child] as Entry;
    if (!before(entry, last)) break;
    heap[index] = entry;
    index = child;
  }
  heap[index] = last;
}

function pushKey(heap: number[], key: number): void {
  let index = heap.length;
  heap.push(key);
  while (index > 0) {
    const parentIndex = (index - 1) >> 1;
    const parent = heap[parentIndex] as number;
    if (key >= parent) break;
    heap[index] = parent;
    index = parentIndex;
  }
  heap[index] = key;
}

function popKey(heap: number[]): number | undefined {
  const first = heap[0];
  const last = heap.pop();
  const count = heap.length;
  if (last === undefined || count === 0) return first;
  let index = 0;
  for (;;) {
    let child = 2 * index + 1;
    if (child >= count) break;
    if (child + 1 < count && (heap[child + 1] as number) < (heap[child] as number)) child++;
    const key = heap[child] as number;
    if (key >= last) break;
    heap[index] = key;
    index = child;
  }
  heap[index] = last;
  return first;
}
