import type { SimTime } from "../sim/index.js";

/**
 * One registration of a handset at the service: the channel that clients and receivers know, by its id and UUID
 * (docs/reference/handset.md#registration).
 */
export interface Registration {
  /** The event field `relayer`; see `relayerId`. */
  readonly relayer: number;
  /** A released registration loses its UUID when its phone registers again. */
  uuid: string;
  /** Empty: it has no number. */
  phone: string;
  /** Id of the organisation that has claimed it; 0: none. */
  org: number;
  /** The installation of the app that registered it, see `PhoneRegistration`. */
  readonly install: number;
  readonly registeredAtMs: SimTime;
  /** When it was claimed, or was given its number later. */
  claimedAtMs: SimTime | null;
  releasedAtMs: SimTime | null;
  /** Number of messages and calls of the handset before it was claimed: later ones belong to it. */
  messagesBefore: number;
  callsBefore: number;
}

/** A registration as it is recorded. */
export interface RegistrationRow extends Registration {
  /** The channel's number, the place of its handset. */
  readonly channel: number;
}
