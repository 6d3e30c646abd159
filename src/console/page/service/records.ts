/** Records of the REST API v2, with the fields that the console shows (docs/reference/service-api.md). */
export interface Reference {
  readonly uuid: string;
  readonly name: string | null;
}

export interface Page<Row> {
  readonly next: string | null;
  readonly previous: string | null;
  readonly results: readonly Row[];
}

export interface Contact {
  readonly uuid: string;
  readonly name: string | null;
  readonly status: string | null;
  readonly language: string | null;
  readonly urns: readonly string[];
  readonly groups: readonly Reference[];
  readonly fields: Readonly<Record<string, string | null>>;
  readonly flow: Reference | null;
  readonly created_on: string;
  readonly modified_on: string;
  readonly last_seen_on: string | null;
}

export interface Group {
  readonly uuid: string;
  readonly name: string;
  readonly query: string | null;
  readonly count: number;
}

export interface Message {
  readonly id: number;
  readonly broadcast: number | null;
  readonly contact: Reference;
  readonly urn: string | null;
  readonly channel: Reference;
  readonly direction: "in" | "out";
  readonly type: string;
  readonly status: string;
  readonly visibility: string;
  readonly text: string;
  readonly labels: readonly Reference[];
  readonly flow: Reference | null;
  readonly created_on: string;
  readonly sent_on: string | null;
}

export interface Broadcast {
  readonly id: number;
  readonly uuid: string;
  readonly urns: readonly string[] | null;
  readonly contacts: readonly Reference[];
  readonly groups: readonly Reference[];
  readonly text: Readonly<Record<string, string>>;
  readonly base_language: string;
  readonly status: string;
  readonly created_on: string;
  readonly progress: { readonly total: number; readonly started: number };
}

export interface Flow {
  readonly uuid: string;
  readonly name: string;
  readonly type: string;
  readonly archived: boolean;
  readonly expires: number;
  readonly runs: Readonly<Record<"active" | "completed" | "interrupted" | "expired" | "failed", number>>;
  readonly results: readonly { readonly key: string; readonly name: string; readonly categories: readonly string[] }[];
  readonly modified_on: string;
}

export interface Run {
  readonly id: number;
  readonly uuid: string;
  readonly flow: Reference;
  readonly contact: Reference;
  readonly responded: boolean;
  readonly values: Readonly<
    Record<string, { readonly name: string; readonly value: string; readonly category: string | null }>
  >;
  readonly created_on: string;
  readonly modified_on: string;
  readonly exited_on: string | null;
  readonly exit_type: string | null;
}

export interface Campaign {
  readonly uuid: string;
  readonly name: string;
  readonly archived: boolean;
  readonly group: Reference;
  readonly created_on: string;
}

export interface CampaignEvent {
  readonly uuid: string;
  readonly campaign: Reference;
  readonly relative_to: { readonly key: string; readonly label: string };
  readonly offset: number;
  readonly unit: string;
  readonly delivery_hour: number;
  readonly flow: Reference | null;
  readonly message: Readonly<Record<string, string>> | null;
}

export interface Label {
  readonly uuid: string;
  readonly name: string;
  readonly count: number;
}

export interface Field {
  readonly key: string;
  readonly label: string;
  readonly value_type: string;
}

export interface Channel {
  readonly uuid: string;
  readonly name: string | null;
  readonly address: string | null;
  readonly last_seen: string;
  readonly device: {
    readonly name: string;
    readonly power_level: number;
    readonly power_status: string | null;
    readonly network_type: string | null;
  } | null;
}

export interface Resthook {
  readonly resthook: string;
  readonly modified_on: string;
}

export interface Subscriber {
  readonly id: number;
  readonly resthook: string;
  readonly target_url: string;
}

/** The number of a contact's phone. */
export function phoneOf(urns: readonly string[]): string | undefined {
  return urns
    .find((urn) => urn.startsWith("tel:"))
    ?.slice("tel:".length)
    .replace(/#.*$/s, "");
}

/** The text in its base language. */
export function baseText(text: Readonly<Record<string, string>>, base?: string): string {
  return text[base ?? "base"] ?? text["base"] ?? Object.values(text)[0] ?? "";
}
