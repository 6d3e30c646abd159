import type { Streams } from "../sim/index.js";
import type { OrganisationData, TokenData } from "../wire/index.js";

/** Where what is known of the account itself is kept. The store implements it. */
export interface OrganisationTable {
  /** Undefined: nothing was said of it yet. */
  get(): OrganisationData | undefined;
  put(organisation: OrganisationData): void;
}

/** Who may use the API. The store implements it. */
export interface TokenTable {
  all(): TokenData[];
  /** Inserts a token, or replaces what was stored of it. */
  put(token: TokenData): void;
}

/** The account itself: its name, country, languages… (service-api.md 2.17). */
export class Organisation {
  readonly #table: OrganisationTable;
  #data: OrganisationData;

  constructor({ streams, table }: { streams: Streams; table: OrganisationTable }) {
    this.#table = table;
    this.#data = table.get() ?? { ...nameless, uuid: streams.uuid("organisation") };
  }

  get(): OrganisationData {
    return this.#data;
  }

  /** What is not named stays as it is. */
  set(changes: Partial<OrganisationData>): void {
    this.#data = { ...this.#data, ...changes };
    this.#table.put(this.#data);
  }
}

/** An account of which nothing was said. */
const nameless: Omit<OrganisationData, "uuid"> = {
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
