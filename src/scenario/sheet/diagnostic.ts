/**
 * Every kind of diagnostic and its meaning. The codes are stable: tests and docs/scenario.md name them. One registry
 * serves all languages.
 */
export const diagnosticCodes = {
  "yaml-syntax": "the file is not well-formed YAML",
  "duplicate-key": "a key is written twice in one place",
  "bad-alias": "a YAML alias without its anchor, around itself, or too many of them",
  "unknown-key": "a key that does not exist there",
  "missing-key": "a key that must be there",
  "wrong-type": "a map, a list or a plain value where another of them belongs",
  "bad-value": "a value that is not spelled as its kind demands",
  "wrong-unit": "a number without its unit, or with one that is not known",
  "out-of-range": "a value below or above its bounds",
  "bad-date": "a timestamp that is none, or a day that does not exist",
  "bad-url": "an address that is no http or https URL",
  "bad-phone": "a phone number that is not E.164, or a counter that is misspelled",
  "bad-name": "a name of a group, carrier or entry of traffic that could not be used where it is named",
  "bad-pattern": "a regular expression that does not compile, or has what RE2 does not have",
  "bad-selector": "a selection that is not spelled as a selector",
  "bad-expectation": "a line of expect that is not 'metric op value'",
  "bad-file": "a file that the scenario names cannot be used",
  "bad-query": "the query of a smart group that cannot be read",
  "bad-definition": "a flow, or a part of an export, that cannot be loaded",
  "bad-set": "a --set that is not PATH=VALUE, or whose path leads nowhere",
  "unknown-reference": "a part of an account names another one that does not exist",
  "unknown-group": "a selector names a group that does not exist, or one of the wrong kind",
  "unknown-traffic": "no entry of traffic has this name or number",
  "unknown-carrier": "a handset's carrier is not among the carriers",
  "unknown-profile": "no phone profile has this name",
  "unknown-preset": "no service preset has this name",
  "unknown-fault": "no fault has this name",
  "unknown-fake": "faker has no such locale or method, or the method does not give a text by itself",
  "unknown-metric": "no metric has this name",
  "unknown-event": "an event type or field that is not known (a warning where other types are allowed)",
  "old-name": "a former name that says something else than it seems (warning)",
  "never-holds": "a filter or a bound that no value can meet (a warning where somebody acts by hand)",
  "not-forwarded": "an expectation counts attempts of events that no handset group forwards (warning)",
  "unknown-verb": "a step of the story uses a word that is no verb",
  "no-verb": "a step of the story says when but not what",
  "two-verbs": "a step of the story says two things",
  "not-together": "keys that exclude one another",
  "beyond-group": "a selector goes beyond the members of its group",
  "counter-too-small": "a phone pattern cannot count all members",
  "duplicate-name":
    "a group of handsets and a group of people, two entries of traffic, or two beats, have the same name",
  "duplicate-phone": "two members have the same phone number or sender",
  "duplicate-entry": "two parts of an account have the same name, key, UUID or address",
  "after-end": "something would happen after the scenario has ended",
  "past-end": "something is cut short by the end of the scenario (warning)",
  "wait-below-lookahead": "a retry wait is shorter than the lookahead",
  "too-large": "a file, or what it describes, is larger than its bound",
  "too-many": "more problems than are listed; the message says how many",
} as const;

/** The stable name of one kind of diagnostic. */
export type DiagnosticCode = keyof typeof diagnosticCodes;

/** One problem with the input, with its position. */
export interface Diagnostic {
  readonly severity: "error" | "warning";
  /** Stable; the wording of the message may improve. */
  readonly code: DiagnosticCode;
  /** The scenario's file, a file that it names, or `--set`. */
  readonly file: string;
  /** Counted from 1; for `--set` the number of the argument. */
  readonly line: number;
  /** Counted from 1, in UTF-16 code units, as editors count. */
  readonly column: number;
  /** Of the underlined span, in UTF-16 code units; at least 1. */
  readonly length: number;
  /** The fault, in the words of the file. */
  readonly message: string;
  /** The correction. */
  readonly hint?: string;
  /** The line itself, for a file that the scenario names. */
  readonly text?: string;
  /** With the code `too-many`: the number of unlisted problems. */
  readonly more?: number;
}

/** Limit of listed problems; further ones are counted. */
export const mostListed = 200;

/** The file name in diagnostics about `--set` arguments: one argument a line. */
export const setFile = "--set";

/** A text without the byte order mark that some editors write. */
export function withoutMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}
