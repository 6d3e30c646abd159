/*
 * Paced (open model): the wall clock leads, and the kernel follows `LiveClock`. An answer takes effect when it comes.
 * Each event has an intended wall time, from which its latency counts (no coordinated omission), however slow the
 * receiver is. The clock can be paused, stepped and set to another speed; a step waits for answers as lockstep does.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { LiveClock } from "./clock.js";
import { runBarriers, type Simulation, STEPS_BETWEEN_CHECKS, TimeSlice } from "./simulation.js";

/** Longest sleep after work, so that `dispatch` flushes what was recorded: wall milliseconds. */
const FLUSH_CHECK_MS = 300;

/** How far a clock step runs before it waits for the answers of its attempts: virtual milliseconds. */
const STEP_WINDOW_MS = 5_000;

/** How long a clock step waits for a silent receiver: wall milliseconds. */
const STEP_PATIENCE_MS = 2_000;

/**
 * How far a run with a sender thread plays ahead of the wall clock: wall milliseconds. It hides most stalls of the
 * threads before the sender (a commit, a garbage collection, a busy core).
 */
export const PLAY_AHEAD_MS = 20;

/** Batches in one play-ahead span: the events of each are committed together and wake each thread once. */
const BATCHES = 4;

/** The longest batch: the sender unpacks it at once, and must not be late with what is due meanwhile. Milliseconds. */
const BATCH_MS_MAX = 10;

/** Plays the world by the clock, to its end if it has one, or until the run is over. */
export async function playPaced(simulation: Simulation, clock: LiveClock): Promise<void> {
  const { kernel } = simulation;
  const batchMs = Math.min(clock.playAheadMs / BATCHES, BATCH_MS_MAX);
  const slice = batchMs > 0 ? new TimeSlice(simulation, batchMs) : new TimeSlice(simulation);
  // Shared by all steps: a jump consists of many short ones.
  const stepSlice = new TimeSlice(simulation);
  let hasWorked = true;
  clock.start();
  try {
    while (!simulation.isOver()) {
      // A hand may have added a barrier when no step is due.
      await runPacedBarriers(simulation);
      if (clock.stepTargetMs !== undefined) {
        await playStep(simulation, clock, stepSlice);
        await stepSlice.yieldIfUsedUp();
        slice.restart();
        hasWorked = true;
        continue;
      }
      const nextAtMs = kernel.nextAtMs;
      const waitMs = clock.waitMs(Math.min(nextAtMs, simulation.lastsMs));
      if (waitMs > 0) {
        simulation.dispatch();
        const mostMs = hasWorked ? FLUSH_CHECK_MS : Infinity;
        if (batchMs > 0) hasWorked = await waitAhead(simulation, clock, Math.min(Math.max(waitMs, batchMs), mostMs));
        else if (waitMs < 1) await nextTurn();
        else hasWorked = await waitForChange(simulation, clock, Math.min(waitMs, mostMs));
        slice.restart();
        continue;
      }
      if (nextAtMs > simulation.lastsMs) return;
      // A timer that is due within the clock's rounding runs now, although `nowMs` is just before it.
      kernel.run(Math.max(clock.nowMs, nextAtMs) + 1, STEPS_BETWEEN_CHECKS);
      hasWorked = true;
      await runPacedBarriers(simulation);
      await slice.yieldIfUsedUp();
    }
  } finally {
    clock.stop();
  }
}

/** Waits at most `ms` wall milliseconds for an answer, an input or a change of the clock. @returns false: none came */
async function waitForChange({ outstanding }: Simulation, clock: LiveClock, ms: number): Promise<boolean> {
  const sleep = clock.sleep(ms);
  if (outstanding.inFlight === 0) return sleep;
  const isWoken = await Promise.race([sleep, outstanding.progress().then(() => true)]);
  clock.wake(); // clears the sleep's timer
  return isWoken;
}

/**
 * As `waitForChange`, for a run that plays ahead: an answer ends the wait only if it has an effect at its own instant,
 * or if the run is over or a barrier waits. Retries that answers cause are dispatched meanwhile.
 */
async function waitAhead(simulation: Simulation, clock: LiveClock, ms: number): Promise<boolean> {
  const { outstanding } = simulation;
  const sleep = clock.sleep(ms).then((isWoken) => (isWoken ? "woken" : "over"));
  while (outstanding.inFlight > 0) {
    const by = await Promise.race([sleep, outstanding.progress().then(() => "answered" as const)]);
    if (by !== "answered") return by === "woken";
    simulation.dispatch();
    if (simulation.isOver() || simulation.hasBarrier() || clock.hasEffectNow) clock.wake();
  }
  return (await sleep) === "woken";
}

/** Earlier attempts are dispatched before a barrier and not awaited: the receiver may answer them after the barrier. */
function runPacedBarriers(simulation: Simulation): Promise<void> {
  return runBarriers(simulation, () => simulation.dispatch());
}

/**
 * Runs the kernel to the clock's step target. It waits for answers as lockstep does, at most 2 s for a silent receiver,
 * so that their effects happen within the step.
 */
async function playStep(simulation: Simulation, clock: LiveClock, slice: TimeSlice): Promise<void> {
  const { kernel } = simulation;
  for (let target = clock.stepTargetMs; target !== undefined && !simulation.isOver(); target = clock.stepTargetMs) {
    const nextAtMs = kernel.nextAtMs;
    if (nextAtMs > target) {
      kernel.advanceTo(target);
      await waitForAnswers(simulation, clock);
      // A hand may have resumed the clock meanwhile, or an answer may have scheduled an effect at this instant.
      if (clock.stepTargetMs === target && kernel.nextAtMs > target) clock.completeStep();
      continue;
    }
    const endsAtMs = Math.min(nextAtMs + STEP_WINDOW_MS, target + 1);
    while (kernel.nextAtMs < endsAtMs && clock.stepTargetMs === target && !simulation.isOver()) {
      kernel.run(endsAtMs, STEPS_BETWEEN_CHECKS);
      await runPacedBarriers(simulation);
      await slice.yieldIfUsedUp();
    }
    await waitForAnswers(simulation, clock);
  }
}

/** Waits until the attempts in flight have been answered, or the receiver was silent for 2 s. */
async function waitForAnswers(simulation: Simulation, clock: LiveClock): Promise<void> {
  const { outstanding } = simulation;
  while (outstanding.inFlight > 0 && !simulation.isOver()) {
    const silentMs = simulation.wall() - (outstanding.silentSinceWallMs ?? simulation.wall());
    if (silentMs >= STEP_PATIENCE_MS) return;
    simulation.dispatch();
    await waitForChange(simulation, clock, STEP_PATIENCE_MS - silentMs);
  }
}
