import type { WebSocket } from "ws";
import type { EncodedFrame } from "./frame-ring.js";

/** What a client needs of its socket. */
export type ClientSocket = Pick<WebSocket, "bufferedAmount" | "readyState" | "OPEN" | "terminate"> & {
  send(data: Buffer, options: { readonly binary: boolean }): void;
};

/** Frames of a session, without the type of its lab. */
export interface FrameSource {
  readonly id: string;
  snapshot(): EncodedFrame;
  missedAfter(resume: { readonly session: string; readonly frame: number }): readonly EncodedFrame[] | undefined;
}

/** Bytes that may wait for a client before frames are skipped; more where a snapshot alone is larger. */
const WAITING_MAX = 1024 * 1024;

/** A client that has skipped frames gets a snapshot when no more than this waits for it. */
const DRAINED = 64 * 1024;

/** Bytes beyond which a client is disconnected. */
const WAITING_END = 64 * 1024 * 1024;

/** A client that has read nothing for so long is disconnected. Wall milliseconds. */
const STALLED_MS = 30_000;

/**
 * One admitted client. What it does not read waits in its socket: beyond a bound it misses frames, and gets a snapshot
 * when it has caught up. So a slow client costs bounded memory, and nobody waits for it.
 */
export class StreamClient {
  readonly #socket: ClientSocket;
  #session: string | undefined;
  #snapshotBytes = 0;
  /** When it began to miss frames, wall milliseconds; undefined: it misses none. */
  #behindSince: number | undefined;

  constructor(socket: ClientSocket) {
    this.#socket = socket;
  }

  /** Sends what a new client misses: some frames, or everything. */
  begin(session: FrameSource, resume: { readonly session: string; readonly frame: number } | undefined): void {
    const missed = resume && session.missedAfter(resume);
    if (missed === undefined) return this.#sendSnapshot(session);
    this.#session = session.id;
    for (const frame of missed) this.#send(frame);
  }

  /** Sends the session's next frame, or a snapshot where the client cannot use it. @param nowMs - wall time */
  pass(session: FrameSource, frame: EncodedFrame, nowMs: number): void {
    const waiting = this.#socket.bufferedAmount;
    if (this.#behindSince !== undefined) {
      if (waiting > WAITING_END || (waiting > DRAINED && nowMs - this.#behindSince > STALLED_MS))
        this.#socket.terminate();
      else if (waiting <= DRAINED) this.#sendSnapshot(session);
    } else if (waiting > Math.max(WAITING_MAX, 2 * this.#snapshotBytes)) this.#behindSince = nowMs;
    else if (session.id !== this.#session) this.#sendSnapshot(session);
    else this.#send(frame);
  }

  #sendSnapshot(session: FrameSource): void {
    const snapshot = session.snapshot();
    this.#behindSince = undefined;
    this.#session = session.id;
    this.#snapshotBytes = snapshot.bytes.length;
    this.#send(snapshot);
  }

  #send({ bytes }: EncodedFrame): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(bytes, { binary: false });
  }
}
