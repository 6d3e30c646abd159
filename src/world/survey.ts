/** How phones stand, taken together. */
export interface Survey {
  /** Phones that were looked at. */
  readonly count: number;
  /** Messages to be sent and reports to be told that wait on them. */
  readonly waiting: number;
  /** Without a data link: switched-off ones included. */
  readonly offline: number;
  /** Switched off or dead. */
  readonly down: number;
  /** On mains. */
  readonly charging: number;
  /** Percent; 0 where nobody was looked at. */
  readonly batteryMean: number;
  readonly batteryMin: number;
}

/** What a survey asks of a phone. */
export interface Surveyed {
  readonly pendingCount: number;
  readonly retryCount: number;
  readonly unsyncedCount: number;
  readonly hasData: boolean;
  readonly isOn: boolean;
  readonly hasMains: boolean;
  /** Percent. */
  readonly batteryLevel: number;
}

/** Looks at phones and changes nothing. Of more than `most` it looks at so many, spread evenly over the list. */
export function survey(
  phones: readonly Surveyed[],
  { first, count, most }: { readonly first: number; readonly count: number; readonly most: number },
): Survey {
  const sampleCount = Math.min(count, most);
  let [waiting, offline, down, charging, batterySum] = [0, 0, 0, 0, 0];
  let batteryMin = 100;
  for (let look = 0; look < sampleCount; look++) {
    const phone = phones[first + Math.floor((look * count) / sampleCount)];
    if (phone === undefined) throw new RangeError(`phones must be within 0..${phones.length - 1}`);
    waiting += phone.pendingCount + phone.retryCount + phone.unsyncedCount;
    if (!phone.hasData) offline++;
    if (!phone.isOn) down++;
    if (phone.hasMains) charging++;
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
