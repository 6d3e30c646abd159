import type { Kernel } from "../sim/index.js";
import type { Channels } from "./channels.js";
import type { GatewayPorts } from "./ports.js";

/** Interval of the rounds (docs/reference/handset.md#push). */
const ROUND_EVERY_MS = 10 * 60_000;
/** A channel that has been silent for at least this time gets a push. */
const SILENT_FROM_MS = 15 * 60_000;
/** A channel that has been silent for longer than this is given up. */
const SILENT_UNTIL_MS = 7 * 24 * 60 * 60_000;

/**
 * Pushes the phones of silent channels (docs/reference/handset.md#push), at whole multiples of the interval. It has one
 * timer for all channels, because a round only compares one number of each.
 */
export class WakeRound {
  readonly #kernel: Kernel;
  readonly #channels: Channels;
  readonly #ports: GatewayPorts;

  constructor({ kernel, channels, ports }: { kernel: Kernel; channels: Channels; ports: GatewayPorts }) {
    this.#kernel = kernel;
    this.#channels = channels;
    this.#ports = ports;
  }

  /** Schedules the next round. */
  scheduleRound(): void {
    const atMs = (Math.floor(this.#kernel.now / ROUND_EVERY_MS) + 1) * ROUND_EVERY_MS;
    this.#kernel.at(atMs, WakeRound.#roundDue, this);
  }

  static #roundDue(this: void, round: WakeRound): void {
    const { now } = round.#kernel;
    for (const { lastSeenMs, spec, isActive } of round.#channels.all) {
      if (!isActive) continue;
      const silentMs = now - lastSeenMs;
      if (silentMs >= SILENT_FROM_MS && silentMs <= SILENT_UNTIL_MS) round.#ports.push(spec.id);
    }
    round.scheduleRound();
  }
}
