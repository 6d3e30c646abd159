/** How the end of a body is known: by a length in bytes (>= 0), or one of these two. */
export const CHUNKED = -1;
export const UNTIL_CLOSE = -2;

/** The status line and the headers of an answer, as far as they matter to a client. */
export interface Head {
  /** 100..999. */
  readonly status: number;
  /** `Name: value` lines as they came, each header on one, cut at 8 KiB. */
  readonly lines: string;
  /** The body's length in bytes, or `CHUNKED`, or `UNTIL_CLOSE`. */
  readonly framing: number;
  /** Whether the connection can be used again once the body is whole, by what the server says. */
  readonly keepsConnection: boolean;
  /** For how many milliseconds the server promises to keep an idle connection; Infinity where it says nothing. */
  readonly keepAliveMs: number;
  /** The `Content-Encoding`, several of them joined by commas. */
  readonly encoding: string | undefined;
  /** The first `Location`. Its bytes as Latin-1. */
  readonly location: string | undefined;
}

/** What real clients accept; Node's own default is a quarter of it. */
const MAX_HEAD_BYTES = 64 * 1024;
/** How much of an answer's headers is kept. */
const KEPT_BYTES = 8 * 1024;

const statusLine = /^HTTP\/1\.([01]) ([1-9][0-9]{2})(?: .*)?$/;
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Neither in a value nor in a reason phrase; a carriage return in the middle would be another line to others. */
const forbidden = /[^\t\x20-\x7e\x80-\xff]/;

/**
 * Reads the head of an answer, or the trailer of a chunked body, from bytes that come in pieces of any size
 * (RFC 9112, 2 to 6). Lines end in CR LF and nothing else; each is checked as soon as it is there. A header that is
 * folded over several lines is joined by spaces (5.2).
 *
 * Errors: `HPE_INVALID_CONSTANT`, `HPE_INVALID_VERSION`, `HPE_INVALID_STATUS` for a first line that is none,
 * `HPE_CR_EXPECTED`, `HPE_INVALID_HEADER_TOKEN`, `HPE_HEADER_OVERFLOW`, `HPE_INVALID_CONTENT_LENGTH`,
 * `HPE_UNEXPECTED_CONTENT_LENGTH` (a second one, or beside a `Transfer-Encoding`), `HPE_INVALID_TRANSFER_ENCODING`.
 */
export class HeadReader {
  /** Set when the empty line has come. */
  head: Head | undefined;
  isWhole = false;
  error: string | undefined;
  /** Bytes that were read of it. */
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

  /** @param of - a trailer has no status line, and what it says changes nothing */
  constructor(of: "answer" | "trailer") {
    this.#isTrailer = of === "trailer";
  }

  /** Begins a new head. */
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

  /** Reads on from `at`, at most to `end`; returns where it stopped: at `end`, behind the empty line, or at an error. */
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

  /** What speaks another protocol may never end its line. */
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

  /** The code of a first line that does not even begin like one. */
  #statusLineError(line: string): string | undefined {
    if (this.#status !== 0 || this.#isTrailer) return undefined;
    if (!line.startsWith("HTTP/")) return "HPE_INVALID_CONSTANT";
    return /^HTTP\/1\.[01]/.test(line) ? undefined : "HPE_INVALID_VERSION";
  }

  /** Takes note of the header whose last line has come. */
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
    // A server of HTTP/1.0 that sends chunks has its framing wrong (RFC 9112, 6.1); what follows is not to be trusted.
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

  /** RFC 9112, 6.3, in its order; where it lets a client mend or refuse, we refuse: such a receiver is to be noticed. */
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

/** Without the white space that HTTP knows, before and after. */
function trimWhitespace(text: string): string {
  return text.replace(/^[ \t]+|[ \t]+$/g, "");
}

function joinValues(before: string | undefined, value: string): string {
  return before === undefined ? value : `${before}, ${value}`;
}

function includesOption(value: string | undefined, option: string): boolean {
  return value !== undefined && value.split(",").some((item) => trimWhitespace(item).toLowerCase() === option);
}
