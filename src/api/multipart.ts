/**
 * Reads the fields of a `multipart/form-data` body, in order, as bytes; files are skipped (RFC 7578).
 *
 * @param type - the Content-Type header, with the boundary
 * @returns undefined when the body is not well-formed
 */
export function readMultipart(body: Buffer, type: string): [name: Buffer, value: Buffer][] | undefined {
  const boundary = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;,"]{1,70}))/i.exec(type);
  const mark = boundary?.[1] ?? boundary?.[2];
  if (mark === undefined) return undefined;
  // The line break before a boundary belongs to the boundary; the first one may have none.
  const [before, ...parts] = `\r\n${body.toString("latin1")}`.split(`\r\n--${mark}`);
  const last = parts.pop();
  if (before === undefined || last?.startsWith("--") !== true) return undefined;
  const fields: [Buffer, Buffer][] = [];
  for (const part of parts) {
    const [head, value] = splitPart(part);
    if (value === undefined || !/^[ \t]*\r\n/.test(head)) return undefined;
    const disposition = /\r\ncontent-disposition:[ \t]*form-data\b([^\r\n]*)/i.exec(head)?.[1];
    const name = disposition === undefined ? undefined : headerParameter(disposition, "name");
    if (disposition === undefined || name === undefined) return undefined;
    if (headerParameter(disposition, "filename") === undefined) {
      fields.push([Buffer.from(name, "latin1"), Buffer.from(value, "latin1")]);
    }
  }
  return fields;
}

/** Splits a part at its empty line. */
function splitPart(part: string): [head: string, value: string | undefined] {
  const cut = part.indexOf("\r\n\r\n");
  return cut === -1 ? [part, undefined] : [part.slice(0, cut), part.slice(cut + 4)];
}

/** A parameter of a header; browsers escape quotes as %22, other clients with a backslash. */
function headerParameter(header: string, name: string): string | undefined {
  const found = new RegExp(`;\\s*${name}\\*?=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;"]*))`, "i").exec(header);
  return found?.[1]?.replace(/\\(.)/g, "$1").replaceAll("%22", '"') ?? found?.[2];
}
