import {
  type FleetArrays,
  type FleetGroup,
  handsetFlags,
  type LabCounts,
  type LatencyMeter,
} from "../../console/index.js";
import type { Lab } from "../../lab/index.js";
import { SpanWindow } from "../../measure/index.js";
import { phoneFlags } from "../../world/index.js";

/** The compiler checks that the console's bits equal the world's, because the world's bytes are sent unchanged. */
const bits = { ...phoneFlags, hasAlarm: handsetFlags.hasAlarm } satisfies typeof handsetFlags;

/** Reads the fleet, counts and latencies of a lab, for the console's stream and for frames of the past. */
export class LabReadings {
  /** The current lab; a restored snapshot replaces it. */
  readonly lab: () => Lab;
  /** By channel - 1, reused by each reading. */
  #lastSeenMs = new Float64Array(0);
  #hasAlarm = new Uint8Array(0);

  constructor(lab: () => Lab) {
    this.lab = lab;
  }

  get handsetCount(): number {
    return this.lab().world.population.handsetCount;
  }

  groups(): FleetGroup[] {
    return this.lab().world.population.ranges.map(({ group, firstPlace, firstMember, count }) => ({
      name: group.name,
      label: group.displayName ?? group.name,
      firstChannel: firstPlace + 1,
      firstIndex: firstMember,
      count,
      ...(group.onPicture !== undefined && { place: group.onPicture }),
    }));
  }

  counts(): LabCounts {
    return this.lab().counts();
  }

  readFleet(arrays: FleetArrays): void {
    const { world, gateway } = this.lab();
    const { flags, lastSeenS, events } = arrays;
    const count = flags.length;
    if (this.#hasAlarm.length !== count) {
      this.#hasAlarm = new Uint8Array(count);
      this.#lastSeenMs = new Float64Array(count);
    }
    const [hasAlarm, lastSeenMs] = [this.#hasAlarm, this.#lastSeenMs];
    world.readFleet(arrays);
    gateway.readChannels({ events, lastSeenMs, hasAlarm });
    for (let index = 0; index < count; index++) {
      if (hasAlarm[index] === 1) flags[index] = (flags[index] ?? 0) | bits.hasAlarm;
      lastSeenS[index] = Math.floor((lastSeenMs[index] ?? 0) / 1000);
    }
  }

  measureLatency(): LatencyMeter {
    const { meter } = this.lab().pipeline.measurements;
    // No past seconds: a reading covers the time since the previous one.
    const window = new SpanWindow({ family: "delivery", tags: {}, seconds: 0 });
    meter.addWindow(window);
    return {
      read() {
        const { p50, p99 } = window.total().percentiles();
        window.clear();
        return { p50Ms: p50, p99Ms: p99 };
      },
      close: () => meter.removeWindow(window),
    };
  }
}
