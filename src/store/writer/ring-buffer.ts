/**
 * A single-producer single-consumer ring buffer in shared memory: the run's thread publishes batches of encoded rows.
 * The writer's thread commits all published batches in one transaction (group commit), so commits grow when the disk is
 * slow.
 */

/** Size of the ring in bytes. A producer that finds the ring full waits for the consumer (back-pressure). */
const RING_BYTES = 16 * 1024 * 1024;
const CONTROL_BYTES = 64;
const FAILURE_BYTES = 4096;

/** Indexes into `RingMemory.control`, an Int32Array that is read and written by Atomics. */
export const slot = {
  /** Producer: end of the published bytes, which begin at `tail`. */
  head: 0,
  /** Consumer: the next byte to read. */
  tail: 1,
  /** Producer: batches published, modulo 2^32. The consumer waits on it. */
  published: 2,
  /** Consumer: batches durable, modulo 2^32. The producer waits on it. */
  committed: 3,
  /** 1: the producer wants a message at the next commit; the consumer sets it to 0 when it sends one. */
  isWanted: 4,
  /** 1: the consumer must end after the published batches. */
  isEnding: 5,
  /** 1: the consumer has ended. */
  hasEnded: 6,
  /** 1: the consumer has failed; `failure` holds the length of the error and the error as JSON. */
  hasFailed: 7,
  /** Rows that the producer itself wrote, modulo 2^32: before the first batch, and those too large for the ring. */
  rowsOfProducer: 8,
} as const;

/** The memory that both threads share. */
export interface RingMemory {
  readonly control: SharedArrayBuffer;
  readonly bytes: SharedArrayBuffer;
  readonly failure: SharedArrayBuffer;
}

/** Allocates an empty ring. */
export function newRingMemory(): RingMemory {
  return {
    control: new SharedArrayBuffer(CONTROL_BYTES),
    bytes: new SharedArrayBuffer(RING_BYTES),
    failure: new SharedArrayBuffer(FAILURE_BYTES),
  };
}

/** An error of the writer's thread. */
export interface WriterFailure {
  readonly code: string;
  readonly message: string;
}

/** Consumer: stores an error for the producer, its message cut to 500 characters. */
export function writeFailure({ failure }: RingMemory, what: WriterFailure): void {
  const bytes = Buffer.from(failure);
  const length = bytes.write(JSON.stringify({ ...what, message: what.message.slice(0, 500) }), 4);
  bytes.writeUInt32LE(length, 0);
}

/** Producer: the stored error. */
export function readFailure({ failure }: RingMemory): WriterFailure {
  const bytes = Buffer.from(failure);
  return JSON.parse(bytes.toString("utf8", 4, 4 + bytes.readUInt32LE(0))) as WriterFailure;
}
