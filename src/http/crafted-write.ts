import type { Socket } from "node:net";
import type { CutAt } from "./http-sender.js";

/** Error of an exchange whose connection was closed on purpose (`HttpRequest.cut`). */
export const CUT = "cut";

/** How a request is written on purpose, other than whole and at once. */
export interface Craft {
  readonly cut: CutAt | undefined;
  /** >= 1; undefined: at once. */
  readonly bytesPerS: number | undefined;
}

/** Least time between two pieces of a slow request: wall milliseconds. */
const PIECE_MS = 50;

/** How long a server may take to close its side of a connection that was cut: wall milliseconds. */
const CLOSE_MS = 250;

/** Wall milliseconds that a slow request takes to write. @param bytes - of head and body */
export function writingMs(bytes: number, bytesPerS: number | undefined): number {
  return bytesPerS === undefined ? 0 : Math.ceil((bytes / bytesPerS) * 1000);
}

/** Writes a request slowly, or only up to the place where the connection is cut. */
export class CraftedWrite {
  readonly #socket: Socket;
  readonly #bytes: Buffer;
  readonly #pieceBytes: number;
  readonly #pieceMs: number;
  readonly #onWritten: () => void;
  #position = 0;
  #timer: NodeJS.Timeout | undefined;

  /**
   * Begins to write.
   *
   * @param options - `request`: as `serializeRequest` returns it; `onWritten`: called once with the last byte
   */
  constructor(options: {
    readonly socket: Socket;
    readonly request: string | Uint8Array;
    readonly craft: Craft;
    readonly onWritten: () => void;
  }) {
    const { socket, request, craft } = options;
    const { bytesPerS = Infinity } = craft;
    const whole = typeof request === "string" ? Buffer.from(request, "latin1") : Buffer.from(request);
    this.#socket = socket;
    this.#bytes = whole.subarray(0, writtenBytes(whole, craft.cut));
    this.#pieceMs = Math.max(PIECE_MS, Math.ceil(1000 / bytesPerS));
    this.#pieceBytes = Math.max(1, Math.floor((bytesPerS * this.#pieceMs) / 1000));
    this.#onWritten = options.onWritten;
    this.#writePiece();
  }

  /** Stops writing. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  readonly #writePiece = (): void => {
    const end = Math.min(this.#bytes.length, this.#position + this.#pieceBytes);
    this.#socket.write(this.#bytes.subarray(this.#position, end));
    this.#position = end;
    if (end < this.#bytes.length) this.#timer = setTimeout(this.#writePiece, this.#pieceMs);
    else this.#onWritten();
  };
}

/**
 * Closes the writing side of a cut connection, and waits for the server to close its own, so that it has handled the
 * broken request.
 */
export function closeCut(socket: Socket, onClosed: () => void): void {
  let isClosed = false;
  const end = (): void => {
    if (isClosed) return;
    isClosed = true;
    clearTimeout(timer);
    onClosed();
  };
  const timer = setTimeout(end, CLOSE_MS);
  socket.once("end", end);
  socket.once("close", end);
  socket.end();
}

/** How many bytes of a request are written. */
function writtenBytes(request: Buffer, cut: CutAt | undefined): number {
  if (cut === undefined || cut === "answer") return request.length;
  const headBytes = request.indexOf("\r\n\r\n") + 4;
  const bodyBytes = request.length - headBytes;
  // In the middle of the last header, so that no server takes the head for a whole one.
  return cut === "headers" || bodyBytes === 0 ? headBytes - 8 : headBytes + Math.ceil(bodyBytes / 2);
}
