import { setImmediate as nextTurn } from "node:timers/promises";
import type { LiveClock } from "./clock.js";
import { type Driven, Slice, STEPS } from "./loop.js";

/** After work the loop looks up once more, so that what was recorded is written also when nothing more happens. */
const LOOK_UP_MS = 300;

/** A step goes no further than this beyond attempts that have not been answered: virtual milliseconds. */
const WINDOW_MS = 5_000;

/** How long a step waits for a receiver that answers nobody: wall milliseconds. */
const PATIENCE_MS = 2_000;

/**
 * How far a run plays ahead whose events a thread of its own sends: wall milliseconds. What stalls the threads before it (a
 * commit, a collection, a core that is taken) mostly takes less.
 */
export const LEAD_MS = 20;

/** In one lead the world is played so often: what is made in between is written down at once, and wakes each thread once. */
const TURNS = 4;

/** Plays the world as its clock goes, to its end if it has one, or until the run is over. */
export async function drivePaced(driven: Driven, clock: LiveClock): Promise<void> {
  const { kernel } = driven;
  const turnMs = clock.leadMs / TURNS;
  const slice = turnMs > 0 ? new Slice(driven, turnMs) : new Slice(driven);
  let hasWorked = true;
  clock.begin();
  try {
    while (!driven.isOver()) {
      // What a hand asks for is done although no step is due.
      await passBarriers(driven);
      if (clock.stopMs !== undefined) {
        await takeStep(driven, clock);
        slice.begin();
        hasWorked = true;
        continue;
      }
      const nextAtMs = kernel.nextAtMs;
      const waitMs = clock.waitMs(Math.min(nextAtMs, driven.lastsMs));
      if (waitMs > 0) {
        driven.idle();
        const mostMs = hasWorked ? LOOK_UP_MS : Infinity;
        if (turnMs > 0) hasWorked = await restAhead(driven, clock, Math.min(Math.max(waitMs, turnMs), mostMs));
        else if (waitMs < 1) await nextTurn();
        else hasWorked = await rest(driven, clock, Math.min(waitMs, mostMs));
        slice.begin();
        continue;
      }
      if (nextAtMs > driven.lastsMs) return;
      // What need not be waited for is due, even where rounding puts the clock just short of it.
      kernel.run(Math.max(clock.nowMs, nextAtMs) + 1, STEPS);
      hasWorked = true;
      await passBarriers(driven);
      await slice.turn();
    }
  } finally {
    clock.end();
  }
}

/** Waits for an answer, an input, a change of the clock, or so many wall milliseconds. @returns false for the latter */
async function rest({ delivery }: Driven, clock: LiveClock, ms: number): Promise<boolean> {
  const nap = clock.sleep(ms);
  if (delivery.inFlight === 0) return nap;
  const isWoken = await Promise.race([nap, delivery.progress().then(() => true)]);
  clock.wake(); // the nap's timer is not needed any more
  return isWoken;
}

/**
 * The same where nothing is due before a lead is over: answers do not end it. What they lead to at once is sent meanwhile.
 */
async function restAhead(driven: Driven, clock: LiveClock, ms: number): Promise<boolean> {
  const { delivery } = driven;
  const nap = clock.sleep(ms).then((isWoken) => (isWoken ? "woken" : "over"));
  while (delivery.inFlight > 0) {
    const by = await Promise.race([nap, delivery.progress().then(() => "answered" as const)]);
    if (by !== "answered") return by === "woken";
    driven.idle();
    if (driven.isOver() || driven.hasBarrier() || clock.isFollowedUp) clock.wake();
  }
  return (await nap) === "woken";
}

/** The wall clock does not wait for answers: attempts that are out may meet what the barrier changes. */
async function passBarriers(driven: Driven): Promise<void> {
  // What was made before it is not to wait for it.
  if (driven.hasBarrier()) driven.idle();
  for (let barrier = driven.takeBarrier(); barrier !== undefined; barrier = driven.takeBarrier()) await barrier();
}

/**
 * Brings the kernel to the clock's stop. It waits for answers as lockstep does, though not for ever: so what follows
 * from them happens on the way.
 */
async function takeStep(driven: Driven, clock: LiveClock): Promise<void> {
  const { kernel } = driven;
  const slice = new Slice(driven);
  for (let { stopMs } = clock; stopMs !== undefined && !driven.isOver(); { stopMs } = clock) {
    const nextAtMs = kernel.nextAtMs;
    if (nextAtMs > stopMs) {
      kernel.advanceTo(stopMs);
      await answersFor(driven, clock);
      // Meanwhile somebody may have let the clock run, and an answer may have led to something at this very instant.
      if (clock.stopMs === stopMs && kernel.nextAtMs > stopMs) clock.stopReached();
      continue;
    }
    const endsAtMs = Math.min(nextAtMs + WINDOW_MS, stopMs + 1);
    while (kernel.nextAtMs < endsAtMs && clock.stopMs === stopMs && !driven.isOver()) {
      kernel.run(endsAtMs, STEPS);
      await passBarriers(driven);
      await slice.turn();
    }
    await answersFor(driven, clock);
  }
}

/** Waits until the attempts that are out have been answered, or nobody has answered for a while. */
async function answersFor(driven: Driven, clock: LiveClock): Promise<void> {
  const { delivery } = driven;
  while (delivery.inFlight > 0 && !driven.isOver()) {
    const silentMs = driven.wall() - (delivery.silentSinceWallMs ?? driven.wall());
    if (silentMs >= PATIENCE_MS) return;
    driven.idle();
    await rest(driven, clock, PATIENCE_MS - silentMs);
  }
}
