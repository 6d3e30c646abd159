import type { StreamFrame, StreamHello, StreamWish } from "../../protocol/index.js";

/** Close code of the server: the token is missing or wrong. */
const REFUSED = 4401;

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;
/** A live server sends four frames a second, fewer with huge fleets. After this silence the shown state may be old. */
const SILENT_MS = 5000;
/** After this silence the connection is dead: the peer is gone without a close, as after a laptop's sleep. */
const DEAD_MS = 15_000;
/** The same before the first frame: the server of a run waits for the start. */
const DEAD_AT_FIRST_MS = 30_000;
/** Interval of the check for silence. */
const LOOK_MS = 1000;

/** The part of a WebSocket that the stream uses. */
export interface StreamSocket {
  onopen: (() => void) | null;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onclose: ((event: { readonly code: number }) => void) | null;
  send(text: string): void;
  close(): void;
}

/** Dependencies and listeners of the stream. */
export interface StreamParts {
  readonly openSocket: () => StreamSocket;
  readonly token: () => string;
  /** What this page wants besides what all pages get; undefined: nothing. */
  readonly wish: () => StreamWish | undefined;
  /** The frame to resume after; undefined: a snapshot is needed. */
  readonly resume: () => StreamHello["resume"];
  /** @returns whether the frame follows the last one */
  readonly applyFrame: (frame: StreamFrame) => boolean;
  /** Called when frames arrive. */
  readonly onLive: () => void;
  /** Called when frames have stopped for some seconds. */
  readonly onSilent: () => void;
  /** Called when the connection is lost. @param waitMs - until the next attempt */
  readonly onLost: (waitMs: number) => void;
  /** Called when an attempt begins. */
  readonly onTry: () => void;
  readonly onRefused: () => void;
  /** From 0, below 1. */
  readonly random: () => number;
}

/**
 * Keeps the live stream open: it sends the hello, passes the frames on, and connects again after a loss, after a gap in
 * the numbers of frames and after a long silence. The back-off doubles from 0.5 s to 15 s with a jitter of half, so
 * that many pages do not reconnect at once.
 */
export class LabStream {
  readonly #parts: StreamParts;
  #socket: StreamSocket | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #looks: ReturnType<typeof setInterval> | undefined;
  /**
   * Time of the last frame, or of the start of the connection. It is wall time, because that advances while the machine
   * sleeps.
   */
  #heardAtMs = 0;
  #hasFrames = false;
  #isOpen = false;
  #waitMs = FIRST_WAIT_MS;
  /** Whether the next hello requests a snapshot. */
  #isGapped = false;

  constructor(parts: StreamParts) {
    this.#parts = parts;
  }

  /** Connects, or reconnects at once. It does nothing while there is a connection. */
  open(): void {
    if (this.#socket !== undefined) return;
    clearTimeout(this.#timer);
    this.#parts.onTry();
    const socket = this.#parts.openSocket();
    this.#socket = socket;
    this.#hasFrames = false;
    this.#isOpen = false;
    this.#heardAtMs = Date.now();
    this.#looks = setInterval(() => this.#look(), LOOK_MS);
    socket.onopen = () => {
      const resume = this.#isGapped ? undefined : this.#parts.resume();
      socket.send(JSON.stringify({ token: this.#parts.token(), ...(resume && { resume }) } satisfies StreamHello));
      this.#isOpen = true;
      this.sendWish();
    };
    socket.onmessage = ({ data }) => this.#receive(socket, data);
    socket.onclose = ({ code }) => this.#closed(socket, code);
  }

  /** Sends the current wish; without a connection, after the next one opens. */
  sendWish(): void {
    const wish = this.#parts.wish();
    if (wish !== undefined && this.#isOpen) this.#socket?.send(JSON.stringify(wish));
  }

  /** Ends the connection; `open` starts a new one. */
  close(): void {
    clearTimeout(this.#timer);
    this.#drop();
  }

  #receive(socket: StreamSocket, data: unknown): void {
    if (socket !== this.#socket) return;
    const frame = frameIn(data);
    if (frame === undefined || !this.#parts.applyFrame(frame)) {
      this.#isGapped = true;
      this.#drop();
      this.#tryLater();
      return;
    }
    this.#isGapped = false;
    this.#waitMs = FIRST_WAIT_MS;
    this.#hasFrames = true;
    this.#heardAtMs = Date.now();
    this.#parts.onLive();
  }

  #closed(socket: StreamSocket, code: number): void {
    if (socket !== this.#socket) return;
    clearInterval(this.#looks);
    this.#socket = undefined;
    this.#isOpen = false;
    if (code === REFUSED) this.#parts.onRefused();
    else this.#tryLater();
  }

  #tryLater(): void {
    const waitMs = Math.round(this.#waitMs * (0.75 + this.#parts.random() / 2));
    this.#waitMs = Math.min(LONGEST_WAIT_MS, this.#waitMs * 2);
    this.#timer = setTimeout(() => this.open(), waitMs);
    this.#parts.onLost(waitMs);
  }

  #look(): void {
    const silentMs = Date.now() - this.#heardAtMs;
    if (silentMs >= (this.#hasFrames ? DEAD_MS : DEAD_AT_FIRST_MS)) {
      this.#drop();
      this.#tryLater();
    } else if (this.#hasFrames && silentMs >= SILENT_MS) this.#parts.onSilent();
  }

  #drop(): void {
    clearInterval(this.#looks);
    const socket = this.#socket;
    this.#socket = undefined;
    this.#isOpen = false;
    socket?.close();
  }
}

function frameIn(data: unknown): StreamFrame | undefined {
  if (typeof data !== "string") return undefined;
  try {
    return JSON.parse(data) as StreamFrame;
  } catch {
    return undefined;
  }
}
