/**
 * The memory that the thread of rows and the thread of the file share: a ring of bytes and a few counters. Rows are
 * published in batches; the writer commits all that it finds at once, so batches grow when it is slow.
 */

/** Bytes of rows that may wait; whoever writes more waits for the file. */
const RING_BYTES = 16 * 1024 * 1024;
const CONTROL_BYTES = 64;
const FAILURE_BYTES = 4096;

/** Places in `Ring.control`. */
export const at = {
  /** Where the next byte will be published: everything before it, from `tail` on, is for the writer. */
  head: 0,
  /** Where the writer reads on. */
  tail: 1,
  /** Batches that were published; it may wrap around. Also what the writer waits for. */
  published: 2,
  /** Batches on disk. Also what the other side waits for. */
  committed: 3,
  /** 1: tell when `committed` moves; the writer takes it back with each word. */
  isWanted: 4,
  /** 1: the writer is to end. */
  isEnding: 5,
  /** 1: it has ended. */
  hasEnded: 6,
  /** 1: it has failed; what went wrong is in `failure`, after its length. */
  hasFailed: 7,
  /** Rows that were too large for the ring and went beside it: they count, too. It may wrap around. */
  beside: 8,
} as const;

/** What both threads hold. */
export interface RingMemory {
  readonly control: SharedArrayBuffer;
  readonly bytes: SharedArrayBuffer;
  readonly failure: SharedArrayBuffer;
}

export function newRingMemory(): RingMemory {
  return {
    control: new SharedArrayBuffer(CONTROL_BYTES),
    bytes: new SharedArrayBuffer(RING_BYTES),
    failure: new SharedArrayBuffer(FAILURE_BYTES),
  };
}

/** What went wrong in the thread, as it crosses over. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

export function writeFailure({ failure }: RingMemory, what: Failure): void {
  const bytes = Buffer.from(failure);
  const length = bytes.write(JSON.stringify({ ...what, message: what.message.slice(0, 500) }), 4);
  bytes.writeUInt32LE(length, 0);
}

export function readFailure({ failure }: RingMemory): Failure {
  const bytes = Buffer.from(failure);
  return JSON.parse(bytes.toString("utf8", 4, 4 + bytes.readUInt32LE(0))) as Failure;
}
