import { type FieldData, fieldKeyForm, type GroupData, type LabelData, type ResthookData } from "../../wire/index.js";
import type { Mention } from "./flow-summary.js";
import type { ReadFlow } from "./read-flow.js";

/** A field whose key is known. */
export type KeyedField = FieldData & { readonly key: string };

/**
 * The entries of an export, indexed by UUID, old id and name. Entries that are mentioned but not listed are added,
 * except flows (docs/reference/flows.md#import-order).
 */
export class ExportContents {
  readonly flows: readonly ReadFlow[];
  readonly #fields = new Map<string, FieldData>();
  readonly #groups = new NamedEntries();
  readonly #labels = new NamedEntries();
  readonly #resthooks = new Set<string>();
  /** By UUID, by the id of old versions, and by name. */
  readonly #flows = new Map<string, ReadFlow>();

  constructor(listed: {
    readonly flows: readonly ReadFlow[];
    readonly fields?: readonly KeyedField[];
    readonly groups?: readonly GroupData[];
  }) {
    this.flows = listed.flows;
    for (const addField of listed.fields ?? []) this.field(addField);
    for (const addGroup of listed.groups ?? []) this.#groups.add(addGroup);
    for (const findFlow of listed.flows) {
      for (const mark of [findFlow.data.uuid, findFlow.id, nameKey(findFlow.data.name)]) {
        if (mark !== undefined && !this.#flows.has(mark)) this.#flows.set(mark, findFlow);
      }
    }
  }

  get fields(): FieldData[] {
    return [...this.#fields.values()];
  }

  get groups(): GroupData[] {
    return this.#groups.all();
  }

  get labels(): LabelData[] {
    return this.#labels.all().map(({ uuid, name }) => ({ uuid, name }));
  }

  get resthooks(): ResthookData[] {
    return [...this.#resthooks].map((slug) => ({ slug, subscribers: [] }));
  }

  /** The UUID of a flow, or its name when it has none; undefined when the flow is missing or was left out. */
  flow(mention: Mention): string | undefined {
    const flow =
      this.#flows.get(mention.uuid ?? "") ??
      (mention.name === null ? undefined : this.#flows.get(nameKey(mention.name)));
    return flow?.data.uuid ?? flow?.data.name;
  }

  /** Adds a group unless it is listed, and returns its name; undefined when neither mention nor export has a name. */
  group(mention: Mention): string | undefined {
    return this.#groups.addMention(mention);
  }

  addLabel(mention: Mention): void {
    this.#labels.addMention(mention);
  }

  /** Adds a field unless its key is listed or invalid (docs/reference/service-api.md#fields). */
  field(field: KeyedField): void {
    if (fieldKeyForm.test(field.key) && !this.#fields.has(field.key)) this.#fields.set(field.key, field);
  }

  addResthook(slug: string): void {
    this.#resthooks.add(slug);
  }
}

function nameKey(name: string): string {
  return `name ${name.trim().toLowerCase()}`;
}

/** Entries with a UUID and a name that is unique in any letter case. */
class NamedEntries {
  readonly #byName = new Map<string, GroupData>();
  readonly #names = new Map<string, string>();

  add(one: GroupData): void {
    const mark = nameKey(one.name);
    const known = this.#byName.get(mark);
    if (known === undefined) this.#byName.set(mark, one);
    if (one.uuid !== undefined) this.#names.set(one.uuid, known?.name ?? one.name);
  }

  addMention({ uuid, name }: Mention): string | undefined {
    const known = uuid === null ? undefined : this.#names.get(uuid);
    if (known !== undefined || name === null) return known;
    // A number is an id of the exporting database (docs/reference/flows.md#legacy-versions, version 9).
    const own = uuid === null || /^\d+$/.test(uuid) ? {} : { uuid };
    this.add({ ...own, name, query: null });
    return this.#byName.get(nameKey(name))?.name;
  }

  all(): GroupData[] {
    return [...this.#byName.values()];
  }
}
