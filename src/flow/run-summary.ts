import type { NamedReference } from "./named-reference.js";

/** A run as the sessions that it starts see it: `@parent`. Plain JSON in the public format. */
export interface RunSummary {
  readonly uuid: string;
  readonly flow: NamedReference & { readonly revision?: number };
  readonly contact?: Readonly<Record<string, unknown>>;
  readonly status: string;
  readonly results?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Original texts of the results' extras by key, because parsing rounds numbers. Not part of the public format. */
  readonly extras?: Readonly<Record<string, string>>;
}
