/** A request as a command for sh. */
export interface CurlRequest {
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** Headers that curl sets by itself. */
const SET_BY_CURL = new Set(["host", "connection", "content-length"]);

/** Bytes of the longest body that is an argument of curl: Linux refuses arguments from 128 KiB on (`E2BIG`). */
const ARGUMENT_BYTES_MAX = 100 * 1024;

/**
 * A curl command that posts the same bytes. Each argument is in single quotes, so that sh expands nothing in untrusted
 * text. A body that cannot be an argument is in a here-document.
 */
export function curlOf({ url, headers, body }: CurlRequest): string {
  const given = headers
    .filter(([name, value]) => !SET_BY_CURL.has(name) || (name === "host" && value !== hostIn(url)))
    // In curl, `Name:` removes the header and `Name;` sends it empty.
    .map(([name, value]) => `  -H ${quotedForSh(value === "" ? `${name};` : `${name}: ${value}`)}`);
  const curl = [`curl -sS -i --path-as-is -g ${quotedForSh(url)}`, ...given];
  const bytes = Buffer.from(body);
  const isArgument = bytes.length <= ARGUMENT_BYTES_MAX && !body.includes("\0");
  if (isArgument) return [...curl, `  --data-raw ${quotedForSh(body)}`].join(" \\\n");
  return pipedTo([...curl, "  --data-binary @-"].join(" \\\n"), body, bytes);
}

/** Control characters except tabs and line feeds: a terminal or a shell would change them. */
const unsafe = /[^\P{Cc}\t\n]/u;

/**
 * A command whose standard input is a here-document with exactly these bytes: `head` cuts off the line feed at its end.
 * A body with control characters is in base64.
 */
function pipedTo(command: string, body: string, bytes: Buffer): string {
  if (unsafe.test(body)) {
    const lines = bytes.toString("base64").replaceAll(/.{76}/g, "$&\n");
    return `base64 -d <<'END' | ${command}\n${lines}\nEND`;
  }
  let end = "END";
  while (body.includes(end)) end += "_";
  return `head -c ${bytes.length} <<'${end}' | ${command}\n${body}\n${end}`;
}

/** A text as one argument of sh. */
export function quotedForSh(text: string): string {
  return `'${text.replaceAll("\0", "").replaceAll("'", `'\\''`)}'`;
}

function hostIn(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "";
}
