import type { EventRow } from "./journal.js";

/** An event that has come into being, with the delivery URL of its channel (null: it goes nowhere). */
export interface Emission extends EventRow {
  readonly url: string | null;
}

/** What the gateway tells those outside it. All calls happen at the kernel's `now`. */
export interface GatewayPorts {
  /** A new event is to be delivered. It is in the journal already. */
  emit(emission: Emission): void;
  /** A push message asks the phone of this channel to sync. */
  push(channel: number): void;
}

/** What the service knows beforehand of the person behind a number; undefined for strangers. */
export type Directory = (
  phone: string,
) => { readonly name: string | null; readonly language: string | null } | undefined;
