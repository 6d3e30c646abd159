import type { Account, AccountTables } from "../account/index.js";
import type { AccountLists } from "../store/index.js";
import { formatTimestampZoned, type OrganisationData, type Role, type UrnErrorForm } from "../wire/index.js";

/** What the API needs of the lab that it speaks for. */
export interface ApiContext {
  readonly account: Account;
  readonly tables: AccountTables;
  readonly lists: AccountLists;
  readonly organisation: OrganisationData;
  readonly urnErrors: UrnErrorForm;
  /** Whether anything may be sent to an address. */
  readonly isAllowed: (url: string) => boolean;
  /** The instant 0 of virtual time, in milliseconds since 1970. */
  readonly startsAtMs: number;
  /** Virtual time now. */
  readonly nowMs: number;
  /**
   * Does something to the account: records who asked for what, acts, commits, returns. All checks are over when it is
   * called: `act` does not refuse.
   */
  write<T>(input: RecordedRequest, act: () => T): T;
}

/** A request that changes something, as it is recorded before it takes effect. */
export interface RecordedRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** The values that were read from the body. */
  readonly body: unknown;
}

/** One request that has been let in. */
export class ApiRequest {
  readonly context: ApiContext;
  readonly role: Role;
  /** Refuses what real systems refuse (service-api.md 4). */
  readonly isStrict: boolean;
  readonly method: string;
  /** Scheme, host and path, without the query: what links to other pages begin with. */
  readonly url: string;
  readonly query: URLSearchParams;
  /** Path and query as they came. */
  readonly path: string;
  /** Of a repeated parameter the last. */
  readonly #params: ReadonlyMap<string, string>;

  constructor(options: {
    context: ApiContext;
    role: Role;
    isStrict: boolean;
    method: string;
    url: string;
    path: string;
    query: URLSearchParams;
  }) {
    this.context = options.context;
    this.role = options.role;
    this.isStrict = options.isStrict;
    this.method = options.method;
    this.url = options.url;
    this.path = options.path;
    this.query = options.query;
    this.#params = new Map(options.query);
  }

  /** A query parameter: of a repeated one the last counts; empty counts as absent (service-api.md 1.10). */
  param(name: string): string | undefined {
    const value = this.#params.get(name);
    return value === "" ? undefined : value;
  }

  /** An instant as records show it: UTC, six digits (service-api.md 1.7). */
  timestamp(atMs: number): string {
    return formatTimestampZoned(this.context.startsAtMs + atMs);
  }
}
