import { type LocationTree, spendWork } from "../../expression/index.js";
import type {
  Assets,
  ChannelAsset,
  ContactPart,
  SessionContact,
  FieldAsset,
  FlowDefinition,
  GroupAsset,
  NamedReference,
} from "../../flow/index.js";
import type { Channel, Channels } from "../../gateway/index.js";
import { phoneCountry } from "../../wire/index.js";
import type { Boundaries } from "../boundaries.js";
import type { FieldRow } from "../fields.js";
import type { FlowRow } from "../flows.js";
import type { Organisation } from "../organisation.js";
import type { SmartGroup } from "../groups/parsed-groups.js";
import type { SmartGroups } from "../groups/smart-groups.js";
import type { ComparedContact } from "../query/compared-contact.js";
import { TEST_UNITS } from "../slices.js";
import type { AccountTables } from "../tables/account-tables.js";
import type { GroupRow } from "../tables/group-table.js";
import type { ContactStates } from "./contact-states.js";
import type { FlowDefinitions } from "./flow-definitions.js";

const noGlobals: Readonly<Record<string, string>> = {};

/** The parts of the account that look-ups of flows read. */
interface FlowAssetsOptions {
  readonly organisation: Organisation;
  readonly tables: AccountTables;
  readonly channels: Channels;
  readonly smartGroups: SmartGroups;
  readonly contactStates: ContactStates;
  readonly boundaries: Boundaries;
  readonly definitions: FlowDefinitions;
}

/** The account's objects as flows look them up, by uuid and name. */
export class FlowAssets implements Assets {
  readonly #options: FlowAssetsOptions;
  // A cache, because parsing the country of a number takes 15 us. `of`: the version of the channels that it is of.
  #channels: { readonly of: number; readonly assets: readonly ChannelAsset[] } | undefined;
  #channelsByUuid: ReadonlyMap<string, ChannelAsset> | undefined;
  #smartGroups: { readonly from: readonly SmartGroup[]; readonly assets: readonly GroupAsset[] } | undefined;
  #compared: { readonly of: SessionContact; readonly compared: ComparedContact } | undefined;
  #fields: { readonly from: readonly FieldRow[]; readonly sorted: readonly FieldAsset[] } | undefined;

  constructor(options: FlowAssetsOptions) {
    this.#options = options;
  }

  get locations(): LocationTree | undefined {
    return this.#options.boundaries.locations;
  }

  get globals(): Readonly<Record<string, string>> {
    return this.#options.organisation.get().globals ?? noGlobals;
  }

  flow(uuid: string): FlowDefinition | undefined {
    return this.#definitionOf(this.#options.tables.flows.byUuid(uuid.toLowerCase()));
  }

  flowByName(name: string): FlowDefinition | undefined {
    return this.#definitionOf(this.#options.tables.flows.byName(name));
  }

  field(key: string): FieldAsset | undefined {
    const row = this.#options.tables.fields.byKey(key);
    return row && fieldAsset(row);
  }

  fields(): readonly FieldAsset[] {
    const from = this.#options.tables.fields.all();
    if (this.#fields?.from !== from) {
      this.#fields = { from, sorted: from.map(fieldAsset).toSorted((a, b) => (a.name < b.name ? -1 : 1)) };
    }
    return this.#fields.sorted;
  }

  group(uuid: string): GroupAsset | undefined {
    return groupAsset(this.#options.tables.groups.byUuid(uuid.toLowerCase()));
  }

  groupByName(name: string): GroupAsset | undefined {
    return groupAsset(this.#options.tables.groups.byName(name));
  }

  smartGroups(part?: ContactPart): readonly GroupAsset[] {
    const { smartGroups } = this.#options;
    if (part !== undefined) return smartGroups.reading(part).map(smartAsset);
    const from = smartGroups.all;
    if (this.#smartGroups?.from !== from) this.#smartGroups = { from, assets: from.map(smartAsset) };
    return this.#smartGroups.assets;
  }

  isMember({ uuid }: GroupAsset, contact: SessionContact): boolean | undefined {
    const { smartGroups, contactStates } = this.#options;
    // All queries are evaluated for the same contact, one after the other.
    if (this.#compared?.of !== contact) {
      this.#compared = { of: contact, compared: smartGroups.compared(contactStates.viewOf(contact)) };
    }
    const { compared } = this.#compared;
    const before = compared.tested;
    const isMatch = smartGroups.matches(uuid, compared);
    spendWork((compared.tested - before) * TEST_UNITS);
    return isMatch;
  }

  label(uuid: string): NamedReference | undefined {
    return this.#options.tables.labels.byUuid(uuid.toLowerCase());
  }

  labelByName(name: string): NamedReference | undefined {
    return this.#options.tables.labels.byName(name);
  }

  channel(uuid: string): ChannelAsset | undefined {
    const channels = this.channels();
    this.#channelsByUuid ??= new Map(channels.map((channel) => [channel.uuid, channel]));
    return this.#channelsByUuid.get(uuid.toLowerCase());
  }

  channels(): readonly ChannelAsset[] {
    const { channels } = this.#options;
    if (this.#channels?.of !== channels.version) {
      this.#channels = { of: channels.version, assets: channels.active().map(channelAsset) };
      this.#channelsByUuid = undefined;
    }
    return this.#channels.assets;
  }

  resthook(slug: string): { readonly subscribers: readonly string[] } | undefined {
    const { resthooks } = this.#options.tables;
    const row = resthooks.bySlug(slug.toLowerCase());
    return row && { subscribers: resthooks.subscribersOf(row.id).map(({ targetUrl }) => targetUrl) };
  }

  #definitionOf(flow: FlowRow | undefined): FlowDefinition | undefined {
    return flow && this.#options.definitions.of(flow)?.definition;
  }
}

function fieldAsset({ key, label, type }: FieldRow): FieldAsset {
  return { key, name: label, type: type === "numeric" ? "number" : type };
}

function smartAsset({ group }: SmartGroup): GroupAsset {
  const { uuid, name, query } = group;
  return { uuid, name, query: query ?? "" };
}

function groupAsset(row: GroupRow | undefined): GroupAsset | undefined {
  if (row === undefined) return undefined;
  const { uuid, name, query } = row;
  return query === null ? { uuid, name } : { uuid, name, query };
}

function channelAsset({ spec, uuid, phone }: Channel): ChannelAsset {
  const country = phoneCountry(phone);
  return {
    uuid,
    name: spec.name,
    address: phone,
    schemes: ["tel"],
    roles: ["send", "receive"],
    country,
  };
}
