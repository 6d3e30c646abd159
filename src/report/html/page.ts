import { createHash } from "node:crypto";
import type { RunMeta } from "../../store/index.js";
import { type Figures, gatherFigures } from "../figures/index.js";
import { formatShare } from "../findings/index.js";
import type { RecordingReader } from "../../store/index.js";
import { redactedUrl } from "../../wire/index.js";
import type { RunResult } from "../result.js";
import { digestNote } from "../digest-note.js";
import { resultOf } from "../result-of-recording.js";
import { endText, type ReceiverOutput, receiverOutputOf } from "../receiver-output.js";
import { verdictOf, verdictSigns } from "../verdict.js";
import { formatCount, readableDuration, countOf } from "../number-format.js";
import { attemptDetails, failedSection } from "./attempt-markup.js";
import { blockedText } from "../blocked-phones.js";
import { groupNamer } from "../group-names.js";
import { axisName, chartsOf, heatData, pageData } from "./charts.js";
import { chartFigure, heatFigure } from "./chart-markup.js";
import { livesSection } from "./lives.js";
import { html, json, Markup } from "./markup.js";
import { pageScript, uPlotFiles } from "./script.js";
import { style } from "./style.js";
import {
  expectationTable,
  failureTable,
  idleTable,
  latencyTable,
  ledgerTable,
  breakdownTable,
  durationCell,
  statusTable,
} from "./tables.js";

/**
 * The report of a recording as one HTML file without external resources. Its content security policy allows scripts by
 * their digests only, so nothing in a receiver's answer can run.
 *
 * @throws StoreError when the recording cannot be read
 */
export function renderHtml(recording: RecordingReader): string {
  const result = resultOf(recording);
  const figures = withGroupNames(gatherFigures(recording), groupNamer(recording));
  const charts = chartsOf(figures);
  const meta = recording.meta();
  const heat = heatData(figures);
  const lives = livesSection(recording, figures, result.outages);
  const output = result.receiver ?? receiverOutputOf(recording);
  const there = { hasLives: lives !== undefined, hasOutput: output !== undefined };
  const body = html`
    ${header(recording, result, figures, there)} ${verdictBox(result)} ${keyNumbers(result, figures)}
    ${findings(result, figures)} ${receiverOutput(output, result)}
    ${section("asked", "Expectations", expectationTable(result))}
    ${section("ledger", "The ledger", ledgerTable(result))}
    <h2 id="charts">Over ${axisName(figures.axis)}</h2>
    ${axisNote(figures)}
    <div class="charts">
      ${charts.slice(0, 2).map(chartFigure)} ${heat === undefined ? html`` : heatFigure(figures, heat)}
      ${charts.slice(2).map(chartFigure)}
    </div>
    ${storyList(figures)} ${section("latency", "Delivery time", latencyTable(figures, result))}
    ${section("answers", "Answers", statusTable(figures), failureTable(figures))}
    ${section(
      "parts",
      "By type and by group",
      breakdownTable("Attempts by type of event", "Type", figures.byType),
      breakdownTable("Attempts by group of handsets", "Group", figures.byGroup),
    )}
    ${section("idle", "Texts without effect", idleTable(figures, result))}
    ${figures.failed.length === 0 ? html`` : section("failed", "Failed attempts", failedSection(figures.failed))}
    ${
      figures.slowest.length === 0
        ? html``
        : section("slowest", "Slowest attempts", html`${figures.slowest.map(attemptDetails)}`)
    }
    ${lives === undefined ? html`` : section("events", "Events, each with its life", lives)} ${footer(result, meta)}
  `;
  return documentOf(result.name, body, json(pageData(figures, charts)));
}

/** The figures with the display names of groups. */
function withGroupNames(figures: Figures, nameOf: (group: string) => string): Figures {
  const { byGroup, fleet } = figures;
  return {
    ...figures,
    byGroup: byGroup.map((row) => ({ ...row, name: nameOf(row.name) })),
    fleet: { ...fleet, groups: fleet.groups.map((group) => ({ ...group, name: nameOf(group.name) })) },
  };
}

/** A complete page around a body. @param data - input of the page's script; absent: the page has no charts */
export function documentOf(title: string, body: Markup, data?: Markup): string {
  const uPlot = data === undefined ? undefined : uPlotFiles();
  const scripts = uPlot === undefined ? [] : [uPlot.script, pageScript()];
  const styles = [...(uPlot === undefined ? [] : [uPlot.style]), style];
  const policy = [
    "default-src 'none'",
    `script-src ${scripts.length === 0 ? "'none'" : scripts.map(cspSource).join(" ")}`,
    `style-src ${styles.map(cspSource).join(" ")}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        ${new Markup(GENERATOR_TAG)}
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} – Handset Lab</title>
        ${styles.map((text) => new Markup(`<style>${text}</style>`))}
      </head>
      <body>
        ${body}
        ${
          data === undefined
            ? html``
            : html`<script type="application/json" id="charts-data">
                ${data}
              </script>`
        }
        ${scripts.map((text) => new Markup(`<script>${text}</script>`))}
      </body>
    </html> `;
  return page.text;
}

/** Identifies a file as a report that may be overwritten. Outside the template, whose layout prettier may change. */
export const GENERATOR_TAG = `<meta name="generator" content="handset-lab report">`;

/** The digest of a script or style as a source of the content security policy. */
function cspSource(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

function section(id: string, title: string, ...parts: readonly (Markup | undefined)[]): Markup {
  const there = parts.filter((part) => part !== undefined);
  if (there.length === 0) return html``;
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${there}
  </section>`;
}

function header(
  recording: RecordingReader,
  result: RunResult,
  figures: Figures,
  { hasLives, hasOutput }: { readonly hasLives: boolean; readonly hasOutput: boolean },
): Markup {
  const meta = recording.meta();
  const { cast, virtualMs, wallMs, seed } = result;
  const { pace = "" } = meta.options;
  const facts = [
    receiverWords(recording),
    paceWords(pace, figures),
    ...(cast === undefined ? [] : [`${formatCount(cast.handsets)} handsets, ${formatCount(cast.people)} people`]),
    `${readableDuration(virtualMs)} of virtual time${wallMs > 0 ? ` in ${readableDuration(wallMs)}` : ""}`,
    `seed ${seed}`,
    `begun ${new Date(meta.startedWallMs).toISOString().slice(0, 16).replace("T", " ")} UTC`,
  ];
  const links: [string, string][] = [
    ["output", "The receiver's output"],
    ["asked", "Expectations"],
    ["ledger", "Ledger"],
    ["charts", "Charts"],
    ["latency", "Delivery time"],
    ["answers", "Answers"],
    ["parts", "By type and group"],
    ["idle", "Without effect"],
    ["failed", "Failed"],
    ["slowest", "Slowest"],
    ["events", "Events"],
  ];
  const there = links.filter(
    ([id]) =>
      (id !== "asked" || result.expectations.length > 0) &&
      (id !== "output" || hasOutput) &&
      (id !== "idle" || figures.withoutEffect.length > 0) &&
      (id !== "events" || hasLives) &&
      (id !== "failed" || figures.failed.length > 0) &&
      (!["slowest", "latency", "answers", "parts"].includes(id) || figures.attempts > 0),
  );
  return html`<header>
    <h1>${result.name === "" ? "(a run without a name)" : result.name}</h1>
    <p class="facts">${facts.filter((fact) => fact !== "").join(" · ")}</p>
    <nav aria-label="On this page">${there.map(([id, name]) => html`<a href="#${id}">${name}</a>`)}</nav>
  </header>`;
}

/** The receivers; groups may have different ones. */
function receiverWords(recording: RecordingReader): string {
  const handsets = new Map<string, number>();
  for (const { url } of recording.channels()) {
    const name = url === null ? "none" : redactedUrl(url);
    handsets.set(name, (handsets.get(name) ?? 0) + 1);
  }
  const [[only] = ["none"], ...others] = handsets;
  if (others.length === 0) return `Receiver ${only === "none" ? "none: events were recorded and sent nowhere" : only}`;
  const named = [...handsets].toSorted(([, a], [, b]) => b - a).slice(0, RECEIVERS_MAX);
  const more = handsets.size - named.length;
  const told = named.map(([name, count]) => `${name} (${countOf(count, "handset")})`);
  return `Receivers ${[...told, ...(more > 0 ? [`${more} more`] : [])].join(", ")}`;
}

/** Limit of receivers in the page's header. */
const RECEIVERS_MAX = 4;

function paceWords(pace: string, { speed }: Figures): string {
  if (speed !== null) return `paced at ${speed}x (open model: sent when due)`;
  if (pace === "max") return "as fast as the receiver answers (closed model)";
  return pace === "lockstep" ? "lockstep" : "";
}

function verdictBox(result: RunResult): Markup {
  const { state, headline, lines } = verdictOf(result);
  const tone = { held: "good", "held with warnings": "warn", "not judged": "warn", failed: "bad" }[state];
  return html`<section class="verdict ${tone}" aria-label="Verdict">
    <h2>${verdictSigns[state]} ${headline}</h2>
    ${
      lines.length === 0
        ? html``
        : html`<ul>
            ${lines.map(({ weight, text }) => signedItem(weight, text))}
          </ul>`
    }
  </section>`;
}

function signedItem(weight: "bad" | "warn" | "note", text: string, where?: string): Markup {
  const [sign, tone] = { bad: ["✘", "bad-word"], warn: ["!", "warn-word"], note: ["›", "soft"] }[weight] as [
    string,
    string,
  ];
  return html`<li>
    <span class="sign ${tone}" aria-hidden="true">${sign}</span
    >${text}${where === undefined ? html`` : html` <span class="soft">→ ${where}</span>`}
  </li>`;
}

function keyNumbers(result: RunResult, figures: Figures): Markup {
  const { attempts: outcomes, latencyMs, wallMs, queued, lost } = result;
  const attempts = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
  const events = Object.values(result.events).reduce((sum, count) => sum + count, 0);
  const { axis, perBucket, roundTrips } = figures;
  const numbers: [name: string, value: string, about: string][] = [
    [
      "Events",
      formatCount(events),
      Object.keys(result.events).length === 1
        ? (Object.keys(result.events)[0] ?? "")
        : `${Object.keys(result.events).length} types`,
    ],
  ];
  if (attempts > 0) {
    numbers.push(["Accepted", formatShare(outcomes.accepted / attempts), `of ${formatCount(attempts)} attempts`]);
    if (axis.kind === "wall") {
      const perSecond = (count: number): string => formatCount(Math.round((count * 1000) / axis.widthMs));
      const mean = formatCount(Math.round((outcomes.accepted * 1000) / Math.max(1, wallMs)));
      numbers.push(["Accepted a second", mean, `peak ${perSecond(Math.max(...perBucket.accepted))}`]);
    }
    numbers.push(["Delivery, median", durationCell(latencyMs.p50), `95th percentile ${durationCell(latencyMs.p95)}`]);
    numbers.push(["Delivery, p99", durationCell(latencyMs.p99), `at most ${durationCell(latencyMs.max)}`]);
    if (result.latenessMs !== undefined) {
      numbers.push(["Lateness, p99", durationCell(result.latenessMs.p99), "added by the lab"]);
    }
  }
  if (roundTrips.wallMs.p50 !== null) {
    numbers.push([
      "Round trip, median",
      durationCell(roundTrips.wallMs.p50),
      `p99 ${durationCell(roundTrips.wallMs.p99)}`,
    ]);
  }
  const { matched = 0, waiting = 0 } = result.roundTrips ?? {};
  if (matched > 0) numbers.push(["Texts without effect", formatCount(waiting), `${formatCount(matched)} had one`]);
  numbers.push(["Vanished without a cause", formatCount(lost), "the ledger's gap: not 0 is a defect of the lab"]);
  numbers.push(["Still waiting", formatCount(queued), blockedText(result.blocked) ?? "over all accounts"]);
  return html`<dl class="numbers">
    ${numbers.map(
      ([name, value, about]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}<small>${about}</small></dd>
        </div>`,
    )}
  </dl>`;
}

function findings({ findings: found = [], recording }: RunResult, { axis }: Figures): Markup {
  if (found.length === 0) return html``;
  return section(
    "findings",
    "Findings",
    html`<p class="about">Times count from the run's start, in ${axisName(axis)}.</p>`,
    html`<ul class="findings">
      ${found.map(({ weight, text, where }) =>
        signedItem(weight, text, where.replace("RECORDING", recording ?? "RECORDING")),
      )}
    </ul>`,
  );
}

/** What the receiver's command wrote: open if the command ended by itself. */
function receiverOutput(output: ReceiverOutput | undefined, { receiver }: RunResult): Markup {
  if (output === undefined) return html``;
  const end = receiver === undefined ? "" : ` ended by itself: ${endText(receiver)}.`;
  const stream = (name: "stderr" | "stdout"): Markup => {
    if (output[name].trim() === "") return html`<p class="about">It wrote nothing to ${name}.</p>`;
    const isOpen = receiver !== undefined && name === "stderr";
    return html`<details class="story" ${isOpen ? html` open` : html``}>
      <summary>The last it wrote to ${name}</summary>
      <pre>${output[name]}</pre>
    </details>`;
  };
  return section(
    "output",
    "The receiver's output",
    html`<p class="about"><code>${output.command}</code>${end}</p>`,
    stream("stderr"),
    stream("stdout"),
  );
}

function axisNote({ axis, speed }: Figures): Markup {
  const point = `A point is ${readableDuration(axis.widthMs)}.`;
  if (axis.kind === "virtual") {
    return html`<p class="about">
      By virtual due time. ${point} Lockstep does not measure how many events a receiver takes per second.
    </p>`;
  }
  const ratio =
    speed === null || speed === 1 ? "" : ` One second of it is ${readableDuration(speed * 1000)} of virtual time.`;
  return html`<p class="about">By wall time since the run began, at the due time of attempts. ${point}${ratio}</p>`;
}

function storyList({ marks, marksLeftOut }: Figures): Markup {
  if (marks.length === 0) return html``;
  const kinds: [count: number, one: string, more: string][] = [
    [marksLeftOut.cause, "step", "steps"],
    [marksLeftOut.hand, "change by hand", "changes by hand"],
    [marksLeftOut.api, "API request", "API requests"],
    [marksLeftOut.text, "text, call or message", "texts, calls and messages"],
  ];
  const missing = kinds.filter(([count]) => count > 0).map(([count, one, more]) => countOf(count, one, more));
  const requests = marks.filter(({ kind }) => kind === "api").length;
  const lines = marks.length - requests;
  const shown = [
    ...(lines > 0 ? [`${countOf(lines, "dotted line")} in the charts: the story, and what was done by hand`] : []),
    ...(requests > 0 ? [countOf(requests, "API request")] : []),
  ];
  const about = missing.length === 0 ? "" : ` (left out: ${missing.join(", ")})`;
  return html`<details class="story">
    <summary>${shown.join(" and ")}${about}</summary>
    <ul>
      ${marks.map(({ atMs, text }) => html`<li><b>${readableDuration(atMs)}</b> ${text}</li>`)}
    </ul>
  </details>`;
}

function footer(result: RunResult, meta: RunMeta): Markup {
  const note = digestNote(result);
  return html`<footer>
    <p>
      Recording <code>${result.recording ?? "none"}</code> · scenario <code>${meta.scenario.file}</code> · digest
      <code>${result.digest.slice(0, 16)}</code> · handset-lab ${meta.version}
    </p>
    ${note === undefined ? "" : html`<p>${note}</p>`}
    <p>Percentiles by time, type and group are accurate within 0.8 %; maxima are exact.</p>
  </footer>`;
}
