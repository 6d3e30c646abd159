import type { Request } from "./request.js";

/** The shell command that sends a request again, byte for byte. */
export function curlCommand(baseUrl: string, { method, target, headers, body }: Request): string {
  const parts = ["curl", "-sS", "-i", "--path-as-is", "-g"];
  if (method === "HEAD") parts.push("-I");
  else if (method !== "GET" || body !== undefined) parts.push("-X", method);
  for (const name of ["accept", "content-type"]) {
    // Curl adds default headers unless they are removed.
    if (headers[name] === undefined) parts.push("-H", quoted(`${name}:`));
  }
  for (const [name, value] of Object.entries(headers))
    parts.push("-H", quoted(value === "" ? `${name};` : `${name}: ${value}`));
  const source = body === undefined ? "" : bodySource(body);
  if (source !== "") parts.push("--data-binary", "@-");
  parts.push(quoted(baseUrl + target));
  return source === "" ? parts.join(" ") : `${source} | ${parts.join(" ")}`;
}

/** A command that prints the body. */
function bodySource(body: Buffer): string {
  const text = body.toString("latin1");
  const long = /^([\s\S]{0,40}?)([\s\S])\2{5000,}([\s\S]{0,40})$/.exec(text);
  if (long !== null) {
    const [, head = "", letter = "", tail = ""] = long;
    const octal = `\\${letter.charCodeAt(0).toString(8).padStart(3, "0")}`;
    const count = text.length - head.length - tail.length;
    return `(printf %s ${quoted(head)}; head -c ${count} /dev/zero | tr '\\0' '${octal}'; printf %s ${quoted(tail)})`;
  }
  if (/^[\x20-\x7e]*$/.test(text)) return `printf %s ${quoted(text)}`;
  return `printf %s ${body.toString("base64")} | base64 -d`;
}

/** Text (characters are bytes) as one word of the shell. */
function quoted(text: string): string {
  if (/^[\w./:@%+=,-]+$/.test(text)) return text;
  if (/^[\x20-\x7e]*$/.test(text)) return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const escaped = text.replace(/[^\x20-\x7e]|['\\]/g, (character) =>
    /['\\]/.test(character) ? `\\${character}` : `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
  return `$'${escaped}'`;
}
