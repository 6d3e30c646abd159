import type { Kernel, SimTime } from "../sim/index.js";
import type { ServicePreset } from "../wire/index.js";
import type { Channel } from "./channels.js";
import type { Events } from "./events.js";

/**
 * The watch over the channels: silent for too long, or low on power and not charging (SCENARIO.md, "Service presets";
 * the conditions are handset.md 9.3's). The service looks at whole multiples of its interval; a condition raises one
 * alarm, and another once it has cleared and come back. An alarm's values are those of the last sync.
 *
 * Instead of looking at every channel at every interval, each channel has one timer at the first look that can change
 * anything. A sync moves the silence on without touching the timer: a look that finds nothing sets the next.
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

  /** Begins to watch a channel, which counts as seen at this instant. */
  watch(channel: Channel): void {
    this.#scheduleCheck(channel);
  }

  /** A sync has been accepted: its values are in the channel. */
  noteSync(channel: Channel): void {
    if (channel.silentRaised || this.#isLow(channel) !== channel.powerRaised) this.#scheduleCheck(channel);
  }

  /** Emits the alarm event now, whatever the conditions: for the looks, and for somebody who asks for one. */
  raise(channel: Channel): void {
    const { device } = channel;
    this.#events.emit(
      channel,
      {
        event: "alarm",
        relayer: channel.spec.id,
        relayerPhone: channel.spec.phone,
        powerLevel: device.powerLevel,
        powerStatus: device.powerStatus,
        powerSource: device.powerSource,
        networkType: device.networkType,
        pendingMessageCount: device.pending.length,
        retryMessageCount: device.retry.length,
        lastSeen: this.#startsAtMs + channel.lastSeenMs,
      },
      null,
    );
  }

  readonly #checkChannel = (channel: Channel): void => {
    channel.alarmTimer = undefined;
    const isSilent = this.#kernel.now - channel.lastSeenMs > this.#preset.alarmSilentAfterMs;
    const isLow = this.#isLow(channel);
    if (isSilent && !channel.silentRaised) this.raise(channel);
    if (isLow && !channel.powerRaised) this.raise(channel);
    channel.silentRaised = isSilent;
    channel.powerRaised = isLow;
    this.#scheduleCheck(channel);
  };

  /** Sets the timer to the first look at which something can change; none while only a sync can change anything. */
  #scheduleCheck(channel: Channel): void {
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
    if (this.#isLow(channel) !== channel.powerRaised || (channel.silentRaised && !isDue)) {
      return Math.ceil(this.#kernel.now / alarmLookEveryMs) * alarmLookEveryMs;
    }
    return channel.silentRaised ? Infinity : Math.max(silentAtMs, this.#kernel.now);
  }

  #isLow(channel: Channel): boolean {
    const { powerLevel, powerStatus } = channel.device;
    return (
      channel.hasSynced &&
      powerLevel >= 0 &&
      powerLevel < this.#preset.alarmBatteryBelow &&
      powerStatus !== "CHA" &&
      powerStatus !== "FUL"
    );
  }
}
