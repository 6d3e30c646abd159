import { printable } from "../../wire/index.js";

/** HTML that is already escaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type MarkupPiece = string | number | Markup | readonly MarkupPiece[] | undefined | false;

/** Template tag for HTML: escapes inserted values except `Markup`; `undefined` and `false` insert nothing. */
export function html(strings: TemplateStringsArray, ...pieces: readonly MarkupPiece[]): Markup {
  let text = strings[0] ?? "";
  pieces.forEach((piece, index) => {
    text += textOf(piece) + (strings[index + 1] ?? "");
  });
  return new Markup(text);
}

function textOf(piece: MarkupPiece): string {
  if (piece === undefined || piece === false) return "";
  if (piece instanceof Markup) return piece.text;
  if (typeof piece === "string" || typeof piece === "number") return escaped(String(piece));
  return piece.map(textOf).join("");
}

const signs: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Escapes a text for HTML or XML; characters that are invalid in either become U+FFFD. */
export function escaped(text: string): string {
  return (
    text
      .toWellFormed()
      // eslint-disable-next-line no-control-regex -- the expression is for control characters
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g, "\ufffd")
      .replace(/[&<>"']/g, (sign) => signs[sign] ?? sign)
  );
}

/** JSON for a `script` element, without `<` and control characters, so it cannot end the element or begin a comment. */
export function json(value: unknown): Markup {
  return new Markup(printable(JSON.stringify(value)).replaceAll("<", "\\u003c"));
}
