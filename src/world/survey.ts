/** The state of some phones, aggregated. */
export interface Survey {
  /** Phones sampled. */
  readonly count: number;
  /** Messages to send, unacknowledged reports, and texts and calls that the app has not read. */
  readonly waiting: number;
  /** Phones without a data link, including those that are switched off. */
  readonly offline: number;
  /** Phones that are switched off or have an empty battery. */
  readonly down: number;
  /** Phones that are charging. */
  readonly charging: number;
  /** Percent; 0 if no phone was sampled. */
  readonly batteryMean: number;
  readonly batteryMin: number;
}

/** The interface of a phone for a survey. */
export interface Surveyed {
  readonly app: {
    readonly pendingCount: number;
    readonly retryCount: number;
    readonly unsyncedCount: number;
  };
  readonly hasData: boolean;
  readonly isOn: boolean;
  /** The mains, or a solar panel in the sun, supply it. */
  readonly isPlugged: boolean;
  /** Percent. */
  readonly batteryLevel: number;
}

/**
 * Aggregates the state of phones without changing it. Of more than `most` phones, it samples `most` at even intervals.
 */
export function survey(
  phones: readonly Surveyed[],
  { first, count, most }: { readonly first: number; readonly count: number; readonly most: number },
): Survey {
  const sampleCount = Math.min(count, most);
  let [waiting, offline, down, charging, batterySum] = [0, 0, 0, 0, 0];
  let batteryMin = 100;
  for (let sample = 0; sample < sampleCount; sample++) {
    const phone = phones[first + Math.floor((sample * count) / sampleCount)];
    if (phone === undefined) throw new RangeError(`phones must be within 0..${phones.length - 1}`);
    const { pendingCount, retryCount, unsyncedCount } = phone.app;
    waiting += pendingCount + retryCount + unsyncedCount;
    if (!phone.hasData) offline++;
    if (!phone.isOn) down++;
    if (phone.isPlugged) charging++;
    const { batteryLevel } = phone;
    batterySum += batteryLevel;
    if (batteryLevel < batteryMin) batteryMin = batteryLevel;
  }
  const isEmpty = sampleCount === 0;
  return {
    count: sampleCount,
    waiting,
    offline,
    down,
    charging,
    batteryMean: isEmpty ? 0 : batterySum / sampleCount,
    batteryMin: isEmpty ? 0 : batteryMin,
  };
}
