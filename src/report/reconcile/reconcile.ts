import type { OnProgress } from "../../base/index.js";
import { eventKey, type EventName } from "../../measure/index.js";
import type { RecordingReader } from "../../store/index.js";
import { commonTraits } from "../common/index.js";
import { InstantReader } from "../../wire/index.js";
import type { ColumnsByRole, GivenColumns } from "./columns/column-roles.js";
import { comparedTypes } from "./compared-types.js";
import { type MatchBasis, comparisonOf, requireColumns } from "./comparison.js";
import { changed, deduplicated, type Described, doubled, isChanged, missing, uncertain, unknown } from "./describe.js";
import { type Discrepancy, type DiscrepancyKind, DiscrepancyList } from "./discrepancies.js";
import { LogSample } from "./columns/log-sample.js";
import { matchRows } from "./match/match-rows.js";
import { Matches } from "./match/matches.js";
import { ReceivedRows } from "./log/received-rows.js";
import type { ReceivedTable } from "./log/received-table.js";
import { recogniseColumns } from "./columns/recognise-columns.js";
import { RecordedPhones } from "./events/recorded-phones.js";
import { type SentEvent, SentEvents } from "./events/sent-events.js";

/** The result of comparing a receiver's log with what was delivered to it. */
export interface Reconciliation extends MatchBasis {
  /** The columns of the log that have a role. */
  readonly columns: ColumnsByRole;
  /** Suspected errors in the log or in how it was read, one sentence each. */
  readonly warnings: readonly string[];
  /** The compared event types. */
  readonly types: readonly string[];
  readonly windowMs: number;
  /** Rows of the compared types. */
  readonly rows: number;
  /** Rows of other types, which `--type` leaves out. */
  readonly rowsOfOtherTypes: number;
  /** Events that the receiver accepted. */
  readonly accepted: number;
  /** Number of events whose row equals the event as sent. */
  readonly found: number;
  readonly counts: Readonly<Record<DiscrepancyKind, number>>;
  /** The first thousand of each kind. */
  readonly listed: Readonly<Record<DiscrepancyKind, readonly Discrepancy[]>>;
  /** What the events of a kind have in common and the others lack, a sentence each. Absent kinds: nothing significant. */
  readonly common: Readonly<Partial<Record<"missing" | "doubled" | "changed", readonly string[]>>>;
}

/** How a log is read, and which rows match an event. */
export interface ReconcileRules {
  /** Path of the log, for errors. */
  readonly log: string;
  readonly given: GivenColumns;
  /** Event types to compare; default: those in the rows, or mo_sms if the rows have no type. */
  readonly types: readonly string[] | undefined;
  /** Zone of times without one. */
  readonly timezone: string;
  /** Largest distance between the times of a row and its event. */
  readonly windowMs: number;
  /** Time zone of the hours that affected events have in common; default UTC. */
  readonly zone?: string;
  readonly onProgress: OnProgress | undefined;
}

/** Kinds whose events are compared with the others: what do they have in common? */
const comparedKinds = ["missing", "doubled", "changed"] as const;

/**
 * Compares a receiver's log with the events of a recording. Both are held in memory.
 *
 * @param table - its columns without a role are freed
 * @throws LabError `bad-options` if the log lacks columns, or has an invalid time
 */
export function reconcile(recording: RecordingReader, table: ReceivedTable, rules: ReconcileRules): Reconciliation {
  const events = SentEvents.read(recording, rules.onProgress);
  const { result, findings, list } = compare(events, table, rules);
  return { ...result, common: commonIn(recording, findings, { events, list, zone: rules.zone ?? "UTC" }) };
}

/**
 * Compares a receiver's log with events that were sent without a recording.
 *
 * @throws LabError `bad-options`, as `reconcile`
 */
export function reconcileSent(
  sent: readonly SentEvent[],
  table: ReceivedTable,
  rules: ReconcileRules,
): Omit<Reconciliation, "common"> {
  return compare(SentEvents.of(sent), table, rules).result;
}

function compare(
  events: SentEvents,
  table: ReceivedTable,
  rules: ReconcileRules,
): {
  readonly result: Omit<Reconciliation, "common">;
  readonly findings: DiscrepancyList;
  /** The events of the compared types. */
  readonly list: readonly number[];
} {
  const { log, windowMs, onProgress } = rules;
  const { types, typeColumn, rows } = comparedTypes(table, events, rules);
  const list = events.ofTypes(types);
  const phones = new RecordedPhones(events.phones);
  const instants = new InstantReader(rules.timezone);
  const given = typeColumn === undefined ? rules.given : { ...rules.given, type: typeColumn };
  const recognition = recogniseColumns(new LogSample(table, rows), { events, list, phones, instants, windowMs }, given);
  const { columns } = recognition;
  if (rows.length > 0) requireColumns(recognition, { log, names: table.names });
  table.keepOnly(new Set(Object.values(columns)));
  const received = new ReceivedRows(table, { columns, phones, instants, log });
  const findings = new DiscrepancyList();
  const matches = new Matches(events);
  const onDouble = (event: number, row: number): void =>
    findings.add("doubled", () => doubled(event, row, events), events.nameKey(event));
  const left = matchRows(rows, { matches, received, list, types, windowMs, onDouble, onProgress });
  for (const { row, why } of left.unknown) findings.add("unknown", () => unknown(row, received, why?.()));
  const comparison = comparisonOf(recognition, { events, list });
  const isAssumed = rules.types === undefined && typeColumn === undefined;
  // When only phone and time are compared, a row of another type looks like a second row of a text.
  const mayBeOfOtherTypes =
    findings.counts.unknown > 0 || (findings.counts.doubled > 0 && comparison.matchedBy === "phone and time");
  let found = 0;
  for (const event of list) if (noteEvent(event, matches, { events, received, findings })) found++;
  const result = {
    ...comparison,
    columns,
    warnings: [
      ...recognition.warnings,
      ...left.warnings,
      ...(isAssumed && mayBeOfOtherTypes ? otherTypesText(types, events.types) : []),
    ],
    types: [...types].sort(),
    windowMs,
    rows: rows.length,
    rowsOfOtherTypes: table.rowCount - rows.length,
    accepted: list.reduce((count, event) => count + (events.isAccepted(event) ? 1 : 0), 0),
    found,
    counts: findings.counts,
    listed: findings.listed,
  };
  return { result, findings, list };
}

/** What the events of each kind have in common, compared with the other accepted events of the compared types. */
function commonIn(
  recording: RecordingReader,
  { events: affected }: DiscrepancyList,
  { events, list, zone }: { readonly events: SentEvents; readonly list: readonly number[]; readonly zone: string },
): Reconciliation["common"] {
  const kinds = comparedKinds.filter((kind) => affected[kind].size > 0);
  if (kinds.length === 0) return {};
  const accepted = new Set(list.filter((event) => events.isAccepted(event)).map((event) => events.nameKey(event)));
  const isCompared = (event: EventName): boolean => accepted.has(eventKey(event));
  return Object.fromEntries(
    kinds
      .map(
        (kind) =>
          [
            kind,
            commonTraits(recording, affected[kind], { noun: `${kind} events`, timezone: zone, isCompared }),
          ] as const,
      )
      .filter(([, sentences]) => sentences.length > 0),
  );
}

function otherTypesText(types: ReadonlySet<string>, recorded: readonly string[]): string[] {
  const others = recorded.filter((type) => !types.has(type)).sort();
  if (others.length === 0) return [];
  return [
    `rows have no type and are compared with ${[...types].join()}; the recording also has ${others.join(", ")} ` +
      `(--type ${[...types, ...others].join()} compares all)`,
  ];
}

/** @returns whether a row contains the event as it was sent */
function noteEvent(
  event: number,
  matches: Matches,
  { findings, ...described }: Described & { readonly findings: DiscrepancyList },
): boolean {
  const { events } = described;
  const name = events.nameKey(event);
  const row = matches.row(event);
  if (row !== -1) {
    const isSame = !isChanged(event, row, described);
    if (!isSame) findings.add("changed", () => changed(event, row, described), name);
    return isSame;
  }
  if (!events.isSent(event)) return false;
  if (!events.isAccepted(event)) {
    // A log of requests has the accepted try of a text that was refused at first as an event of its own.
    if (!matches.isPresent(event)) findings.add("uncertain", () => uncertain(event, events), name);
  } else if (matches.isPresent(event)) findings.add("deduplicated", () => deduplicated(event, events), name);
  else findings.add("missing", () => missing(event, events), name);
  return false;
}
