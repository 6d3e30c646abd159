import type { DocumentReader } from "../sheet/document-reader.js";
import type { Path } from "../sheet/raw-value.js";

/**
 * Reports a header that cannot be sent. RFC 9110, 5.1 and 5.5: a name is a token, a value has no line breaks.
 *
 * @param path - of the header in its map
 * @param reserved - names that the scenario may not set; absent: none
 */
export function checkHeader(reader: DocumentReader, path: Path, value: string, reserved?: RegExp): void {
  const name = String(path.at(-1));
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) {
    reader.reportProblem(path, {
      code: "bad-value",
      message: "is no name for a header",
      on: "key",
      hint: "letters, digits and hyphens",
    });
  } else if (reserved?.test(name) === true) {
    reader.reportProblem(path, { code: "bad-value", message: "is set by the service itself", on: "key" });
  }
  if (/[^\t\u0020-\u007e\u0080-\u00ff]/.test(value)) {
    reader.reportProblem(path, { code: "bad-value", message: "must be one line of Latin-1 text" });
  }
}
