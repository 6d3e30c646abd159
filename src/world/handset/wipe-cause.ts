import type { LossCause } from "../../wire/index.js";

/**
 * Why the app empties its table. `reset`: its user resets or installs it again, or it resets itself; `released`: the
 * service has released the channel.
 */
export type WipeCause = Extract<LossCause, "reset" | "released">;
