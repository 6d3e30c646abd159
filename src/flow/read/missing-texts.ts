import type { ReferenceKind } from "./flow-references.js";
import { isOfAccount, type MissingReference, type ReferencePlace } from "./missing-references.js";

/** The words for missing things of one kind, in singular and plural. */
interface KindText {
  readonly one: string;
  readonly many: string;
  /** What happens without it. */
  readonly effect: string;
  readonly effects: string;
  /** How to correct it. */
  readonly remedy: string;
  readonly remedies: string;
}

const kindTexts: Readonly<Record<ReferenceKind, KindText>> = {
  flow: {
    one: "flow",
    many: "flows",
    effect: "entering it fails the run, and nobody is started in it",
    effects: "entering one fails the run, and nobody is started in one",
    remedy: "add it to the export, or load a file that has it",
    remedies: "add them to the export, or load a file that has them",
  },
  "trigger flow": {
    one: "flow of a trigger or campaign",
    many: "flows of triggers and campaigns",
    effect: "what starts it is left out",
    effects: "what starts them is left out",
    remedy: "add it to the export",
    remedies: "add them to the export",
  },
  boundaries: {
    one: "level of boundaries",
    many: "levels of boundaries",
    effect: "no answer names a place",
    effects: "no answer names a place",
    remedy: "load boundaries with an account file",
    remedies: "load boundaries with an account file",
  },
  group: {
    one: "group",
    many: "groups",
    effect: "nobody joins or leaves it, and no contact is in it",
    effects: "nobody joins or leaves them, and no contact is in them",
    remedy: "list it under 'groups'",
    remedies: "list them under 'groups'",
  },
  field: {
    one: "field",
    many: "fields",
    effect: "it stores nothing, and what reads it is an error",
    effects: "they store nothing, and what reads them is an error",
    remedy: "list it under 'fields'",
    remedies: "list them under 'fields'",
  },
  global: {
    one: "global",
    many: "globals",
    effect: "what reads it is an error",
    effects: "what reads them is an error",
    remedy: "give it under 'globals' of an account file",
    remedies: "give them under 'globals' of an account file",
  },
  label: {
    one: "label",
    many: "labels",
    effect: "no message gets it",
    effects: "no message gets them",
    remedy: "list it under 'labels' of an account file",
    remedies: "list them under 'labels' of an account file",
  },
  channel: {
    one: "channel",
    many: "channels",
    effect: "nobody prefers it",
    effects: "nobody prefers them",
    remedy: "only handsets are channels",
    remedies: "only handsets are channels",
  },
  contact: {
    one: "contact",
    many: "contacts",
    effect: "nothing is sent to it or started for it",
    effects: "nothing is sent to them or started for them",
    remedy: "load it with an account file",
    remedies: "load them with an account file",
  },
};

/** Most names in one sentence, and most places in one line. */
const SHOWN_MAX = 3;

/** A kind's missing things as lines: a heading, then a line for each. */
export interface MissingLines {
  /** Without a full stop. */
  readonly heading: string;
  readonly lines: readonly string[];
}

/** How missing things are listed. */
export interface MissingLineOptions {
  /** All are listed as needed, because the account is unknown. */
  readonly isNeed?: boolean;
  /** Words for a place. Default: the flow, the node's UUID, and what refers there. */
  readonly place?: (place: ReferencePlace) => string;
}

/** All missing things by kind, for a list. Kinds that no export contains are listed as needed, not as missing. */
export function missingLines(
  missing: readonly MissingReference[],
  { isNeed = false, place = placeText }: MissingLineOptions = {},
): readonly MissingLines[] {
  return byKind(missing).map(([kind, things]) => {
    const { what, verb, effect, remedy } = textsFor(kind, things.length);
    const lack =
      isNeed || things.some(isOfAccount) ? `needs ${what}, else ${effect}` : `${what} ${verb} missing: ${effect}`;
    return {
      heading: `${lack}; ${remedy}`,
      lines: things.map((thing) => `${nameText(thing)}: ${listText(thing.places.map(place), "places", "; ")}`),
    };
  });
}

/** A sentence for each kind of missing thing, without a full stop: their names, and a place. */
export function missingSentences(missing: readonly MissingReference[]): readonly string[] {
  return byKind(missing).map(([kind, things]) => {
    const { what, verb, effect, remedy } = textsFor(kind, things.length);
    const names = listText(things.map(shortName), "others");
    const places = things.flatMap((thing) => thing.places);
    const where = `${places.length > 1 ? "first in " : ""}${places.slice(0, 1).map(placeText).join("")}`;
    const all = things.length > SHOWN_MAX ? "; handset check names all" : "";
    return `${what} ${verb} missing: ${names} (${where}); ${effect}; ${remedy}${all}`;
  });
}

function byKind(missing: readonly MissingReference[]): [ReferenceKind, MissingReference[]][] {
  const found = new Map<ReferenceKind, MissingReference[]>();
  for (const one of missing) {
    const ofKind = found.get(one.kind);
    if (ofKind === undefined) found.set(one.kind, [one]);
    else ofKind.push(one);
  }
  return [...found];
}

function textsFor(
  kind: ReferenceKind,
  count: number,
): { readonly what: string; readonly verb: string } & Pick<KindText, "effect" | "remedy"> {
  const { one, many, effect, effects, remedy, remedies } = kindTexts[kind];
  return count === 1
    ? { what: `1 ${one}`, verb: "is", effect, remedy }
    : { what: `${count} ${many}`, verb: "are", effect: effects, remedy: remedies };
}

function nameText(thing: MissingReference): string {
  const { uuid, name } = thing;
  return name === "" || uuid === null ? shortName(thing) : `${shortName(thing)} (${uuid})`;
}

function shortName({ uuid, name }: MissingReference): string {
  return name === "" ? (uuid ?? "without a name") : `'${name}'`;
}

function placeText({ flow, node, by, otherwise }: ReferencePlace): string {
  const rest = otherwise === undefined ? "" : `, so answers take '${otherwise}'`;
  return flow === null ? by : `flow '${flow.name}', node ${node ?? ""}: ${by}${rest}`;
}

function listText(texts: readonly string[], word: string, separator = ", "): string {
  const shown = texts.slice(0, SHOWN_MAX).join(separator);
  return texts.length <= SHOWN_MAX ? shown : `${shown}${separator}and ${texts.length - SHOWN_MAX} ${word}`;
}
