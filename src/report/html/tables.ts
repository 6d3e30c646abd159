import type { Percentiles } from "../../measure/index.js";
import { splitNotForwarded } from "../not-forwarded.js";
import { type AccountReport, accounts } from "../../ledger/index.js";
import type { Figures, BreakdownRow } from "../figures/index.js";
import { failureMeaning, formatShare } from "../findings/index.js";
import type { RunResult } from "../result.js";
import { formatCount, readableDuration } from "../number-format.js";
import { timeRangeText } from "../findings/index.js";
import { html, type Markup } from "./markup.js";

/** A table cell with a number. */
export function numberCell(text: string): Markup {
  return html`<td class="n">${text}</td>`;
}

/** A duration, or a dash. */
export function durationCell(ms: number | null): string {
  return ms === null ? "–" : readableDuration(ms);
}

/** A table that scrolls horizontally if it is wider than the page. */
export function table(caption: string, heads: readonly (string | Markup)[], rows: readonly Markup[]): Markup {
  return html`${caption === "" ? html`` : html`<p class="about">${caption}</p>`}
    <div class="scroll" tabindex="0" role="region" aria-label="${caption}">
      <table>
        <thead>
          <tr>
            ${heads.map((head) => (typeof head === "string" ? html`<th scope="col">${head}</th>` : head))}
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </div>`;
}

function numberHead(text: string): Markup {
  return html`<th scope="col" class="n">${text}</th>`;
}

/** The expectations with the seen values, broken ones first. */
export function expectationTable({ expectations }: RunResult): Markup | undefined {
  if (expectations.length === 0) return undefined;
  const sorted = expectations.toSorted((a, b) => Number(a.held) - Number(b.held));
  return table(
    "Expectations of the scenario",
    ["", "Expected", "Seen"],
    sorted.map(
      ({ text, held, seen }) =>
        html`<tr>
          <td>
            ${held ? html`<span class="good-word">✔ held</span>` : html`<strong class="bad-word">✘ broken</strong>`}
          </td>
          <th scope="row"><code>${text}</code></th>
          <td>${seen}</td>
        </tr>`,
    ),
  );
}

/** The accounts of the ledger with their causes. */
export function ledgerTable(result: RunResult): Markup {
  const { ledger } = result;
  // Columns with zeros only are left out, so the column Missing fits on a phone's screen.
  const hasCopies = accounts.some((account) => Object.values(ledger[account].copies).some((count) => count > 0));
  const hasKept = accounts.some((account) => splitNotForwarded(ledger[account].lost).notForwarded > 0);
  const heads = [
    "In",
    ...(hasCopies ? ["Copies"] : []),
    "Delivered",
    "Failed",
    "Waiting",
    ...(hasKept ? ["Not forwarded"] : []),
    "Lost",
    "Missing",
  ];
  const terms = ["delivered", "failed", "waiting", ...(hasKept ? ["not forwarded"] : []), "lost", "missing"];
  const book = table(
    `Where everything went: in${hasCopies ? " + copies" : ""} = ${terms.join(" + ")}`,
    ["", ...heads.map(numberHead)],
    accounts.map((account) => ledgerRow(account, ledger[account], { hasCopies, hasKept })),
  );
  return html`${book}${causes(result)}`;
}

function ledgerRow(
  account: string,
  report: AccountReport,
  { hasCopies, hasKept }: { readonly hasCopies: boolean; readonly hasKept: boolean },
): Markup {
  const { gap } = report;
  const { lost, notForwarded } = splitNotForwarded(report.lost);
  return html`<tr>
    <th scope="row">${account}</th>
    ${numberCell(formatCount(report.in))} ${hasCopies && numberCell(formatCount(sumOf(report.copies)))}
    ${numberCell(formatCount(report.delivered))} ${numberCell(formatCount(report.failed))}
    ${numberCell(formatCount(report.queued))} ${hasKept && numberCell(formatCount(notForwarded))}
    ${numberCell(formatCount(sumOf(lost)))}
    <td class="n">${gap === 0 ? "0" : html`<strong class="bad-word">✘ ${formatCount(gap)}</strong>`}</td>
  </tr>`;
}

function sumOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** The causes, below the table to keep its columns narrow. */
function causes({ ledger }: RunResult): Markup {
  const told = accounts.flatMap((account) => [
    ...causesOf(`${account} copied`, ledger[account].copies),
    ...causesOf(`${account} lost`, splitNotForwarded(ledger[account].lost).lost),
  ]);
  return told.length === 0 ? html`` : html`<p class="about">By cause: ${told.join("; ")}.</p>`;
}

function causesOf(name: string, counts: Readonly<Record<string, number>>): string[] {
  const there = Object.entries(counts).filter(([, count]) => count > 0);
  const told = there.map(([cause, count]) => `${cause} ${formatCount(count)}`);
  return told.length === 0 ? [] : [`${name}: ${told.join(", ")}`];
}

/** Attempts by event type or group; undefined: none. */
export function breakdownTable(caption: string, head: string, parts: readonly BreakdownRow[]): Markup | undefined {
  if (parts.length === 0) return undefined;
  return table(
    caption,
    [head, ...["Attempts", "Accepted", "p50", "p95", "p99", "max"].map(numberHead)],
    parts.map(
      ({ name, attempts, accepted, latencyMs }) =>
        html`<tr>
          <th scope="row">${name}</th>
          ${numberCell(formatCount(attempts))}
          ${numberCell(formatShare(accepted / attempts))}${percentileCells(latencyMs)}
        </tr>`,
    ),
  );
}

function percentileCells({ p50, p95, p99, max }: Percentiles): Markup[] {
  return [p50, p95, p99, max].map((ms) => numberCell(durationCell(ms)));
}

/** Delivery time and its components. */
export function latencyTable(figures: Figures, result: RunResult): Markup | undefined {
  if (result.latencyMs.max === null) return undefined;
  const isPaced = figures.speed !== null;
  const rows: [name: string, about: string, spans: Percentiles][] = [
    ["Delivery", isPaced ? "due time to answer" : "request to answer", result.latencyMs],
  ];
  if (result.serviceMs !== undefined) rows.push(["Service time", "request to answer", result.serviceMs]);
  if (result.latenessMs !== undefined)
    rows.push(["Lateness", "due time to attempt, added by the lab", result.latenessMs]);
  const { roundTrips } = figures;
  if (roundTrips.wallMs.max !== null) {
    rows.push(["Round trip", "a text's due time to the receiver's message", roundTrips.wallMs]);
  }
  return table(
    "How long things took",
    ["", "From … to", ...["p50", "p95", "p99", "max"].map(numberHead)],
    rows.map(
      ([name, about, spans]) =>
        html`<tr>
          <th scope="row">${name}</th>
          <td class="soft">${about}</td>
          ${percentileCells(spans)}
        </tr>`,
    ),
  );
}

/** The first texts without effect; undefined: none. */
export function idleTable({ withoutEffect }: Figures, { roundTrips }: RunResult): Markup | undefined {
  if (withoutEffect.length === 0) return undefined;
  const { matched = 0, waiting = withoutEffect.length } = roundTrips ?? {};
  const first = waiting > withoutEffect.length ? `; the first ${withoutEffect.length}` : "";
  return table(
    `${formatCount(waiting)} of ${formatCount(matched + waiting)} texts led to no message by the receiver${first}`,
    [numberHead("Virtual time"), "Handset", "Event", "From", "Text"],
    withoutEffect.map(
      ({ atMs, handset, event, phone, text }) =>
        html`<tr>
          ${numberCell(readableDuration(atMs))}
          <td>${handset}</td>
          <td><code>${event}</code></td>
          <td>${phone}</td>
          <td>${text}</td>
        </tr>`,
    ),
  );
}

/** Attempts that were not accepted, by kind; undefined: none. */
export function failureTable({ failures, attempts }: Figures): Markup | undefined {
  if (failures.length === 0) return undefined;
  return table(
    "Attempts that were not accepted",
    ["Kind", "What it means", numberHead("Attempts"), numberHead("Share"), "When due", "Ends as"],
    failures.map(
      ({ kind, count, firstMs, lastMs, outcome }) =>
        html`<tr>
          <th scope="row"><code>${kind}</code></th>
          <td>${failureMeaning(kind)}</td>
          ${numberCell(formatCount(count))} ${numberCell(formatShare(count / attempts))}
          <td>${timeRangeText(firstMs, lastMs)}</td>
          <td>${outcome}</td>
        </tr>`,
    ),
  );
}

/** Attempts by status; undefined: no attempt was answered. */
export function statusTable({ statuses, attempts }: Figures): Markup | undefined {
  const entries = Object.entries(statuses);
  if (entries.length === 0) return undefined;
  const answered = entries.reduce((sum, [, count]) => sum + count, 0);
  const rows = entries.map(([status, count]): [string, number] => [`status ${status}`, count]);
  if (attempts > answered) rows.push(["no answer", attempts - answered]);
  return table(
    "Attempts by their answer",
    ["Answer", numberHead("Attempts"), numberHead("Share")],
    rows.map(
      ([name, count]) =>
        html`<tr>
          <th scope="row">${name}</th>
          ${numberCell(formatCount(count))} ${numberCell(formatShare(count / attempts))}
        </tr>`,
    ),
  );
}
