import type { WebSocket } from "ws";
import type { EncodedFrame } from "./frame-ring.js";

/** The part of a socket that a client uses. */
export type ClientSocket = Pick<WebSocket, "bufferedAmount" | "readyState" | "OPEN" | "terminate"> & {
  send(data: Buffer, options: { readonly binary: boolean }): void;
};

/** Source of a session's frames, independent of the type of its lab. */
export interface FrameSource {
  readonly id: string;
  snapshot(): EncodedFrame;
  missedAfter(resume: { readonly session: string; readonly frame: number }): readonly EncodedFrame[] | undefined;
}

/** Buffered bytes above which a client skips frames. The limit is higher if a snapshot alone is larger. */
const WAITING_MAX = 1024 * 1024;

/** A client that has skipped frames gets a snapshot when its buffer is down to this many bytes. */
const DRAINED = 64 * 1024;

/** Buffered bytes above which a client is disconnected. */
const WAITING_END = 64 * 1024 * 1024;

/** A client that has read nothing for this time is disconnected. Wall milliseconds. */
const STALLED_MS = 30_000;

/**
 * One admitted client. Unread bytes wait in its socket. Above a bound the client skips frames, and gets a snapshot when
 * it has caught up. So a slow client uses bounded memory and delays no other client.
 */
export class StreamClient {
  readonly #socket: ClientSocket;
  #session: string | undefined;
  #snapshotBytes = 0;
  /** When it began to skip frames, wall milliseconds; undefined: it is up to date. */
  #behindSince: number | undefined;

  constructor(socket: ClientSocket) {
    this.#socket = socket;
  }

  /** Sends the frames that a client has missed, or a snapshot. */
  begin(session: FrameSource, resume: { readonly session: string; readonly frame: number } | undefined): void {
    const missed = resume && session.missedAfter(resume);
    if (missed === undefined) return this.#sendSnapshot(session);
    this.#session = session.id;
    for (const frame of missed) this.#send(frame);
  }

  /** Sends the session's next frame, or a snapshot where the client cannot use it. @param nowMs - wall time */
  sendNext(session: FrameSource, frame: EncodedFrame, nowMs: number): void {
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
