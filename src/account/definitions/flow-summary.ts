import type { FlowType } from "../../wire/index.js";

/** What the API shows of a flow's definition (service-api.md 2.11), and what an export of it brings along (2.9). */
export interface FlowSummary {
  readonly uuid: string | null;
  readonly name: string | null;
  readonly type: FlowType;
  /** Minutes of silence before a run expires. */
  readonly expiresMinutes: number;
  readonly results: readonly FlowResult[];
  readonly dependencies: FlowDependencies;
}

/** What a flow can save under one name, from however many nodes. */
export interface FlowResult {
  readonly key: string;
  readonly name: string;
  readonly categories: readonly string[];
  readonly nodeUuids: readonly string[];
}

/** Something that a definition mentions, as it does: by UUID, by name, by both. Old definitions have ids for UUIDs. */
export interface Mention {
  readonly uuid: string | null;
  readonly name: string | null;
}

/** What a definition mentions, each once, in the order of the definition. */
export interface FlowDependencies {
  readonly flows: readonly Mention[];
  readonly groups: readonly Mention[];
  readonly labels: readonly Mention[];
  /** By key. The name is there where the definition gives one. */
  readonly fields: readonly { readonly key: string; readonly name: string | null }[];
  /** Slugs. */
  readonly resthooks: readonly string[];
}
