import type { Kernel, SimTime } from "../sim/index.js";
import type { ServicePreset } from "../wire/index.js";
import type { Channel } from "./channels.js";
import type { Events } from "./events.js";

/**
 * Raises an alarm when a channel is silent for too long, or low on power and not charging (docs/scenario.md#service;
 * conditions: docs/reference/handset.md#alarm-conditions). The service checks at whole multiples of its interval. A
 * condition raises one alarm; it raises another only after it has cleared and returned. An alarm carries the values of
 * the last sync.
 *
 * Each channel has one timer, at the next check that can change anything, instead of a check at every interval. A sync
 * postpones the silence but usually keeps the timer: a check that finds nothing schedules the next.
 */
export class Alarms {
  readonly #kernel: Kernel;
  readonly #preset: ServicePreset;
  readonly #events: Events;
  readonly #startsAtMs: number;

  constructor(options: { kernel: Kernel; preset: ServicePreset; events: Events; startsAtMs: number }) {
    this.#kernel = options.kernel;
    this.#preset = options.preset;
    this.#events = options.events;
    this.#startsAtMs = options.startsAtMs;
  }

  /** Starts to watch a channel. The caller has set its `lastSeenMs` to the current instant. */
  watch(channel: Channel): void {
    this.#scheduleCheck(channel);
  }

  /** Stops watching a channel that is released, or moved to another organisation, and clears its alarms. */
  stopWatching(channel: Channel): void {
    if (channel.alarmTimer !== undefined) this.#kernel.cancel(channel.alarmTimer);
    channel.alarmTimer = undefined;
    channel.silentRaised = false;
    channel.powerRaised = false;
  }

  /** Call it after an accepted sync has updated the channel. */
  noteSync(channel: Channel): void {
    if (channel.silentRaised || this.#isPowerAlarm(channel) !== channel.powerRaised) this.#scheduleCheck(channel);
  }

  /** Emits the alarm event now, whether or not the alarm's condition is true. */
  raise(channel: Channel): void {
    const { pending, retry, ...values } = channel.device;
    this.#events.emit(
      channel,
      {
        event: "alarm",
        relayer: channel.relayer,
        relayerPhone: channel.phone,
        ...values,
        pendingMessageCount: pending.length,
        retryMessageCount: retry.length,
        lastSeen: this.#startsAtMs + channel.lastSeenMs,
      },
      null,
    );
  }

  readonly #checkChannel = (channel: Channel): void => {
    channel.alarmTimer = undefined;
    const isSilent = this.#kernel.now - channel.lastSeenMs > this.#preset.alarmSilentAfterMs;
    const isLow = this.#isPowerAlarm(channel);
    if (isSilent && !channel.silentRaised) this.raise(channel);
    if (isLow && !channel.powerRaised) this.raise(channel);
    channel.silentRaised = isSilent;
    channel.powerRaised = isLow;
    this.#scheduleCheck(channel);
  };

  /**
   * Schedules the next check that can change anything, unless an earlier timer exists. Schedules none when only a sync
   * can change anything.
   */
  #scheduleCheck(channel: Channel): void {
    if (!channel.isActive) return;
    const atMs = this.#nextCheckAtMs(channel);
    if (channel.alarmTimer !== undefined) {
      if (channel.alarmTimer.atMs <= atMs) return;
      this.#kernel.cancel(channel.alarmTimer);
      channel.alarmTimer = undefined;
    }
    if (atMs !== Infinity) channel.alarmTimer = this.#kernel.at(atMs, this.#checkChannel, channel);
  }

  #nextCheckAtMs(channel: Channel): SimTime {
    const { alarmLookEveryMs, alarmSilentAfterMs } = this.#preset;
    const silentAtMs =
      (Math.floor((channel.lastSeenMs + alarmSilentAfterMs) / alarmLookEveryMs) + 1) * alarmLookEveryMs;
    const isDue = this.#kernel.now >= silentAtMs;
    if (this.#isPowerAlarm(channel) !== channel.powerRaised || (channel.silentRaised && !isDue)) {
      return Math.ceil(this.#kernel.now / alarmLookEveryMs) * alarmLookEveryMs;
    }
    return channel.silentRaised ? Infinity : Math.max(silentAtMs, this.#kernel.now);
  }

  /** Whether the condition of the power alarm is true: it begins, or has not ended yet. */
  #isPowerAlarm(channel: Channel): boolean {
    const { powerLevel, powerStatus } = channel.device;
    if (!channel.hasSynced || powerStatus === "CHA" || powerStatus === "FUL") return false;
    if (channel.powerRaised && this.#preset.alarmBatteryEnds === "charging") return true;
    // -1, of a phone that has not seen its battery, is below the limit, too.
    return powerLevel < this.#preset.alarmBatteryBelow;
  }
}
