/** Framing of a body other than a length in bytes (>= 0): chunked, or until the connection is closed. */
export const CHUNKED = -1;
export const UNTIL_CLOSE = -2;

/** Status line and headers of an answer, as far as the client uses them. */
export interface Head {
  /** 100..999. */
  readonly status: number;
  /** `Name: value` lines in order, each header on one line, cut at 8 KiB. */
  readonly lines: string;
  /** The body's length in bytes, or `CHUNKED`, or `UNTIL_CLOSE`. */
  readonly framing: number;
  /** Whether the server allows another request on the connection. */
  readonly keepsConnection: boolean;
  /** `timeout` of the `Keep-Alive` header; Infinity without one. */
  readonly keepAliveMs: number;
  /** The `Content-Encoding` headers, joined by commas. */
  readonly encoding: string | undefined;
  /** The first `Location`, decoded as Latin-1. */
  readonly location: string | undefined;
}

/** Maximum length of a head, in bytes; four times Node's default. */
const MAX_HEAD_BYTES = 64 * 1024;
/** Maximum length of the kept start of the header lines, in characters. */
const KEPT_BYTES = 8 * 1024;

const statusLine = /^HTTP\/1\.([01]) ([1-9][0-9]{2})(?: .*)?$/;
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Forbidden in values and reason phrases: another parser may read a bare CR as the end of a line. */
const forbidden = /[^\t\x20-\x7e\x80-\xff]/;

/**
 * Parses the head of an answer, or the trailer of a chunked body, from input of any granularity (RFC 9112, 2 to 6).
 * Lines must end in CR LF; each is checked as soon as it is complete. A folded header is joined by spaces (5.2).
 *
 * Errors: `HPE_INVALID_CONSTANT`, `HPE_INVALID_VERSION`, `HPE_INVALID_STATUS` for a bad status line,
 * `HPE_CR_EXPECTED`, `HPE_INVALID_HEADER_TOKEN`, `HPE_HEADER_OVERFLOW`, `HPE_INVALID_CONTENT_LENGTH`,
 * `HPE_UNEXPECTED_CONTENT_LENGTH` (a second one, or together with a `Transfer-Encoding`),
 * `HPE_INVALID_TRANSFER_ENCODING`.
 */
export class HeadReader {
  /** Set after the empty line. */
  head: Head | undefined;
  isWhole = false;
  error: string | undefined;
  /** Bytes read so far. */
  bytes = 0;
  readonly #isTrailer: boolean;
  #partial = "";
  #minorVersion = 0;
  #status = 0;
  #name = "";
  #value = "";
  #lines = "";
  #length: string | undefined;
  #transfer: string | undefined;
  #connection: string | undefined;
  #keepAlive: string | undefined;
  #encoding: string | undefined;
  #location: string | undefined;

  /** @param kind - a trailer has no status line, and its fields are ignored */
  constructor(kind: "answer" | "trailer") {
    this.#isTrailer = kind === "trailer";
  }

  /** Starts a new head. */
  reset(): void {
    this.head = undefined;
    this.isWhole = false;
    this.error = undefined;
    this.bytes = 0;
    this.#partial = "";
    this.#status = 0;
    this.#name = "";
    this.#value = "";
    this.#lines = "";
    this.#length = undefined;
    this.#transfer = undefined;
    this.#connection = undefined;
    this.#keepAlive = undefined;
    this.#encoding = undefined;
    this.#location = undefined;
  }

  /** Continues at `at`, at most to `end`. @returns where it stopped: `end`, after the empty line, or at an error */
  read(buffer: Buffer, at: number, end: number): number {
    const text = buffer.toString("latin1", at, Math.min(end, at + MAX_HEAD_BYTES + 1));
    let from = 0;
    while (this.error === undefined) {
      const lineFeed = text.indexOf("\n", from);
      const until = lineFeed < 0 ? text.length : lineFeed + 1;
      this.bytes += until - from;
      if (this.bytes > MAX_HEAD_BYTES) {
        this.error = "HPE_HEADER_OVERFLOW";
      } else if (lineFeed < 0) {
        this.#partial += text.slice(from);
        if (this.#status === 0 && !this.#isTrailer) this.#checkProtocol(this.#partial);
        return at + until;
      } else {
        const line = this.#partial + text.slice(from, lineFeed);
        this.#partial = "";
        from = until;
        if (!line.endsWith("\r")) this.error = this.#statusLineError(line) ?? "HPE_CR_EXPECTED";
        else if (line.length === 1) {
          this.#finish();
          return at + from;
        } else this.#readLine(line.slice(0, -1));
      }
    }
    return at + from;
  }

  /** Rejects other protocols early: they may never end a line. */
  #checkProtocol(text: string): void {
    if (!"HTTP/".startsWith(text.slice(0, 5))) this.error = "HPE_INVALID_CONSTANT";
  }

  #readLine(line: string): void {
    if (this.#status === 0 && !this.#isTrailer) {
      this.#readStatusLine(line);
    } else if (line.charCodeAt(0) === 0x20 || line.charCodeAt(0) === 0x09) {
      if (this.#name === "" || forbidden.test(line)) this.error = "HPE_INVALID_HEADER_TOKEN";
      else this.#value = `${this.#value} ${trimWhitespace(line)}`;
    } else {
      this.#addHeader();
      const colon = line.indexOf(":");
      this.#name = line.slice(0, colon);
      this.#value = trimWhitespace(line.slice(colon + 1));
      if (colon < 0 || !headerName.test(this.#name) || forbidden.test(this.#value)) {
        this.error = "HPE_INVALID_HEADER_TOKEN";
      }
    }
  }

  #readStatusLine(line: string): void {
    const match = statusLine.exec(line);
    if (match === null || forbidden.test(line)) {
      this.error = this.#statusLineError(line) ?? "HPE_INVALID_STATUS";
      return;
    }
    this.#minorVersion = Number(match[1]);
    this.#status = Number(match[2]);
  }

  /** Error code of a first line that is not HTTP/1.x; undefined otherwise. */
  #statusLineError(line: string): string | undefined {
    if (this.#status !== 0 || this.#isTrailer) return undefined;
    if (!line.startsWith("HTTP/")) return "HPE_INVALID_CONSTANT";
    return /^HTTP\/1\.[01]/.test(line) ? undefined : "HPE_INVALID_VERSION";
  }

  /** Stores the current header, whose last line was read. */
  #addHeader(): void {
    if (this.#name === "" || this.#isTrailer) return;
    const value = trimWhitespace(this.#value);
    if (this.#lines.length < KEPT_BYTES) {
      this.#lines += `${this.#lines === "" ? "" : "\n"}${this.#name}: ${value}`;
    }
    switch (this.#name.toLowerCase()) {
      case "content-length":
        if (this.#length !== undefined) this.error = "HPE_UNEXPECTED_CONTENT_LENGTH";
        else if (!/^[0-9]+$/.test(value) || !Number.isSafeInteger(Number(value)))
          this.error = "HPE_INVALID_CONTENT_LENGTH";
        this.#length = value;
        break;
      case "transfer-encoding":
        this.#transfer = joinValues(this.#transfer, value);
        break;
      case "connection":
        this.#connection = joinValues(this.#connection, value);
        break;
      case "keep-alive":
        this.#keepAlive = value;
        break;
      case "content-encoding":
        this.#encoding = joinValues(this.#encoding, value);
        break;
      case "location":
        this.#location ??= value;
        break;
    }
  }

  #finish(): void {
    if (this.#status === 0 && !this.#isTrailer) {
      this.error = "HPE_INVALID_CONSTANT";
      return;
    }
    this.#addHeader();
    if (this.error !== undefined) return;
    this.isWhole = true;
    if (this.#isTrailer) return;
    const framing = this.#framing();
    if (this.error !== undefined) return;
    // Chunks from an HTTP/1.0 server are faulty framing (RFC 9112, 6.1): the connection is not reused.
    const isOld = this.#minorVersion === 0;
    const keepsByItself = !isOld || (includesOption(this.#connection, "keep-alive") && this.#transfer === undefined);
    const seconds = /(?:^|[\s,;])timeout=([0-9]+)/i.exec(this.#keepAlive ?? "")?.[1];
    this.head = {
      status: this.#status,
      lines: this.#lines.slice(0, KEPT_BYTES),
      framing,
      keepsConnection: keepsByItself && !includesOption(this.#connection, "close") && framing !== UNTIL_CLOSE,
      keepAliveMs: seconds === undefined ? Infinity : Number(seconds) * 1000,
      encoding: this.#encoding,
      location: this.#location,
    };
  }

  /** RFC 9112, 6.3, in its order. Where a client may repair or reject, this one rejects, so that the fault is seen. */
  #framing(): number {
    const codings = this.#transfer?.split(",").map((coding) => trimWhitespace(coding).toLowerCase());
    if (codings !== undefined && this.#length !== undefined) this.error = "HPE_UNEXPECTED_CONTENT_LENGTH";
    const isChunked = codings?.at(-1) === "chunked";
    if (isChunked && codings.indexOf("chunked") < codings.length - 1) this.error = "HPE_INVALID_TRANSFER_ENCODING";
    const hasNoBody = this.#status < 200 || this.#status === 204 || this.#status === 304;
    if (hasNoBody) return 0;
    if (isChunked) return CHUNKED;
    if (codings !== undefined || this.#length === undefined) return UNTIL_CLOSE;
    return Number(this.#length);
  }
}

/** Removes leading and trailing spaces and tabs. */
function trimWhitespace(text: string): string {
  return text.replace(/^[ \t]+|[ \t]+$/g, "");
}

function joinValues(before: string | undefined, value: string): string {
  return before === undefined ? value : `${before}, ${value}`;
}

function includesOption(value: string | undefined, option: string): boolean {
  return value !== undefined && value.split(",").some((item) => trimWhitespace(item).toLowerCase() === option);
}
