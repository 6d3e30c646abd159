/** A request as a command for sh. */
export interface CurlRequest {
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** Headers that curl sets by itself. */
const SET_BY_CURL = new Set(["host", "connection", "content-length"]);

/**
 * A curl command that posts the same bytes. Each argument is in single quotes, so that sh expands nothing in what
 * strangers wrote.
 */
export function curlOf({ url, headers, body }: CurlRequest): string {
  const given = headers
    .filter(([name, value]) => !SET_BY_CURL.has(name) || (name === "host" && value !== hostIn(url)))
    // A colon without a value would take the header out; a semicolon sends it empty.
    .map(([name, value]) => `  -H ${quotedForSh(value === "" ? `${name};` : `${name}: ${value}`)}`);
  return [`curl -sS -i --path-as-is -g ${quotedForSh(url)}`, ...given, `  --data-raw ${quotedForSh(body)}`].join(
    " \\\n",
  );
}

/** A text as one argument of sh. */
export function quotedForSh(text: string): string {
  return `'${text.replaceAll("\0", "").replaceAll("'", `'\\''`)}'`;
}

function hostIn(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "";
}
