import { batch } from "@preact/signals";
import { fleetColumns, type FleetColumn, type PastFrame, type ReadyPast } from "../../protocol/index.js";
import { holdLive, showLive } from "../connection/connect.js";
import { labGet, labPost, RequestError } from "../connection/lab-client.js";
import { askAbout, moment, viewer } from "../connection/moment.js";
import { isExact, past, pastFailure, pictureMs, readyPast, storyMs } from "../connection/past-state.js";
import { isRefusal, whenServerIsBack } from "../connection/retry.js";
import { clock, fleet, lab, liveLog, logSkipped, story, totals } from "../connection/state.js";

/** The handle rests for this time before the exact moment is computed. Milliseconds. */
const REST_MS = 250;
const POLL_MS = 500;
/** Wait after a request that failed, but may succeed later. */
const RETRY_MS = 2000;
/** Most numbers in all cached frames. */
const KEPT_NUMBERS_MAX = 4_000_000;

let pollTimer: ReturnType<typeof setTimeout> | undefined;
let restTimer: ReturnType<typeof setTimeout> | undefined;
let exactRequest = new AbortController();
let version = 1_000_000_000;
/** Counts requests, so that an answer to an earlier one is ignored. */
let asked = 0;
const pictures = new Map<number, PastFrame>();

/** Requests the past, and polls until it is complete. @param isFresh - reads the recording again first */
export async function openPast({ isFresh = false }: { readonly isFresh?: boolean } = {}): Promise<void> {
  clearTimeout(pollTimer);
  try {
    if (isFresh) pictures.clear();
    past.value = await (isFresh ? labPost("/past", { do: "refresh" }) : labGet("/past"));
    pastFailure.value = undefined;
  } catch (error) {
    pastFailure.value = messageOf(error);
    if (!isRefusal(error)) pollTimer = setTimeout(() => void askAgain(() => openPast({ isFresh })), RETRY_MS);
    return;
  }
  showCloserPicture();
  const { state } = past.value;
  const isPreparing =
    state === "opening" || (state === "ready" && !past.value.isComplete && past.value.failure === null);
  if (isPreparing || (moment.peek() !== undefined && !isExact.peek()))
    pollTimer = setTimeout(() => void openPast(), POLL_MS);
}

/** Shows a moment: a frame at once, the exact state when the handle rests. */
export function goToMoment(atMs: number): void {
  const known = readyPast();
  if (known === undefined) return;
  const bound = Math.round(Math.min(known.untilMs, Math.max(known.fromMs, atMs)));
  if (moment.peek() === undefined) holdLive();
  asked++;
  stopExact();
  batch(() => {
    moment.value = bound;
    isExact.value = false;
    // The live log does not belong to the past.
    liveLog.value = [];
    logSkipped.value = 0;
  });
  void showPicture(bound, known, asked);
  restTimer = setTimeout(() => void showExact(bound, asked), REST_MS);
}

/** Repeats a request that failed, once the server is back. */
async function askAgain(ask: () => Promise<void>): Promise<void> {
  await whenServerIsBack(exactRequest.signal);
  await ask();
}

/** Cancels the exact state of the previous moment, and aborts its requests. */
function stopExact(): void {
  clearTimeout(restTimer);
  exactRequest.abort();
  exactRequest = new AbortController();
}

/** Shows the live lab again. */
export function leavePast(): void {
  stopExact();
  asked++;
  batch(() => {
    moment.value = undefined;
    askAbout(undefined);
    storyMs.value = undefined;
    pastFailure.value = undefined;
    isExact.value = false;
    pictureMs.value = undefined;
    showLive();
  });
}

/** Frames arrive while the recording is played again: one of them may be closer to the moment than the shown one. */
function showCloserPicture(): void {
  const known = readyPast();
  const atMs = moment.peek();
  if (known === undefined || atMs === undefined || isExact.peek()) return;
  const frameMs = known.frames.findLast((one) => one <= atMs);
  if (frameMs !== undefined && frameMs !== pictureMs.peek()) void showPicture(atMs, known, asked);
}

async function showPicture(atMs: number, { frames }: ReadyPast, question: number): Promise<void> {
  const frameMs = frames.findLast((one) => one <= atMs);
  if (frameMs === undefined) return;
  try {
    const frame = pictures.get(frameMs) ?? (await labGet(`/past/frame?at=${frameMs}`));
    keepPicture(frameMs, frame);
    // A late frame is still closer than the previous one, unless the exact state is shown.
    if (question !== asked || isExact.peek()) return;
    batch(() => {
      pictureMs.value = frameMs;
      showFrame(frame);
    });
  } catch {
    // The exact state follows, or reports the error.
  }
}

async function showExact(atMs: number, question: number): Promise<void> {
  if (question !== asked) return;
  askAbout(atMs);
  void openPast();
  try {
    const path = `/past/moment?at=${atMs}&viewer=${viewer}` as const;
    const frame = await labGet(path, { signal: exactRequest.signal });
    if (question !== asked) return;
    batch(() => {
      pastFailure.value = undefined;
      isExact.value = true;
      pictureMs.value = atMs;
      showFrame(frame);
    });
  } catch (error) {
    if (question !== asked) return;
    pastFailure.value = messageOf(error);
    if (!isRefusal(error)) restTimer = setTimeout(() => void askAgain(() => showExact(atMs, question)), RETRY_MS);
  }
}

function showFrame({ atMs, fleet: columns, totals: counts, story: toldThen }: PastFrame): void {
  const groups = readyPast()?.groups;
  if (groups === undefined) return;
  const arrays = Object.fromEntries(fleetColumns.map((name) => [name, Int32Array.from(columns[name])]));
  // A step of two makes views that draw only changes redraw everything.
  version += 2;
  batch(() => {
    // Clock, totals and phones show one instant, which differs from the moment until its exact state is shown.
    clock.value = { nowMs: atMs, speed: 0, isPaused: true, wallMs: Date.now() };
    totals.value = counts;
    if (toldThen !== undefined) {
      story.value = toldThen;
      storyMs.value = atMs;
    }
    fleet.value = {
      groups,
      count: columns.battery.length,
      columns: arrays as Record<FleetColumn, Int32Array>,
      changed: undefined,
      version,
    };
  });
}

function keepPicture(atMs: number, frame: PastFrame): void {
  pictures.delete(atMs);
  pictures.set(atMs, frame);
  const numbers = Math.max(1, frame.fleet.battery.length * fleetColumns.length);
  for (const oldest of pictures.keys()) {
    if (pictures.size * numbers <= KEPT_NUMBERS_MAX || pictures.size <= 2) return;
    pictures.delete(oldest);
  }
}

function messageOf(error: unknown): string {
  return error instanceof RequestError ? error.message : String(error);
}

/** Whether the page shows a recording, so that it starts at the recording's end. */
export function opensInPast(): boolean {
  return lab.peek()?.pastEndsAtMs !== undefined;
}
