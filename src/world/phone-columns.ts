/** Bits of `PhoneColumns.flags` that the world sets. */
export const phoneFlags = {
  isOn: 1,
  hasMains: 2,
  isAirplane: 4,
  isPaused: 8,
  /** The carrier does not reach the phone. */
  isUncovered: 16,
  /** The radio cannot send texts. */
  isSmsFaulty: 32,
  /** The phone's clock is wrong by more than a minute. */
  isClockOff: 128,
  /** A power cut affects the phone. */
  isPowerCut: 256,
  /** The relayer app's process does not run. */
  isAppStopped: 512,
  /** Doze or a battery saver: the app works in maintenance windows only. */
  isDozing: 1024,
  /** The phone is not registered, or not claimed. */
  isUnclaimed: 2048,
  /** A solar panel gives power now. */
  hasSun: 4096,
} as const;

/**
 * The state of a fleet as columns, for readers that compare it several times a second. A handset's values are at the
 * index channel - 1; reading allocates nothing. Values of handsets in other parts of the fleet are not changed.
 */
export interface PhoneColumns {
  /** Percent, 0..100, rounded as the phone reports it. */
  readonly battery: Int32Array;
  /** Bits of `phoneFlags`. */
  readonly flags: Int32Array;
  /** Index in `networkTypes`. */
  readonly network: Int32Array;
  /** Messages that wait for their first try or the radio's answer. */
  readonly pending: Int32Array;
  /** Messages whose last try failed. */
  readonly retry: Int32Array;
  /** Unacknowledged reports, and texts and calls that the app has not read. */
  readonly unsynced: Int32Array;
  /** Texts that have reached the phone. */
  readonly texts: Int32Array;
}
