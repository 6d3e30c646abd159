import type { DateFormat, LocationTree, NumberFormat } from "../expression/index.js";
import type { SessionContact } from "./contact-state.js";
import type { FlowDefinition } from "./definition.js";
import type { NamedReference } from "./named-reference.js";

/** Settings of the organisation that templates depend on (docs/reference/flows.md#environment). */
export interface OrgEnvironment {
  /** IANA name. */
  readonly timezone: string;
  readonly dateFormat: DateFormat;
  /** Such as "tt:mm" or "h:mm aa". */
  readonly timeFormat: string;
  /** ISO 639-3; the first one is the default. */
  readonly allowedLanguages: readonly string[];
  /** The organisation has named no languages: a contact's own language counts as allowed. */
  readonly allowsAnyLanguage?: boolean;
  /** ISO 3166 alpha-2. */
  readonly defaultCountry?: string;
  readonly numberFormat?: NumberFormat;
  /** Templates see the schemes of addresses only (docs/reference/flows.md#anonymous-organisations). */
  readonly hidesUrns?: boolean;
}

/** Types of contact fields. */
export type FieldAssetType = "text" | "number" | "datetime" | "state" | "district" | "ward";

/** A contact field that the organisation has defined. */
export interface FieldAsset {
  readonly key: string;
  readonly name: string;
  readonly type: FieldAssetType;
}

/** A group of the organisation. */
export interface GroupAsset extends NamedReference {
  /** Set: a smart group, the contacts that match. */
  readonly query?: string;
}

/** A channel of the organisation. */
export interface ChannelAsset extends NamedReference {
  readonly address: string;
  readonly schemes: readonly string[];
  readonly roles: readonly string[];
  /** ISO 3166 alpha-2. */
  readonly country?: string;
  /** Starts of numbers (without "+") that the channel prefers. */
  readonly matchPrefixes?: readonly string[];
  /** False: it sends only to numbers of its own country. Default true. */
  readonly allowsInternational?: boolean;
}

/** A part of a contact that can change, and on which the queries of smart groups can depend. */
export type ContactPart = "name" | "language" | "timezone" | "urns" | "groups" | `fields.${string}`;

/** What definitions refer to. Look-ups only; the engine calls them while it executes. */
export interface Assets {
  flow(uuid: string): FlowDefinition | undefined;
  flowByName(name: string): FlowDefinition | undefined;
  field(key: string): FieldAsset | undefined;
  /** All fields, sorted by name. */
  fields(): readonly FieldAsset[];
  group(uuid: string): GroupAsset | undefined;
  /** Ignores case. */
  groupByName(name: string): GroupAsset | undefined;
  /**
   * The smart groups.
   * @param part - only smart groups whose queries read this part of a contact, or name groups
   */
  smartGroups(part?: ContactPart): readonly GroupAsset[];
  /** Whether a contact matches the query of a smart group; undefined: the query is invalid and changes no membership. */
  isMember(group: GroupAsset, contact: SessionContact): boolean | undefined;
  label(uuid: string): NamedReference | undefined;
  /** Ignores case. */
  labelByName(name: string): NamedReference | undefined;
  channel(uuid: string): ChannelAsset | undefined;
  channels(): readonly ChannelAsset[];
  resthook(slug: string): { readonly subscribers: readonly string[] } | undefined;
  readonly globals: Readonly<Record<string, string>>;
  /** Undefined when the account has no boundaries: then no text names a place. */
  readonly locations?: LocationTree | undefined;
}

/** What templates see of a {@link Host}. */
export type ContextHost = Pick<Host, "assets" | "environment">;

/** Everything that varies between two executions of the same session. */
export interface Host {
  readonly environment: OrgEnvironment;
  readonly assets: Assets;
  /** Milliseconds since 1970. */
  now(): number;
  /** In [0, 1). */
  random(): number;
  uuid(): string;
  /** Units of work of a sprint; default: `sprintUnitsMax`. */
  readonly sprintUnits?: number;
}

/** A request that the host sends while the session has the status "calling". */
export interface HttpCall {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The answer to an {@link HttpCall}. */
export interface HttpAnswer {
  /** 0: no connection, or no answer in time. */
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly elapsedMs?: number;
}
