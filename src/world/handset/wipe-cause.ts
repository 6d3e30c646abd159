import type { LossCause } from "../../wire/index.js";

/** Why the app empties its table: its user resets it, or the service has released the channel. */
export type WipeCause = Extract<LossCause, "reset" | "released">;
