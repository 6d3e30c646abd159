import type { Streams } from "../sim/index.js";
import type { OrganisationData, TokenData } from "../wire/index.js";

/** Where the organisation's data is stored. The store implements it. */
export interface OrganisationTable {
  /** Undefined when it was never stored. */
  get(): OrganisationData | undefined;
  put(organisation: OrganisationData): void;
}

/** Where API tokens are stored. The store implements it. */
export interface TokenTable {
  all(): TokenData[];
  /** Inserts a token, or replaces its data. */
  put(token: TokenData): void;
}

/**
 * The organisation that owns the account: its name, country, languages… (docs/reference/service-api.md#organisation).
 */
export class Organisation {
  readonly #table: OrganisationTable;
  readonly #changed: (before: OrganisationData, after: OrganisationData) => void;
  #data: OrganisationData;

  /** @param options - `changed`: called after each change */
  constructor(options: {
    streams: Streams;
    table: OrganisationTable;
    changed: (before: OrganisationData, after: OrganisationData) => void;
  }) {
    const { streams, table } = options;
    this.#table = table;
    this.#changed = options.changed;
    this.#data = table.get() ?? { ...initialData, uuid: streams.uuid("organisation") };
  }

  get(): OrganisationData {
    return this.#data;
  }

  /** Replaces the given properties and keeps the others. */
  set(changes: Partial<OrganisationData>): void {
    const before = this.#data;
    this.#data = { ...before, ...changes };
    this.#table.put(this.#data);
    this.#changed(before, this.#data);
  }
}

/** The initial data of an organisation. */
const initialData: Omit<OrganisationData, "uuid"> = {
  name: "Handset Lab",
  country: null,
  languages: [],
  primaryLanguage: null,
  timezone: "UTC",
  dateStyle: "day_first",
  isAnonymous: false,
  isSuspended: false,
  credits: { used: 0, remaining: 1000 },
};
