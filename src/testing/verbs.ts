import { handVerbs, type HandVerb, type VerbArgs } from "../scenario/index.js";

/** `power-cut` as a method: `powerCut`. */
type CamelCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** Verbs whose names are used for something else of a lab; `lab.do(…)` performs them, too. */
type Overloaded = "reset" | "receiver";

/** Performs a verb of the story now, by hand. */
export type Do = <Name extends HandVerb>(verb: Name, args: VerbArgs[Name]) => void;

/**
 * The verbs of the scenario language as methods, with their arguments as in a story: `lab.power({ of: "clinic", mains:
 * "off" })`. Each acts at once, without time passing. docs/scenario.md describes them.
 */
export type LabVerbs = {
  readonly [Name in Exclude<HandVerb, Overloaded> as CamelCase<Name>]: (args: VerbArgs[Name]) => void;
};

/** The verbs that act on handsets, with the handset in place of `of`. */
export type HandsetVerbs = {
  readonly [Name in HandVerb as VerbArgs[Name] extends { readonly of: unknown } ? CamelCase<Name> : never]: (
    args?: Omit<VerbArgs[Name], "of">,
  ) => void;
};

/** Names of all verbs that can be done by hand, as a story and as a method spell them. */
export const verbMethods: readonly { readonly verb: HandVerb; readonly method: string }[] = handVerbs.map((verb) => ({
  verb,
  method: verb.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()),
}));
