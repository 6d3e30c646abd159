import { signal } from "@preact/signals";
import { labPost } from "../connection/lab-client.js";
import { toastDone, toastFailed } from "../design/index.js";

/** The pending request; undefined: none. */
export const asking = signal<"jump" | "again" | "stop" | "start" | undefined>(undefined);

/** Plays to a beat. The answer arrives when it is reached; the stream shows the progress. */
export function jumpTo(beat: string): Promise<void> {
  return ask("jump", "/story", { beat });
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
export function beginAgain(): Promise<void> {
  return ask("again", "/scenario", { again: true });
}

export function stopScenario(): Promise<void> {
  return ask("stop", "/scenario", { stop: true });
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

async function ask(what: "jump" | "again" | "stop", path: "/story" | "/scenario", body: object): Promise<void> {
  asking.value = what;
  try {
    const { done } = await labPost(path, body);
    if (what !== "again") toastDone(`${done.charAt(0).toUpperCase()}${done.slice(1)}`);
  } catch (error) {
    toastFailed(error);
  } finally {
    asking.value = undefined;
  }
}
