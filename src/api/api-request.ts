import type { Account, AccountTables } from "../account/index.js";
import type { AccountLists } from "../store/index.js";
import {
  type ExportVersionForm,
  formatTimestampZoned,
  type OrganisationData,
  type Role,
  type UrnErrorForm,
} from "../wire/index.js";

/** The account behind the API, and the lab that it belongs to. */
export interface ApiContext {
  readonly account: Account;
  readonly tables: AccountTables;
  readonly lists: AccountLists;
  readonly organisation: OrganisationData;
  readonly urnErrors: UrnErrorForm;
  readonly exportVersion: ExportVersionForm;
  /** Whether the lab may send HTTP requests to this URL. */
  readonly isAllowed: (url: string) => boolean;
  /** The instant 0 of virtual time, in milliseconds since 1970. */
  readonly startsAtMs: number;
  /** Current virtual time, in milliseconds since `startsAtMs`. */
  readonly nowMs: number;
  /**
   * Changes the account: records the request, runs `act`, commits. The caller has finished all checks: `act` does not
   * throw.
   */
  write<T>(input: RecordedRequest, act: () => T): T;
}

/** A request that changes the account, as it is recorded before it takes effect. */
export interface RecordedRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** The parsed body, before its fields are validated; null for DELETE. */
  readonly body: unknown;
}

/** One authorized request. */
export class ApiRequest {
  readonly context: ApiContext;
  readonly role: Role;
  /**
   * Whether the API refuses what real systems refuse: `--strict`
   * (docs/reference/service-api.md#documentation-and-real-systems).
   */
  readonly isStrict: boolean;
  readonly method: string;
  /** Where the client reaches the server, without a slash at the end: `https://lab.example/handset`. */
  readonly site: string;
  readonly query: URLSearchParams;
  /** Path and query as received. */
  readonly path: string;
  /** The last value of each parameter. */
  readonly #params: ReadonlyMap<string, string>;

  constructor(options: {
    context: ApiContext;
    role: Role;
    isStrict: boolean;
    method: string;
    site: string;
    path: string;
    query: URLSearchParams;
  }) {
    this.context = options.context;
    this.role = options.role;
    this.isStrict = options.isStrict;
    this.method = options.method;
    this.site = options.site;
    this.path = options.path;
    this.query = options.query;
    this.#params = new Map(options.query);
  }

  /** Its address without the query: the start of links to other pages. */
  get url(): string {
    const cut = this.path.indexOf("?");
    return this.site + (cut === -1 ? this.path : this.path.slice(0, cut));
  }

  /**
   * Value of a query parameter: the last when it is repeated, undefined when it is empty
   * (docs/reference/service-api.md#query-parameters).
   */
  param(name: string): string | undefined {
    const value = this.#params.get(name);
    return value === "" ? undefined : value;
  }

  /**
   * Formats an instant of virtual time as records show it: UTC, six digits (docs/reference/service-api.md#timestamps).
   */
  timestamp(atMs: number): string {
    return formatTimestampZoned(this.context.startsAtMs + atMs);
  }
}
