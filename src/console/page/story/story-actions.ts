import { signal } from "@preact/signals";
import { labPost } from "../connection/lab-client.js";
import { toastDone, toastFailed } from "../design/index.js";

/** What was asked and is not answered yet; undefined: nothing. */
export const asking = signal<"jump" | "again" | "stop" | "start" | undefined>(undefined);

/** Plays to a beat. The answer comes when it is reached; the stream shows the way there. */
export function jumpTo(beat: string): Promise<void> {
  return ask("jump", "/story", { beat });
}

/** Ends a jump where it is. */
export async function cancelJump(): Promise<void> {
  await labPost("/story", { cancel: true }).catch(toastFailed);
}

/** Stops time, so that a repeating scenario stays. */
export async function pauseClock(): Promise<void> {
  await labPost("/clock", { paused: true }).catch(toastFailed);
}

/** The page itself says that another lab is there. */
export function beginAgain(): Promise<void> {
  return ask("again", "/scenario", { again: true });
}

export function stopScenario(): Promise<void> {
  return ask("stop", "/scenario", { stop: true });
}

/** @returns why it was refused; undefined: it has begun */
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
