import { urnSchemes } from "../text/urn.js";

/**
 * The content of an account file or of the export of a real account. Plain data whose shape is already validated.
 * References between its parts are names, keys or UUIDs; loading the account resolves them.
 */
export interface AccountData {
  readonly organisation?: Partial<OrganisationData>;
  /** Added to those of the organisation; absent: none. */
  readonly globals?: Readonly<Record<string, string>>;
  readonly tokens: readonly TokenData[];
  readonly fields: readonly FieldData[];
  readonly groups: readonly GroupData[];
  readonly labels: readonly LabelData[];
  readonly contacts: readonly ContactData[];
  readonly flows: readonly FlowData[];
  readonly campaigns: readonly CampaignData[];
  readonly triggers: readonly TriggerData[];
  readonly resthooks: readonly ResthookData[];
  /** Countries; their states, districts and wards are in `parts`. */
  readonly boundaries: readonly BoundaryData[];
  /** Past runs of flows, oldest first. */
  readonly runs: readonly RunData[];
  /** Requests that are carried out, in order, once the account is loaded. */
  readonly orders: readonly OrderData[];
}

/** A request that is carried out when an account is loaded, as if a client had sent it. */
export type OrderData =
  | {
      readonly kind: "broadcast";
      readonly text: Translations;
      /** Names or UUIDs. */
      readonly groups: readonly string[];
      /** UUIDs or URNs. */
      readonly contacts: readonly string[];
    }
  | {
      readonly kind: "start";
      /** Name or UUID. */
      readonly flow: string;
      /** Names or UUIDs. */
      readonly groups: readonly string[];
      /** UUIDs or URNs. */
      readonly contacts: readonly string[];
    }
  /** An event of a resthook. */
  | { readonly kind: "event"; readonly resthook: string; readonly data: Readonly<Record<string, unknown>> };

/** The account itself (docs/reference/service-api.md#organisation). */
export interface OrganisationData {
  readonly uuid: string;
  readonly name: string;
  /** ISO 3166, two letters; null: none, then there are no boundaries either. */
  readonly country: string | null;
  /** ISO 639-3. */
  readonly languages: readonly string[];
  readonly primaryLanguage: string | null;
  /** IANA zone. */
  readonly timezone: string;
  readonly dateStyle: "day_first" | "month_first" | "year_first";
  /** URNs are hidden (docs/reference/service-api.md#anonymous-and-suspended-organisations). */
  readonly isAnonymous: boolean;
  /** Rejects every write (docs/reference/service-api.md#anonymous-and-suspended-organisations). */
  readonly isSuspended: boolean;
  readonly credits: { readonly used: number; readonly remaining: number };
  /** What flows read as `@globals`, by key; absent: none. */
  readonly globals?: Readonly<Record<string, string>>;
}

/** Roles of API tokens (docs/reference/service-api.md#authentication). */
export const roles = ["administrator", "editor", "surveyor", "viewer"] as const;
export type Role = (typeof roles)[number];

export interface TokenData {
  readonly role: Role;
  /** 8 to 128 printable characters without spaces. */
  readonly token: string;
  /** False: its user was deactivated. */
  readonly isActive: boolean;
}

/** Types of contact fields (docs/reference/service-api.md#field-types). */
export const fieldTypes = ["text", "numeric", "datetime", "state", "district", "ward"] as const;
export type FieldType = (typeof fieldTypes)[number];

export interface FieldData {
  /** Absent: made from the label. */
  readonly key?: string;
  readonly label: string;
  readonly type: FieldType;
}

export interface GroupData {
  readonly uuid?: string;
  readonly name: string;
  /** Query of a smart group; null: a manual group. */
  readonly query: string | null;
}

export interface LabelData {
  readonly uuid?: string;
  readonly name: string;
}

/** `stopped`: has opted out. `deleted`: is listed under `deleted` only. */
export const contactStates = ["active", "blocked", "stopped", "deleted"] as const;
export type ContactState = (typeof contactStates)[number];

export interface ContactData {
  readonly uuid?: string;
  readonly name: string | null;
  /** ISO 639-3. */
  readonly language: string | null;
  /** Normalised; highest priority first. */
  readonly urns: readonly string[];
  /** Names or UUIDs of manual groups. */
  readonly groups: readonly string[];
  /** Text by field key. */
  readonly fields: Readonly<Record<string, string>>;
  readonly state: ContactState;
}

/** `message`: texts; the words of the API (docs/reference/service-api.md#flows). */
export const flowTypes = ["message", "voice", "survey", "background"] as const;
export type FlowType = (typeof flowTypes)[number];

export interface FlowData {
  readonly uuid?: string;
  readonly name: string;
  readonly type: FlowType;
  readonly isArchived: boolean;
  /** Minutes of silence before a run expires. */
  readonly expiresMinutes: number;
  /** Names of flow labels. */
  readonly labels: readonly string[];
  /**
   * The unchanged definition, of any version; definitions.json returns it (docs/reference/flows.md#native-definitions
   * and docs/reference/flows.md#legacy-shape).
   */
  readonly definition: Readonly<Record<string, unknown>>;
}

/**
 * Units of campaign offsets (docs/reference/service-api.md#campaign-units). Definitions write M (minutes), H (hours),
 * D (days), W (weeks).
 */
export const campaignUnits = ["minutes", "hours", "days", "weeks"] as const;
export type CampaignUnit = (typeof campaignUnits)[number];

/**
 * What a campaign event does about the flow in which its contact is: interrupts it, skips the contact, or leaves it
 * alone (docs/reference/flows.md#firing). Definitions write I, S, P.
 */
export const campaignStartModes = ["interrupt", "skip", "passive"] as const;
export type CampaignStartMode = (typeof campaignStartModes)[number];

/** A text in one or more languages, by ISO 639-3 code or `base`. */
export type Translations = Readonly<Record<string, string>>;

export interface CampaignData {
  readonly uuid?: string;
  readonly name: string;
  /** Name or UUID. */
  readonly group: string;
  readonly isArchived: boolean;
  readonly events: readonly CampaignEventData[];
}

/** Exactly one of `message` and `flow` is not null. */
export interface CampaignEventData {
  readonly uuid?: string;
  /** Key of a contact field. */
  readonly relativeTo: string;
  readonly offset: number;
  readonly unit: CampaignUnit;
  /** -1: the hour of the field's value; else 0 to 23. */
  readonly deliveryHour: number;
  readonly message: Translations | null;
  /** The language of `message` for contacts whose language it lacks; default: the primary one, else its first. */
  readonly baseLanguage?: string;
  /** Name or UUID. */
  readonly flow: string | null;
  /** What the flow reads as `@embed`: a JSON object; default: nothing. */
  readonly embeddedData?: Readonly<Record<string, unknown>>;
  /** Default: interrupt. */
  readonly startMode?: CampaignStartMode;
}

/**
 * A condition that starts a flow (docs/reference/flows.md#triggers). Types: K keyword, C catch-all, M missed call, V
 * incoming call, S schedule; others, such as N, R and T, occur in exports.
 */
export interface TriggerData {
  readonly type: string;
  readonly keyword: string | null;
  /** F: first word of the message; O: the message is this word only. */
  readonly matchType: "F" | "O";
  /** Name or UUID. */
  readonly flow: string;
  /** Names or UUIDs. */
  readonly groups: readonly string[];
  readonly excludeGroups: readonly string[];
  /** UUID; null: any. */
  readonly channel: string | null;
  /** UUIDs or URNs of contacts; schedules only; default: none. */
  readonly contacts?: readonly string[];
  /** Schedules only. */
  readonly schedule?: ScheduleData;
}

/** How often a schedule fires; the letters of exports (docs/reference/flows.md#schedules). */
export const scheduleRepeats = { never: "O", daily: "D", weekly: "W", monthly: "M" } as const;
export type ScheduleRepeat = (typeof scheduleRepeats)[keyof typeof scheduleRepeats];

/** When a flow is started by itself, in the time zone of the organisation (docs/reference/flows.md#schedules). */
export interface ScheduleData {
  /** ISO 8601: the first fire; without an offset it is local. Absent: the first matching time. */
  readonly start?: string;
  readonly repeat: ScheduleRepeat;
  /** W: letters of `MTWRFSU`; default: the day of `start`. */
  readonly days?: string;
  /** M: 1 to 31; default: the day of `start`. */
  readonly dayOfMonth?: number;
  /** 0 to 23 and 0 to 59; default: the time of `start`. */
  readonly hour?: number;
  readonly minute?: number;
}

export interface ResthookData {
  /** Lower case. */
  readonly slug: string;
  readonly subscribers: readonly string[];
}

export interface BoundaryData {
  /** At most 15 characters (docs/reference/service-api.md#boundaries). */
  readonly osmId: string;
  readonly name: string;
  readonly aliases: readonly string[];
  /** GeoJSON MultiPolygon. */
  readonly geometry: { readonly type: string; readonly coordinates: unknown } | null;
  /** One level down: states of a country, districts of a state, wards of a district. */
  readonly parts: readonly BoundaryData[];
}

/** How a run ended (docs/reference/service-api.md#exit-types). */
export const exitTypes = ["completed", "interrupted", "expired", "failed"] as const;
export type ExitType = (typeof exitTypes)[number];

export interface RunData {
  /** Name or UUID. */
  readonly flow: string;
  /** UUID or URN. */
  readonly contact: string;
  /** Milliseconds from the start of the run to the loading of the account. */
  readonly agoMs: number;
  readonly lastedMs: number;
  /** null: it still waits. */
  readonly exit: ExitType | null;
  readonly path: readonly string[];
  readonly results: readonly {
    readonly name: string;
    readonly value: string;
    readonly category: string;
    readonly input: string;
    readonly node: string;
  }[];
}

/** An empty account. */
export const emptyAccount: AccountData = {
  tokens: [],
  fields: [],
  groups: [],
  labels: [],
  contacts: [],
  flows: [],
  campaigns: [],
  triggers: [],
  resthooks: [],
  boundaries: [],
  runs: [],
  orders: [],
};

/** A field's key, unless it is one of the reserved ones (docs/reference/service-api.md#fields). */
export const fieldKeyForm = /^[a-z][a-z0-9_]{0,35}$/;

/**
 * Reserved keys: contact attributes and import headers, which no field may use (docs/reference/service-api.md#fields).
 */
export const reservedFieldKeys: ReadonlySet<string> = new Set([
  "name",
  "first_name",
  "phone",
  "language",
  "groups",
  "uuid",
  "id",
  "created_by",
  "modified_by",
  "org",
  "is",
  "has",
  "tel_e164",
  "email",
  "external",
  ...urnSchemes,
]);
