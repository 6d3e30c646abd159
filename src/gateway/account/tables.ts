import type { ContactTable } from "../contacts.js";
import type { LabelTable } from "./labels.js";

/** Where the account is kept, one table a kind of thing. The store implements them; they answer at once. */
export interface AccountTables {
  readonly contacts: ContactTable;
  readonly labels: LabelTable;
}
