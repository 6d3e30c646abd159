import type { FlowType } from "../../wire/index.js";

/**
 * Properties of a definition that the API shows (docs/reference/service-api.md#flows), and what an export of it
 * includes (docs/reference/service-api.md#definitions).
 */
export interface FlowSummary {
  readonly uuid: string | null;
  readonly name: string | null;
  readonly type: FlowType;
  /** Minutes of silence before a run expires. */
  readonly expiresMinutes: number;
  readonly results: readonly FlowResult[];
  readonly dependencies: FlowDependencies;
}

/** A result that a flow can save under one name, in one or several nodes. */
export interface FlowResult {
  readonly key: string;
  readonly name: string;
  readonly categories: readonly string[];
  readonly nodeUuids: readonly string[];
}

/** A reference in a definition, by UUID, name or both. Old definitions have ids instead of UUIDs. */
export interface Mention {
  readonly uuid: string | null;
  readonly name: string | null;
}

/** The references in a definition, each once, in its order. */
export interface FlowDependencies {
  readonly flows: readonly Mention[];
  readonly groups: readonly Mention[];
  readonly labels: readonly Mention[];
  /** Each key once; `name`: null when the definition has none. */
  readonly fields: readonly { readonly key: string; readonly name: string | null }[];
  /** Slugs. */
  readonly resthooks: readonly string[];
}
