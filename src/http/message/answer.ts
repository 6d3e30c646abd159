import { BodyCollector, type BodyCache, MAX_BODY_BYTES } from "./body.js";
import { ChunkReader } from "./chunks.js";
import { CHUNKED, type Head, HeadReader, UNTIL_CLOSE } from "./head.js";

/** How far an answer is read: more is to come, all of it is there, or it cannot be understood (`error`). */
export type ReadState = "more" | "whole" | "broken";

/**
 * What came last from a server: most of its heads are the same byte for byte for up to a second, their `Date` included, and
 * most of its short bodies are.
 */
export class AnswerCache implements BodyCache {
  head: { readonly bytes: Buffer; readonly head: Head } | undefined;
  body: Buffer | undefined;
}

/** Answers of the kind 1xx that are skipped while the real one is awaited. */
const MAX_INFORMATIONAL = 100;

/**
 * Reads the answer to one request after the other on a connection, from bytes that come in pieces of any size. Bytes
 * in, state out: it knows of no socket. The bytes may be overwritten afterwards; what is kept of them is copied.
 *
 * Errors: `no-answer`, `incomplete-answer`, `body-too-large`, `too-many-1xx`, `unexpected-upgrade`, and `HPE_…` of
 * `HeadReader` and `ChunkReader`.
 */
export class AnswerReader {
  /** Of the answer itself, not of an interim one; undefined until it is whole. */
  head: Head | undefined;
  readonly body: BodyCollector;
  /** Why the answer is broken. */
  error = "";
  /** Whether anything came since the request was written. */
  hasBegun = false;
  /** Whether bytes came behind a whole answer: nobody can say what they belong to. */
  hasSurplus = false;
  readonly #cache: AnswerCache;
  readonly #headReader = new HeadReader("answer");
  #chunks: ChunkReader | undefined;
  #left = 0;
  #informationalCount = 0;

  /** @param memory - shared by all connections to a server */
  constructor(memory: AnswerCache) {
    this.#cache = memory;
    this.body = new BodyCollector(memory);
  }

  /** To be called when a request is written. */
  startAnswer(): void {
    this.head = undefined;
    this.body.reset();
    this.error = "";
    this.hasBegun = false;
    this.hasSurplus = false;
    this.#informationalCount = 0;
    if (this.#headReader.bytes > 0) this.#headReader.reset();
  }

  /** Takes the next bytes: those up to `length`, at least one. Not to be called when the answer is whole or broken. */
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

  /** The other side has closed its direction in good order. */
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

  #startBody(head: Head | undefined): void {
    this.head = head;
    this.#left = head?.framing ?? 0;
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
