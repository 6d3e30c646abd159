import type { AccountData } from "../../wire/index.js";
import type { Path } from "../sheet/raw-value.js";

/** The service's rules for definitions and queries. The lab passes them in. */
export interface AccountRules {
  readonly readDefinitions: DefinitionReader;
  /** Makes a checker of queries: what is wrong with one, and where in its text, counted from 1; undefined: nothing. */
  readonly queryChecker: (
    account: Pick<AccountData, "organisation" | "fields" | "groups">,
  ) => (query: string) => { readonly column: number; readonly length: number; readonly message: string } | undefined;
}

/**
 * Reads definitions: a whole export, or a single flow.
 *
 * @param json - what JSON.parse gave
 */
export type DefinitionReader = (json: unknown) => {
  /** Fields, groups, labels, flows, campaigns, triggers and resthooks. */
  readonly account: AccountData;
  /** What was left out, and why: the message goes on after the name of the value at the path. */
  readonly problems: readonly { readonly path: Path; readonly message: string }[];
};
