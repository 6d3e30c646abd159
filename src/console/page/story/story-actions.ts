import { signal } from "@preact/signals";
import { labPost } from "../connection/lab-client.js";
import { clock } from "../connection/state.js";
import { toastDone, toastFailed } from "../design/index.js";

/** The pending request; undefined: none. */
export const asking = signal<"jump" | "again" | "stop" | "start" | undefined>(undefined);

/** Plays to a beat. The answer arrives when it is reached; the stream shows the progress. */
export async function jumpTo(beat: string): Promise<void> {
  await ask("jump", "/story", { beat });
}

/** Plays to an instant. @param atMs - virtual milliseconds from the scenario's start */
export async function jumpToTime(atMs: number): Promise<void> {
  await ask("jump", "/story", { at: `${Math.round(atMs / 1000)}s` });
}

/** Plays to a beat and lets it happen: a clock that was paused then runs. */
export async function playBeat(beat: string): Promise<void> {
  const wasPaused = clock.peek()?.isPaused === true;
  const done = await ask("jump", "/story", { beat });
  if (wasPaused && done !== undefined && !done.endsWith("was cancelled"))
    await labPost("/clock", { paused: false }).catch(toastFailed);
}

/** Ends a jump at the current instant. */
export async function cancelJump(): Promise<void> {
  await labPost("/story", { cancel: true }).catch(toastFailed);
}

/** Pauses the clock, so that a repeating scenario does not restart. */
export async function pauseClock(): Promise<void> {
  await labPost("/clock", { paused: true }).catch(toastFailed);
}

/** Restarts the scenario. The page itself reports the new lab. */
export async function beginAgain(): Promise<void> {
  await ask("again", "/scenario", { again: true });
}

export async function stopScenario(): Promise<void> {
  await ask("stop", "/scenario", { stop: true });
}

/** @returns the refusal; undefined: the scenario has begun */
export async function startScenario(file: string): Promise<Error | undefined> {
  asking.value = "start";
  try {
    await labPost("/scenario", { file });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    asking.value = undefined;
  }
}

/** @returns the server's sentence; undefined: it refused */
async function ask(
  what: "jump" | "again" | "stop",
  path: "/story" | "/scenario",
  body: object,
): Promise<string | undefined> {
  asking.value = what;
  try {
    const { done } = await labPost(path, body);
    if (what !== "again") toastDone(`${done.charAt(0).toUpperCase()}${done.slice(1)}`);
    return done;
  } catch (error) {
    toastFailed(error);
    return undefined;
  } finally {
    asking.value = undefined;
  }
}
