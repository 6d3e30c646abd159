import { BodyCollector, type BodyCache, MAX_BODY_BYTES } from "./body.js";
import { ChunkReader } from "./chunks.js";
import { CHUNKED, type Head, HeadReader, UNTIL_CLOSE } from "./head.js";

/** State of an answer: incomplete, complete, or broken by `error`. */
export type ReadState = "more" | "whole" | "broken";

/** Cache of a server's last head and short body: for up to a second most are equal byte for byte, `Date` included. */
export class AnswerCache implements BodyCache {
  head: { readonly bytes: Buffer; readonly head: Head } | undefined;
  body: Buffer | undefined;
}

/** Maximum of 1xx answers before the final one. */
const MAX_INFORMATIONAL = 100;

/**
 * Parses the answers of a connection, one at a time, from chunks of any size. It knows no socket. It copies what it
 * keeps, so the caller may overwrite the chunk.
 *
 * Errors: `no-answer`, `incomplete-answer`, `body-too-large`, `too-many-1xx`, `unexpected-upgrade`, and `HPE_…` of
 * `HeadReader` and `ChunkReader`.
 */
export class AnswerReader {
  /** Head of the final answer, never of a 1xx; undefined until complete. */
  head: Head | undefined;
  readonly body: BodyCollector;
  /** Code of the error; "" when there is none. */
  error = "";
  /** Whether a byte was received since the request was written. */
  hasBegun = false;
  /** Whether bytes followed a complete answer: the connection cannot be reused. */
  hasSurplus = false;
  readonly #cache: AnswerCache;
  readonly #headReader = new HeadReader("answer");
  #chunks: ChunkReader | undefined;
  #left = 0;
  #informationalCount = 0;
  #isHead = false;

  /** @param cache - shared by all connections to a server */
  constructor(cache: AnswerCache) {
    this.#cache = cache;
    this.body = new BodyCollector(cache);
  }

  /** Resets the reader; call it when a request is written. @param isHead - the answer to a HEAD ends with its head */
  startAnswer(isHead = false): void {
    this.#isHead = isHead;
    this.head = undefined;
    this.body.reset();
    this.error = "";
    this.hasBegun = false;
    this.hasSurplus = false;
    this.#informationalCount = 0;
    if (this.#headReader.bytes > 0) this.#headReader.reset();
  }

  /** Reads the first `length` bytes, at least one. Must not be called after "whole" or "broken". */
  read(buffer: Buffer, length: number): ReadState {
    this.hasBegun = true;
    let at = 0;
    while (this.head === undefined) {
      at = this.#readHead(buffer, at, length);
      if (this.error !== "") return "broken";
      if (this.head === undefined && at >= length) return "more";
    }
    return this.#readBody(this.head, buffer, at, length);
  }

  /** Handles the end of the stream (FIN). */
  endStream(): ReadState {
    if (this.head?.framing === UNTIL_CLOSE) return "whole";
    this.error = this.hasBegun ? "incomplete-answer" : "no-answer";
    return "broken";
  }

  #readHead(buffer: Buffer, at: number, end: number): number {
    const known = this.#cache.head;
    const reader = this.#headReader;
    const isFresh = reader.bytes === 0;
    if (isFresh && known !== undefined) {
      const knownEnd = at + known.bytes.length;
      if (knownEnd <= end && known.bytes.compare(buffer, at, knownEnd) === 0) {
        this.#startBody(known.head);
        return knownEnd;
      }
    }
    const stoppedAt = reader.read(buffer, at, end);
    if (reader.error !== undefined) this.error = reader.error;
    const head = reader.head;
    if (head === undefined) return stoppedAt;
    reader.reset();
    if (head.status >= 200) {
      if (isFresh) this.#cache.head = { bytes: Buffer.from(buffer.subarray(at, stoppedAt)), head };
      this.#startBody(head);
    } else if (head.status === 101) this.error = "unexpected-upgrade";
    else if (++this.#informationalCount > MAX_INFORMATIONAL) this.error = "too-many-1xx";
    return stoppedAt;
  }

  #startBody(head: Head): void {
    this.head = this.#isHead ? { ...head, framing: 0 } : head;
    this.#left = this.head.framing;
    if (this.#left === CHUNKED) (this.#chunks ??= new ChunkReader()).reset();
  }

  #readBody(head: Head, buffer: Buffer, at: number, end: number): ReadState {
    const { body } = this;
    let isWhole = false;
    if (head.framing === CHUNKED) {
      const chunks = (this.#chunks ??= new ChunkReader());
      at = chunks.read(buffer, at, end, body);
      if (chunks.error !== undefined) return this.#fail(chunks.error);
      isWhole = chunks.isWhole;
    } else {
      const until = head.framing === UNTIL_CLOSE ? end : Math.min(end, at + this.#left);
      if (until > at) body.add(buffer, at, until);
      this.#left -= until - at;
      at = until;
      isWhole = this.#left === 0 && head.framing !== UNTIL_CLOSE;
    }
    if (body.bytes > MAX_BODY_BYTES) return this.#fail("body-too-large");
    if (!isWhole) return "more";
    this.hasSurplus = at < end;
    return "whole";
  }

  #fail(error: string): ReadState {
    this.error = error;
    return "broken";
  }
}
