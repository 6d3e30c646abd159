import type { ChalkInstance } from "chalk";
import {
  agoText,
  isLive,
  latencyOf,
  silenceText,
  type FleetView,
  type JointLoad,
  type PartView,
} from "../../fleet/index.js";
import { partsText } from "../../run/index.js";
import { onOneLine } from "../../wire/index.js";
import { clock, count } from "./numbers.js";

/** Most parts that have a row. */
const ROWS_MAX = 16;

/** A part writes its status every second; one that is silent for longer than this is named. Wall milliseconds. */
const SILENT_MS = 5000;

/** One line about all parts, for logs. @param note - follows; "": nothing */
export function fleetLine(view: FleetView, note = ""): string {
  const { load } = view;
  const pieces = [statesText(view), ...(load === undefined ? [] : [positionText(load), ...loadPieces(load)])];
  return [...pieces, silentText(view), note].filter((piece) => piece !== "").join(", ");
}

/**
 * The parts for a terminal: the joint load, then a row for each part, those in trouble first. No line is too long.
 *
 * @param options - `note`: a line below the states; "": none
 */
export function fleetScreen(
  view: FleetView,
  { columns, paint, note = "" }: { readonly columns: number; readonly paint: ChalkInstance; readonly note?: string },
): string {
  const { load, parts } = view;
  const width = columns - 1;
  const lines = [paint.bold(cut(`${view.count} parts: ${statesText(view)}`, width))];
  for (const text of [silentText(view), note]) if (text !== "") lines.push(paint.yellow(cut(text, width)));
  if (load !== undefined) {
    const { events, accepted, failures, inFlight, retrying } = load;
    lines.push(fitted([positionText(load), ...rateTexts(load)], width));
    lines.push(fitted(latencyTexts(load), width));
    const counts = [`events ${count(events)}`, `accepted ${count(accepted)}`, `failures ${count(failures)}`];
    lines.push(fitted([...counts, `in flight ${count(inFlight)}`, `to be retried ${count(retrying)}`], width));
  }
  const rows = parts.toSorted((a, b) => rankOf(a) - rankOf(b) || a.part - b.part).slice(0, ROWS_MAX);
  lines.push(
    "",
    paint.dim(cut(row(["part", "state", "at", "answered", "p50", "p99", "late p99", "failures", "host"]), width)),
  );
  for (const part of rows.toSorted((a, b) => a.part - b.part)) {
    const text = cut(partRow(part), width);
    lines.push(isInTrouble(part) ? paint.yellow(text) : text);
  }
  const hidden = parts.filter((part) => !rows.includes(part));
  if (hidden.length > 0)
    lines.push(paint.dim(cut(`and ${hidden.length} more: ${statesText({ parts: hidden })}`, width)));
  return lines.join("\n");
}

/** The parts as data, without the histograms. */
export function fleetJson({ folder, count: parts, parts: views, load }: FleetView): Record<string, unknown> {
  return {
    folder,
    at: new Date().toISOString(),
    parts,
    states: statesOf(views),
    load: load ?? null,
    each: views.map(({ part, state, ageMs, status }) => {
      const { delivery: _delivery, lateness: _lateness, ...figures } = status?.load ?? {};
      return {
        part,
        state,
        ageMs: ageMs ?? null,
        host: status?.host ?? null,
        pid: status?.pid ?? null,
        recording: status?.recording ?? null,
        clockOffsetMs: status?.offsetMs ?? null,
        exitCode: status?.exitCode ?? null,
        error: status?.error ?? null,
        load: status?.load === undefined ? null : { ...figures, latencyMs: latencyOf(status.load) },
      };
    }),
  };
}

/** The parts that still count as running but have been silent for some beats; "": none. */
function silentText({ parts }: FleetView): string {
  const silent = parts.filter(
    ({ state, ageMs = 0 }) => (state === "playing" || state === "ready") && ageMs > SILENT_MS,
  );
  if (silent.length === 0) return "";
  const longest = Math.max(...silent.map(({ ageMs = 0 }) => ageMs));
  return `${partsText(silent.map(({ part }) => part))} silent for ${silent.length > 1 ? "up to " : ""}${silenceText(longest)}`;
}

/** `3 playing, 1 lost`. */
function statesText({ parts }: Pick<FleetView, "parts">): string {
  return Object.entries(statesOf(parts))
    .map(([state, number]) => `${number} ${state === "unseen" ? "not seen yet" : state}`)
    .join(", ");
}

function statesOf(parts: readonly PartView[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { state } of parts.toSorted((a, b) => rankOf(a) - rankOf(b))) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

const ranks = ["failed", "lost", "stopped", "unseen", "starting", "ready", "playing", "ending", "ended"];

function rankOf({ state }: PartView): number {
  return ranks.indexOf(state);
}

function isInTrouble(part: PartView): boolean {
  return !isLive(part) && (part.state !== "ended" || part.status?.exitCode !== 0);
}

function positionText({ atMs, lastsMs }: JointLoad): string {
  const share = lastsMs === 0 ? 1 : Math.min(1, atMs / lastsMs);
  return `${Math.floor(share * 100)} % (${clock(atMs)} of ${clock(lastsMs)})`;
}

function rateTexts({ due, answered }: JointLoad): string[] {
  return [...(due === null ? [] : [`due ${rate(due)}`]), `answered ${rate(answered)}`];
}

function latencyTexts({ latencyMs, latenessMs, seconds }: JointLoad): string[] {
  return [
    `latency ${seconds === null ? "so far" : `of ${seconds} s`}: p50 ${span(latencyMs.p50)}`,
    `p99 ${span(latencyMs.p99)}`,
    `max ${span(latencyMs.max)}`,
    ...(latenessMs === null ? [] : [`late p99 ${span(latenessMs.p99)}`]),
  ];
}

function loadPieces(load: JointLoad): string[] {
  const { latencyMs, latenessMs, failures } = load;
  return [
    ...rateTexts(load),
    `p50 ${span(latencyMs.p50)}`,
    `p99 ${span(latencyMs.p99)}`,
    ...(latenessMs === null ? [] : [`late p99 ${span(latenessMs.p99)}`]),
    `${count(load.events)} events`,
    `${count(failures)} failures`,
  ];
}

const WIDTHS = [4, -9, 8, 9, 8, 8, 9, 8];

function row(cells: readonly string[]): string {
  return cells
    .map((cell, index) => {
      const width = WIDTHS[index] ?? 0;
      return width < 0 ? cell.padEnd(-width) : cell.padStart(width);
    })
    .join(" ")
    .trimEnd();
}

function partRow({ part, state, status, ageMs = 0 }: PartView): string {
  const load = status?.load;
  const host = status === undefined ? "" : onOneLine(status.host);
  const head = [String(part), state];
  if (state === "lost") return row([...head, `silent for ${silenceText(ageMs)}, ${host}, process ${status?.pid}`]);
  if (state === "failed") return row([...head, `${agoText(ageMs)}: ${onOneLine(status?.error ?? "")}`]);
  if (state === "stopped") return row([...head, `${agoText(ageMs)}, ${host}; it can be resumed`]);
  if (load === undefined) return row([...head, "", "", "", "", "", "", host]);
  const { p50, p99 } = latencyOf(load);
  const late = load.lateness === null ? "" : span(latencyOf({ ...load, delivery: load.lateness }).p99);
  const answered = state === "playing" ? rate(load.answered) : "";
  const named = status?.exitCode === undefined || status.exitCode === 0 ? state : `exit ${status.exitCode}`;
  return row([String(part), named, clock(load.atMs), answered, span(p50), span(p99), late, count(load.failures), host]);
}

function span(ms: number | null): string {
  if (ms === null) return "–";
  if (ms >= 10_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${ms < 10 ? ms.toFixed(1) : count(Math.round(ms))} ms`;
}

function rate(perSecond: number): string {
  return `${perSecond < 10 ? Number(perSecond.toFixed(1)) : count(Math.round(perSecond))}/s`;
}

function fitted(pieces: readonly string[], width: number): string {
  let text = "";
  for (const piece of pieces) {
    const longer = text === "" ? piece : `${text}   ${piece}`;
    if (longer.length <= width) text = longer;
  }
  return text;
}

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}
