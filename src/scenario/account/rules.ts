import type { AccountData } from "../../wire/index.js";
import type { Path } from "../sheet/raw-value.js";

/** The service's rules for definitions and queries. The lab passes them in. */
export interface AccountRules {
  readonly readDefinitions: DefinitionReader;
  /** Makes a function that checks a query: it returns the fault and its column from 1; undefined: no fault. */
  readonly queryChecker: (
    account: Pick<AccountData, "organisation" | "fields" | "groups">,
  ) => (query: string) => { readonly column: number; readonly length: number; readonly message: string } | undefined;
}

/**
 * Reads definitions: a whole export, or a single flow.
 *
 * @param json - from JSON.parse
 */
export type DefinitionReader = (json: unknown) => {
  /** Fields, groups, labels, flows, campaigns, triggers and resthooks. */
  readonly account: AccountData;
  /** Why parts were omitted; the message follows the name of the value at the path. */
  readonly problems: readonly { readonly path: Path; readonly message: string }[];
};
