import type { StreamFrame, StreamHello } from "../../protocol/index.js";

/** Close code of the server: the token is missing or wrong. */
const REFUSED = 4401;

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;
/** A live server sends four frames a second, fewer with huge fleets. After this silence what is shown may be old. */
const SILENT_MS = 5000;
/** After this silence the connection is dead: its other end has gone without a word, as when a laptop slept. */
const DEAD_MS = 15_000;
/** The same before the first frame: the server of a run waits for its beginning. */
const DEAD_AT_FIRST_MS = 30_000;
/** Between two looks whether it is silent. */
const LOOK_MS = 1000;

/** What the stream needs of a WebSocket. */
export interface StreamSocket {
  onopen: (() => void) | null;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onclose: ((event: { readonly code: number }) => void) | null;
  send(text: string): void;
  close(): void;
}

/** What the stream works with and reports to. */
export interface StreamParts {
  readonly openSocket: () => StreamSocket;
  readonly token: () => string;
  /** Where to resume; undefined: with a snapshot. */
  readonly resume: () => StreamHello["resume"];
  /** @returns whether the frame follows the last one */
  readonly take: (frame: StreamFrame) => boolean;
  /** Frames come. */
  readonly onLive: () => void;
  /** Frames came, and have not come for some seconds. */
  readonly onSilent: () => void;
  /** The connection was lost. @param waitMs - until the next try */
  readonly onLost: (waitMs: number) => void;
  /** A try begins. */
  readonly onTry: () => void;
  readonly onRefused: () => void;
  /** 0..1, below 1. */
  readonly random: () => number;
}

/**
 * Keeps the live stream open: it sends the hello, passes the frames on, and connects again after a loss, after a gap in
 * the numbers of frames and after a long silence. Waits double from half a second to fifteen and vary by half, so that
 * the pages of a room do not all come back at once.
 */
export class Stream {
  readonly #parts: StreamParts;
  #socket: StreamSocket | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #looks: ReturnType<typeof setInterval> | undefined;
  /** When a frame came last, or the connection was begun. Of the wall clock, which goes on while the machine sleeps. */
  #heardAtMs = 0;
  #hasFrames = false;
  #waitMs = FIRST_WAIT_MS;
  /** The next hello asks for a snapshot. */
  #isGapped = false;

  constructor(parts: StreamParts) {
    this.#parts = parts;
  }

  /** Connects, or tries again at once. It does nothing while there is a connection. */
  open(): void {
    if (this.#socket !== undefined) return;
    clearTimeout(this.#timer);
    this.#parts.onTry();
    const socket = this.#parts.openSocket();
    this.#socket = socket;
    this.#hasFrames = false;
    this.#heardAtMs = Date.now();
    this.#looks = setInterval(() => this.#look(), LOOK_MS);
    socket.onopen = () => {
      const resume = this.#isGapped ? undefined : this.#parts.resume();
      socket.send(JSON.stringify({ token: this.#parts.token(), ...(resume && { resume }) } satisfies StreamHello));
    };
    socket.onmessage = ({ data }) => this.#receive(socket, data);
    socket.onclose = ({ code }) => this.#closed(socket, code);
  }

  /** Ends the connection; `open` begins again. */
  close(): void {
    clearTimeout(this.#timer);
    this.#drop();
  }

  #receive(socket: StreamSocket, data: unknown): void {
    if (socket !== this.#socket) return;
    const frame = frameIn(data);
    if (frame === undefined || !this.#parts.take(frame)) {
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
