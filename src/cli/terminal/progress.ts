import { Chalk, type ChalkInstance } from "chalk";
import type { OperationProgress } from "../../base/index.js";
import type { Progress } from "../../lab/index.js";
import type { RunStart } from "../../run/index.js";
import { onOneLine, redactedUrl } from "../../wire/index.js";
import type { Output } from "./io.js";
import { type Live, liveOn } from "./live-lines.js";
import { OperationLine } from "./operation-line.js";
import { writePainted } from "./paint.js";
import { clock, count, longSpan, timeOfDay } from "../printing/numbers.js";

/** Intervals: a terminal is redrawn, a log gets a line. Wall milliseconds. */
const REDRAW_MS = 100;
const LINE_MS = 10_000;

/** A paced run that takes longer announces its duration at the start. Wall milliseconds. */
const LONG_MS = 120_000;

/**
 * Shows the progress of a run, and of what precedes and follows it: live lines on a terminal, a plain line every 10 s
 * elsewhere.
 */
export class LiveProgress {
  readonly #output: Output;
  readonly #chalk: ChalkInstance;
  readonly #live: Live | undefined;
  #timer: NodeJS.Timeout | undefined;
  #operation: OperationLine | undefined;
  #notice: readonly string[] = [];
  #hasKeys = false;

  private constructor(output: Output, live: Live | undefined) {
    this.#output = output;
    this.#chalk = output.colours === 0 ? new Chalk({ level: 0 }) : new Chalk({ level: output.colours });
    this.#live = live;
  }

  static async on(output: Output): Promise<LiveProgress> {
    return new LiveProgress(output, await liveOn(output));
  }

  /** @param options - `hasKeys`: keys are read; `targets`: from `deliveryTargets`; absent: all to one receiver */
  start(
    name: string,
    start: RunStart,
    { hasKeys = false, targets }: { readonly hasKeys?: boolean; readonly targets?: readonly string[] } = {},
  ): void {
    this.#hasKeys = hasKeys;
    this.#endOperation();
    writePainted(this.#output, `Playing ${this.#chalk.bold(onOneLine(name))} against ${receiversIn(start, targets)}\n`);
    const duration = durationText(start.progress());
    if (duration !== undefined) this.#output.write(`${duration}\n`);
    const live = this.#live;
    const draw = live
      ? (): void => live(this.#lines(start.progress()))
      : (): void => this.#output.write(`${line(start.progress())}\n`);
    this.#timer = setInterval(draw, this.#output.isTTY ? REDRAW_MS : LINE_MS);
    this.#timer.unref();
  }

  /** Replaces the notice below the progress, one sentence per line; none: removes it. */
  say(...lines: readonly string[]): void {
    this.#notice = lines;
    if (!this.#output.isTTY || this.#timer === undefined) for (const text of lines) this.#output.write(`${text}\n`);
  }

  /** Two lines: virtual time and load, then latency, backlog and the generator's own lateness. */
  #gaugeLines(progress: Progress, gauge: NonNullable<Progress["gauge"]>): string {
    const { columns } = this.#output;
    const share = progress.lastsMs === 0 ? 1 : Math.min(1, progress.atMs / progress.lastsMs);
    const load = [
      `${String(Math.floor(share * 100)).padStart(3)} %  ${positionOf(progress)}`,
      `due ${rate(gauge.due)}`,
      `answered ${rate(gauge.answered)}`,
      ...changesIn(progress),
      ...(this.#hasKeys ? ["? for keys"] : []),
    ];
    const isBehind = gauge.due > 1 && gauge.answered < 0.9 * gauge.due;
    const first = fitted(load, columns - 1);
    const second = fitted(gaugePieces(progress, gauge), columns - 1);
    const lines = [isBehind ? this.#chalk.yellow(first) : first, second];
    return [...lines, ...this.#notice.map((text) => this.#chalk.bold(onOneLine(text)))].join("\n");
  }

  /** Shows what precedes the run or follows it, instead of the run. */
  showOperation(progress: OperationProgress): void {
    clearInterval(this.#timer);
    this.#operation ??= new OperationLine(this.#live, this.#output.columns);
    this.#operation.show(progress);
  }

  /** Removes the live lines; may be called twice. */
  end(): void {
    this.#endOperation();
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#live?.clear();
  }

  #endOperation(): void {
    this.#operation?.clear();
    this.#operation = undefined;
  }

  #lines(progress: Progress): string {
    const { gauge } = progress;
    if (gauge !== undefined) return this.#gaugeLines(progress, gauge);
    const share = progress.lastsMs === 0 ? 1 : Math.min(1, progress.atMs / progress.lastsMs);
    const width = Math.max(10, Math.min(40, this.#output.columns - 40));
    const filled = Math.round(share * width);
    const bar = this.#chalk.cyan("█".repeat(filled)) + this.#chalk.dim("░".repeat(width - filled));
    const failures = `failures ${count(progress.failures)}`;
    const lines = [
      `${bar} ${String(Math.floor(share * 100)).padStart(3)} %  ` + positionOf(progress),
      `events ${count(progress.events)}   accepted ${count(progress.accepted)}   ` +
        (progress.failures > 0 ? this.#chalk.yellow(failures) : failures),
      `in flight ${count(progress.inFlight)}   to be retried ${count(progress.retrying)}   ` +
        `waiting on phones ${count(progress.waitingOnPhones)}`,
    ];
    const state = changesIn(progress).map((text) => this.#chalk.yellow(text));
    const last = [...state, ...(this.#hasKeys ? [this.#chalk.dim("? for keys")] : [])];
    if (last.length > 0) lines.push(last.join("   "));
    return [...lines, ...this.#notice.map((text) => this.#chalk.bold(onOneLine(text)))].join("\n");
  }
}

function positionOf({ atMs, lastsMs, drainsToMs, inFlight }: Progress): string {
  if (atMs >= (drainsToMs ?? lastsMs) && inFlight > 0) return "time over, answers awaited";
  if (drainsToMs === undefined) return `${clock(atMs)} of ${clock(lastsMs)}`;
  return `draining, ${clock(atMs - lastsMs)} of at most ${clock(drainsToMs - lastsMs)}`;
}

/** `p99 480 ms`; nothing was answered: `p99 –`. */
function span(name: string, ms: number | null): string {
  if (ms === null) return `${name} –`;
  return ms >= 10_000 ? `${name} ${(ms / 1000).toFixed(1)} s` : `${name} ${count(Math.round(ms))} ms`;
}

function rate(perSecond: number): string {
  return `${perSecond < 10 ? Number(perSecond.toFixed(1)) : count(Math.round(perSecond))}/s`;
}

/** How long a paced run takes, and how to shorten it; undefined: it is short, or unknown. */
function durationText({ lastsMs, atMs, clock: time }: Progress): string | undefined {
  if (time === undefined || !Number.isFinite(lastsMs)) return undefined;
  const wallMs = (lastsMs - atMs) / time.speed;
  if (wallMs < LONG_MS) return undefined;
  const faster = [10, 60, 600].find((speed) => speed > time.speed && (lastsMs - atMs) / speed <= 10 * 60_000);
  const advice = faster === undefined ? "" : `\n--pace ${faster}x plays it in ${longSpan((lastsMs - atMs) / faster)}`;
  return `This takes ${longSpan(wallMs)} of wall time at ${time.speed}x, until ${timeOfDay(Date.now() + wallMs)}${advice}`;
}

/** Readings of the last ten seconds, the most important first, as the line drops those that do not fit. */
function gaugePieces(progress: Progress, gauge: NonNullable<Progress["gauge"]>): string[] {
  const { failures, inFlight, retrying, waitingOnPhones } = progress;
  const { waitingForConnection, p50Ms, p99Ms, latenessP99Ms } = gauge;
  const open = Math.max(0, inFlight - waitingForConnection);
  return [
    span("p50", p50Ms),
    span("p99", p99Ms),
    `waiting ${count(waitingForConnection)}`,
    `in flight ${count(open)}`,
    ...(latenessP99Ms === null ? [] : [span("late", latenessP99Ms)]),
    ...(failures > 0 ? [`failures ${count(failures)}`] : []),
    ...(retrying > 0 ? [`retrying ${count(retrying)}`] : []),
    ...(waitingOnPhones > 0 ? [`on phones ${count(waitingOnPhones)}`] : []),
  ];
}

function fitted(pieces: readonly string[], width: number): string {
  let text = "";
  for (const piece of pieces) {
    const longer = text === "" ? piece : `${text}  ${piece}`;
    if (longer.length <= width) text = longer;
  }
  return text;
}

/** Changes by hand to the clock and the traffic. */
function changesIn({ clock: time, traffic }: Progress): string[] {
  const { times, state } = traffic;
  return [
    ...(time?.isPaused === true ? ["clock paused"] : []),
    ...(state === "running" ? [] : [`traffic ${state}`]),
    ...(times === 1 || state === "stopped" ? [] : [`traffic ${times}x`]),
  ];
}

/** Columns of a line in a log. */
const LOG_COLUMNS = 80;

function line(progress: Progress): string {
  const { gauge } = progress;
  if (gauge !== undefined) {
    const load = [`due ${rate(gauge.due)}`, `answered ${rate(gauge.answered)}`, ...gaugePieces(progress, gauge)];
    return broken(`${positionOf(progress)}: `, [...load, ...changesIn(progress)]);
  }
  return broken(`${positionOf(progress)}: `, [
    `${count(progress.events)} events`,
    `${count(progress.accepted)} accepted`,
    `${count(progress.failures)} failures`,
    `${count(progress.inFlight)} in flight`,
    `${count(progress.retrying)} to be retried`,
    `${count(progress.waitingOnPhones)} waiting on phones`,
    ...changesIn(progress),
  ]);
}

/** Joins pieces with commas, and wraps them to lines of a log; lines after the first are indented. */
function broken(head: string, pieces: readonly string[]): string {
  const lines = [head];
  pieces.forEach((piece, index) => {
    const text = index < pieces.length - 1 ? `${piece},` : piece;
    const last = lines.at(-1) ?? "";
    const joined = last === head ? `${last}${text}` : `${last} ${text}`;
    if (joined.length <= LOG_COLUMNS) lines[lines.length - 1] = joined;
    else lines.push(`  ${text}`);
  });
  return lines.join("\n");
}

/** Most receivers that are named; further ones are only counted. */
const NAMED_MAX = 3;

function receiversIn({ isBundled, receiver }: RunStart, targets: readonly string[] | undefined): string {
  const names = (targets ?? [isBundled ? "bundled" : receiver]).map(receiverName);
  const more = names.length - NAMED_MAX;
  const named = more > 0 ? [...names.slice(0, NAMED_MAX), `${more} more`] : names;
  return named.length < 2 ? named.join("") : `${named.slice(0, -1).join(", ")} and ${named.at(-1) ?? ""}`;
}

function receiverName(target: string): string {
  if (target === "bundled") return "the bundled receiver";
  return target === "none" ? "no receiver" : redactedUrl(target);
}
