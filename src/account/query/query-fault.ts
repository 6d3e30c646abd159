import { cutText } from "../../wire/index.js";

/** A problem in a query, and its place. */
export interface ContactQueryError {
  /** Counts from 1, in UTF-16 units, as editors count. */
  readonly column: number;
  /** Of the offending part; 0 at the end of the text. */
  readonly length: number;
  /** The problem and its correction, in the words of the query. */
  readonly message: string;
  /** Key of the contact field whose absence or type is the problem. */
  readonly field?: string;
}

/** A stretch of a query's text. */
export interface QuerySpan {
  /** Counts from 0. */
  readonly at: number;
  readonly length: number;
}

/** Thrown by the parser; `parseContactQuery` converts it to a {@link ContactQueryError}. */
export class QueryFault extends Error {
  readonly span: QuerySpan;
  /** Key of the contact field whose absence or type is the problem. */
  readonly field: string | undefined;

  constructor(span: QuerySpan, message: string, field?: string) {
    super(message);
    this.span = span;
    this.field = field;
  }
}

/** A word of the query in a message: quoted, on one line, not too long. */
export function quoted(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, " ");
  return `'${line.length > 40 ? `${cutText(line, 39)}…` : line}'`;
}
