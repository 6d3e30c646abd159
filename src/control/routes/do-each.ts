import { InvalidValue, optional, required, type ValueType } from "../../api/index.js";
import { anyObject, words } from "./kinds.js";
import { ControlRefusal } from "../refusal.js";
import { type ControlRoute, writeRoute } from "./route.js";
import { instantOf, selectorAbout } from "./shapes.js";

/** Most selectors in one request: each is an input of the recording. */
const SELECTORS_MAX = 500;

const selectors: ValueType<readonly string[]> = {
  schema: { type: "array", items: words.schema, minItems: 1, maxItems: SELECTORS_MAX },
  shape: "list",
  parse(value, request) {
    if (!Array.isArray(value)) throw new InvalidValue("Must be a list of selectors.");
    if (value.length === 0) throw new InvalidValue("This list may not be empty.");
    if (value.length > SELECTORS_MAX) {
      throw new InvalidValue(`Ensure this list has at most ${SELECTORS_MAX} selectors, got ${value.length}.`);
    }
    return value.map((selector) => words.parse(selector, request));
  },
};

/** The route that performs a verb on a list of selectors. */
export const doEachRoutes: readonly ControlRoute[] = [
  writeRoute({
    path: "/do-each",
    about: "Performs a verb for a list of selectors at one virtual time. Each selector is a separate recorded input.",
    fields: {
      verb: required(words, "The verb: one with the argument `of`"),
      of: required(selectors, `${selectorAbout}; up to ${SELECTORS_MAX}`),
      args: optional(anyObject, "The other arguments of the verb"),
    },
    example: ({ handset }) => ({ verb: "power", of: [handset], args: { mains: "off", for: "40m" } }),
    serve({ verb, of, args = {} }, { control }) {
      const refused: { readonly of: string; readonly message: string }[] = [];
      let first: ControlRefusal | undefined;
      for (const selector of of) {
        try {
          control.perform(verb, { ...args, of: selector });
        } catch (error) {
          if (!(error instanceof ControlRefusal)) throw error;
          first ??= error;
          refused.push({ of: selector, message: error.message });
        }
      }
      // When all are refused, the request is refused.
      if (first !== undefined && refused.length === of.length) throw first;
      return { at: instantOf(control, control.clock().nowMs), done: of.length - refused.length, refused };
    },
  }),
];
