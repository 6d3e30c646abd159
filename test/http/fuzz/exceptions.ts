import type { Script } from "./answers.js";
import type { Meaning } from "./readings.js";

/** Where our reading differs from Node's on purpose. */
export interface Exception {
  readonly what: string;
  readonly why: string;
  readonly holds: (script: Script, our: Meaning, node: Meaning) => boolean;
}

/** The list is whole: any other difference is a defect of ours, or of the list. */
export const exceptions: readonly Exception[] = [
  {
    what: "looser: a header folded over several lines",
    why: "RFC 9112, 5.2: a client must read a fold as spaces; some old servers still write them",
    holds: ({ text }, _our, node) => /\r\n[ \t]/.test(text) && node.error === "HPE_INVALID_HEADER_TOKEN",
  },
  {
    what: "looser: extensions of chunks",
    why: "RFC 9112, 7.1.1: a client must pass over what it does not know, so their inside is nobody's concern",
    holds: ({ text }, _our, node) => text.includes(";") && (node.error?.startsWith("HPE_") ?? false),
  },
  {
    what: "looser: a Transfer-Encoding without a word",
    why: "RFC 9112, 6.1: the list may be empty, and then says nothing; Node 20 reads it so, 24 (llhttp 9.4) refuses it",
    holds: ({ text }, _our, node) =>
      /^transfer-encoding:[ \t]*\r?$/im.test(text) && node.error === "HPE_INVALID_TRANSFER_ENCODING",
  },
  {
    what: "looser: what follows an interim answer that says the connection will be closed, or is of HTTP/1.0",
    why: "RFC 9112, 9.6: it is closed after the whole exchange, and an interim answer (RFC 9110, 15.2) is not its end",
    holds: ({ text }, our, node) =>
      /^HTTP\/1\.[01] 1\d\d/m.test(text) && our.status !== null && node.error === "HPE_CLOSED_CONNECTION",
  },
  {
    what: "stricter: HTTP/0.9 and HTTP/2.0 in a status line",
    why: "RFC 9112, 2.3: the line is of HTTP/1; 0.9 had none, and 2.0 is never spoken so",
    holds: ({ text }, our) => /HTTP\/(0\.9|2\.0)/.test(text) && our.error === "HPE_INVALID_VERSION",
  },
  {
    what: "stricter: an empty line before the status line",
    why: "RFC 9112, 2.2: it is before a request that one may be passed over",
    holds: ({ text }, our) => /(^|\r\n\r\n)[\r\n]/.test(text) && our.error === "HPE_INVALID_CONSTANT",
  },
  {
    what: "stricter: a status below 100",
    why: "RFC 9110, 15: the first digit is 1 to 5 (and up to 9 is seen in the field)",
    holds: ({ text }, our) => /^HTTP\/1\.[01] 0\d\d/m.test(text) && our.error === "HPE_INVALID_STATUS",
  },
  {
    what: "stricter: a length beyond 2^53",
    why: "RFC 9110, 8.6: numbers must not overflow; Node passes over it where there is no body",
    holds: ({ text }, our) => /length: *\d{16}/i.test(text) && our.error === "HPE_INVALID_CONTENT_LENGTH",
  },
  {
    what: "stricter: chunked twice",
    why: "RFC 9112, 7: chunked must not be applied more than once; whoever says so has its framing wrong",
    holds: ({ text }, our) => /chunked.*chunked/is.test(text) && our.error === "HPE_INVALID_TRANSFER_ENCODING",
  },
  {
    what: "stricter: a control character in a reason phrase",
    why: "RFC 9112, 4: a carriage return there is another line to the next reader",
    holds: (_script, our) => our.error === "HPE_INVALID_STATUS",
  },
];
