import type { Kernel, Streams } from "../../sim/index.js";
import { Labels } from "./labels.js";
import type { AccountTables } from "./tables.js";

/** What the account's parts are made with. */
export interface AccountOptions {
  readonly kernel: Kernel;
  readonly streams: Streams;
  readonly tables: AccountTables;
}

/** Everything that clients of the REST API can change, one part a resource. */
export class Account {
  readonly labels: Labels;

  constructor(options: AccountOptions) {
    const { tables } = options;
    this.labels = new Labels({ ...options, table: tables.labels });
  }
}
