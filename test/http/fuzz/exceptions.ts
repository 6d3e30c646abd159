import type { Script } from "./answers.js";
import type { Meaning } from "./readings.js";

/** An intended difference between our reading and Node's. */
export interface Exception {
  readonly what: string;
  readonly why: string;
  readonly holds: (script: Script, our: Meaning, node: Meaning) => boolean;
}

/** The complete list: any other difference is a defect of our reader or of this list. */
export const exceptions: readonly Exception[] = [
  {
    what: "looser: a header folded over several lines",
    why: "RFC 9112, 5.2: a client must read a fold as spaces; some old servers still write them",
    holds: ({ text }, _our, node) => /\r\n[ \t]/.test(text) && node.error === "HPE_INVALID_HEADER_TOKEN",
  },
  {
    what: "looser: extensions of chunks",
    why: "RFC 9112, 7.1.1: a client must ignore unknown extensions, so their content is not checked",
    holds: ({ text }, _our, node) => text.includes(";") && (node.error?.startsWith("HPE_") ?? false),
  },
  {
    what: "looser: an empty Transfer-Encoding",
    why: "RFC 9112, 6.1: the list may be empty, and has no effect then; Node 20 accepts it, Node 24 (llhttp 9.4) refuses it",
    holds: ({ text }, _our, node) =>
      /^transfer-encoding:[ \t]*\r?$/im.test(text) && node.error === "HPE_INVALID_TRANSFER_ENCODING",
  },
  {
    what: "looser: an answer after an interim answer with `Connection: close` or of HTTP/1.0",
    why: "RFC 9112, 9.6: the connection closes after the final answer, and an interim one (RFC 9110, 15.2) is not final",
    holds: ({ text }, our, node) =>
      /^HTTP\/1\.[01] 1\d\d/m.test(text) && our.status !== null && node.error === "HPE_CLOSED_CONNECTION",
  },
  {
    what: "stricter: HTTP/0.9 and HTTP/2.0 in a status line",
    why: "RFC 9112, 2.3: a status line belongs to HTTP/1.x; HTTP/0.9 and HTTP/2 have none",
    holds: ({ text }, our) => /HTTP\/(0\.9|2\.0)/.test(text) && our.error === "HPE_INVALID_VERSION",
  },
  {
    what: "stricter: an empty line before the status line",
    why: "RFC 9112, 2.2: an empty line may be ignored before a request, not before an answer",
    holds: ({ text }, our) => /(^|\r\n\r\n)[\r\n]/.test(text) && our.error === "HPE_INVALID_CONSTANT",
  },
  {
    what: "stricter: a status below 100",
    why: "RFC 9110, 15: the first digit is 1 to 5 (real servers use up to 9)",
    holds: ({ text }, our) => /^HTTP\/1\.[01] 0\d\d/m.test(text) && our.error === "HPE_INVALID_STATUS",
  },
  {
    what: "stricter: a length beyond 2^53",
    why: "RFC 9110, 8.6: numbers must not overflow; Node ignores the length of an answer without a body",
    holds: ({ text }, our) => /length: *\d{16}/i.test(text) && our.error === "HPE_INVALID_CONTENT_LENGTH",
  },
  {
    what: "stricter: chunked twice",
    why: "RFC 9112, 7: chunked must not be applied more than once",
    holds: ({ text }, our) => /chunked.*chunked/is.test(text) && our.error === "HPE_INVALID_TRANSFER_ENCODING",
  },
  {
    what: "stricter: a control character in a reason phrase",
    why: "RFC 9112, 4: another parser may read a carriage return there as the end of the line",
    holds: (_script, our) => our.error === "HPE_INVALID_STATUS",
  },
];
