import { computed, signal } from "@preact/signals";
import { labPost } from "../connection/lab-client.js";
import { serverPath } from "../connection/server-address.js";
import { clock } from "../connection/state.js";
import { labToken } from "../connection/token.js";
import { toastFailed } from "../design/index.js";
import { isPresenting } from "../navigation/presenting.js";

/** The user's choice; undefined: none. */
const chosen = signal<boolean>();

/** Whether the clock slows to wall time while a text travels. */
export const followsTexts = computed(() => chosen.value ?? isPresenting.value);

/** The followed text is the first one from this virtual instant on; undefined: none is followed. */
export const followed = signal<{ readonly sinceMs: number; readonly backTo: number } | undefined>(undefined);

export function followTexts(isOn: boolean): void {
  chosen.value = isOn;
  if (!isOn) void stopFollowing();
}

/** Slows the clock to wall time, unless it is slow or paused. @param sinceMs - virtual; default: now */
export async function startFollowing(sinceMs?: number): Promise<void> {
  const now = clock.peek();
  if (now === undefined || now.isPaused || now.speed <= 1 || followed.peek() !== undefined) return;
  followed.value = { sinceMs: sinceMs ?? now.nowMs, backTo: now.speed };
  await labPost("/clock", { speed: 1 }).catch(toastFailed);
}

/** Restores the speed, unless somebody has changed it meanwhile. */
export async function stopFollowing(): Promise<void> {
  const at = followed.peek();
  if (at === undefined) return;
  followed.value = undefined;
  if (clock.peek()?.speed === 1) await labPost("/clock", { speed: at.backTo }).catch(toastFailed);
}

// A page that is closed while it follows does not leave the lab slow. Only a request with `keepalive` outlives its page.
addEventListener("pagehide", () => {
  const at = followed.peek();
  if (at === undefined) return;
  followed.value = undefined;
  void fetch(serverPath("/lab/clock"), {
    method: "POST",
    keepalive: true,
    headers: { authorization: `Token ${labToken()}`, "content-type": "application/json" },
    body: JSON.stringify({ speed: at.backTo }),
  });
});
