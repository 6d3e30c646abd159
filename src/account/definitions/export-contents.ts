import type { FieldData, GroupData, LabelData, ResthookData } from "../../wire/index.js";
import type { Mention } from "./flow-summary.js";
import type { ReadFlow } from "./read-flow.js";

/** A field whose key is known. */
export type KeyedField = FieldData & { readonly key: string };

/**
 * What an export lists, found by whatever it is mentioned by; what is mentioned and not listed comes into being
 * (flows.md 1, "Import order"), except flows.
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
    return this.#labels.all().map(({ uuid, name }) => ({ ...(uuid !== undefined && { uuid }), name }));
  }

  get resthooks(): ResthookData[] {
    return [...this.#resthooks].map((slug) => ({ slug, subscribers: [] }));
  }

  /** UUID, or the name where it has none; undefined when the export has no such flow, or it was left out. */
  flow(mention: Mention): string | undefined {
    const flow =
      this.#flows.get(mention.uuid ?? "") ??
      (mention.name === null ? undefined : this.#flows.get(nameKey(mention.name)));
    return flow?.data.uuid ?? flow?.data.name;
  }

  /** The group's name; undefined when the mention has none, and the export neither. */
  group(mention: Mention): string | undefined {
    return this.#groups.addMention(mention);
  }

  addLabel(mention: Mention): void {
    this.#labels.addMention(mention);
  }

  /** The first of a key stays. A key that no field can have is no field (service-api.md 2.10). */
  field(field: KeyedField): void {
    if (/^[a-z][a-z0-9_]{0,35}$/.test(field.key) && !this.#fields.has(field.key)) this.#fields.set(field.key, field);
  }

  addResthook(slug: string): void {
    this.#resthooks.add(slug);
  }
}

function nameKey(name: string): string {
  return `name ${name.trim().toLowerCase()}`;
}

/** Things with a UUID and a name; the same name in any case is the same thing. */
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
    // A number was the id in a database that is not ours (flows.md 9.2, version 9).
    const own = uuid === null || /^\d+$/.test(uuid) ? {} : { uuid };
    this.add({ ...own, name, query: null });
    return this.#byName.get(nameKey(name))?.name;
  }

  all(): GroupData[] {
    return [...this.#byName.values()];
  }
}
