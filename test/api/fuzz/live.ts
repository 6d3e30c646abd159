/**
 * A placeholder for a value that exists in the service when the request is sent. Drafts hold only a kind and a
 * number, so that a seed gives the same requests whatever UUIDs the service generates.
 */
export class Live {
  /** `contacts.uuid`: resource and field. */
  readonly kind: string;
  readonly index: number;

  constructor(kind: string, index: number) {
    this.kind = kind;
    this.index = index;
  }
}

/** Kinds of values by the name of a parameter or field, in addition to the fields of the resource itself. */
const REFERENCES: Readonly<Record<string, readonly string[]>> = {
  broadcast: ["broadcasts.id"],
  campaign: ["campaigns.uuid", "campaigns.name"],
  channel: ["channels.uuid"],
  contact: ["contacts.uuid"],
  contacts: ["contacts.uuid", "contacts.urns"],
  fields: ["fields.key"],
  flow: ["flows.uuid"],
  group: ["groups.uuid", "groups.name"],
  groups: ["groups.uuid", "groups.name"],
  label: ["labels.uuid", "labels.name"],
  label_name: ["labels.name"],
  messages: ["inbox.id", "messages.id"],
  relative_to: ["fields.key"],
  resthook: ["resthooks.resthook"],
  urn: ["contacts.urns"],
  urns: ["contacts.urns"],
};

/** Kinds of live values that fit a name in an operation on a resource (`contacts`), likeliest first. */
export function kindsFor(resource: string, name: string): readonly string[] {
  if (name === "before" || name === "after") return [`${resource}.created_on`, `${resource}.modified_on`];
  return (isReference(resource, name) ? REFERENCES[name] : undefined) ?? [`${resource}.${name}`];
}

/** Whether a name refers to records of another resource. */
export function isReference(resource: string, name: string): boolean {
  // The label of a contact field is a text, not a reference.
  return Object.hasOwn(REFERENCES, name) && !(resource === "fields" && name === "label");
}

/** Values of the service's records by kind, from the latest lists. */
export class Pool {
  readonly #values = new Map<string, (string | number)[]>();

  /** Adds the values of a page of a resource's list. */
  learn(resource: string, page: { results: readonly unknown[]; next?: unknown; previous?: unknown }): void {
    const fresh = new Map<string, Set<string | number>>();
    const note = (kind: string, value: unknown): void => {
      if (typeof value !== "string" && typeof value !== "number") return;
      const values = fresh.get(kind) ?? new Set();
      fresh.set(kind, values.add(value));
    };
    for (const record of page.results) {
      if (typeof record !== "object" || record === null) continue;
      for (const [name, value] of Object.entries(record)) {
        for (const each of Array.isArray(value) ? (value as unknown[]) : [value]) note(`${resource}.${name}`, each);
      }
    }
    for (const link of [page.next, page.previous]) {
      if (typeof link === "string") note(`${resource}.cursor`, new URL(link).searchParams.get("cursor"));
    }
    for (const [kind, values] of fresh) this.#values.set(kind, [...values]);
  }

  /** Whether a value of a kind exists. */
  has({ kind }: Live): boolean {
    return this.#values.has(kind);
  }

  /** The value for a placeholder; a plausible unknown value when none of the kind exists. */
  value({ kind, index }: Live): string | number {
    const values = this.#values.get(kind) ?? [];
    return values[index % values.length] ?? "00000000-0000-4000-8000-000000000000";
  }

  /** A copy of a generated value with every placeholder replaced; placeholders without a value are left out. */
  fill(value: unknown): unknown {
    if (value instanceof Live) return this.value(value);
    if (Array.isArray(value)) return value.filter((item) => this.#canFill(item)).map((item) => this.fill(item));
    if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
    const members = Object.entries(value).flatMap(([key, item]) => {
      const place = liveKey(key);
      if (!this.#canFill(item) || !this.#canFill(place)) return [];
      return [[place === undefined ? key : String(this.value(place)), this.fill(item)]];
    });
    return Object.fromEntries(members);
  }

  #canFill(value: unknown): boolean {
    return !(value instanceof Live) || this.has(value);
  }
}

/** Keys of dictionaries can be live too: they are written `live:kind:index`. */
function liveKey(key: string): Live | undefined {
  const match = /^live:([^:]+):(\d+)$/.exec(key);
  return match === null ? undefined : new Live(String(match[1]), Number(match[2]));
}
