import { segmentsOf } from "../../wire/index.js";

/** Characters that may stand for each other in a pseudonym. */
export interface LetterClass {
  readonly members: readonly string[];
  /** Index of the character in `members`. */
  readonly index: number;
}

const DIGITS = Array.from("0123456789");
const LOWER = Array.from("abcdefghijklmnopqrstuvwxyz");
const UPPER = LOWER.map((letter) => letter.toUpperCase());

/** Letters of the GSM alphabet beyond ASCII, by case; Greek ones are capitals without small letters. */
const gsmCategories = [/^\p{Ll}$/u, /^\p{Lu}$/u] as const;
const general = [/^\p{Lu}$/u, /^\p{Ll}$/u, /^\p{Lt}$/u, /^\p{Lm}$/u, /^\p{Lo}$/u, /^\p{Nd}$/u] as const;

const known = new Map<string, LetterClass | null>();
const gsmClasses = new Map<number, readonly string[]>();
const blocks = new Map<string, readonly string[]>();

/**
 * The class of a letter or digit; undefined for any other character. Members have the same case, alphabet (GSM or not),
 * script block and length in UTF-16, so a text keeps its number of segments.
 */
export function letterClass(character: string): LetterClass | undefined {
  let found = known.get(character);
  if (found === undefined) {
    const members = membersFor(character);
    const index = members?.indexOf(character) ?? -1;
    found = members === undefined || index === -1 ? null : { members, index };
    known.set(character, found);
  }
  return found ?? undefined;
}

function membersFor(character: string): readonly string[] | undefined {
  for (const members of [DIGITS, LOWER, UPPER]) if (members.includes(character)) return members;
  const category = general.findIndex((one) => one.test(character));
  if (category === -1) return undefined;
  return isGsm(character) ? gsmMembers(character) : blockMembers(character, category);
}

function gsmMembers(character: string): readonly string[] {
  const which = gsmCategories.findIndex((one) => one.test(character));
  const isGreek = /\p{Script=Greek}/u.test(character);
  const key = isGreek ? 2 : which;
  let members = gsmClasses.get(key);
  if (members === undefined) {
    members = [];
    const category = gsmCategories[which] ?? gsmCategories[0];
    const all = Array.from({ length: 0x400 - 0x80 }, (_, offset) => String.fromCodePoint(0x80 + offset));
    members = all.filter((one) => category.test(one) && isGsm(one) && /\p{Script=Greek}/u.test(one) === isGreek);
    gsmClasses.set(key, members);
  }
  return members;
}

/** Letters of the same 128 code points, so of one script, and of the same category that GSM lacks. */
function blockMembers(character: string, category: number): readonly string[] {
  const block = (character.codePointAt(0) ?? 0) >> 7;
  const key = `${block} ${category}`;
  let members = blocks.get(key);
  if (members === undefined) {
    const all = Array.from({ length: 128 }, (_, offset) => String.fromCodePoint((block << 7) + offset));
    const pattern = general[category] ?? general[0];
    // A pseudonym must survive a receiver that normalises texts, so members do not change under NFC.
    members = all.filter((one) => pattern.test(one) && !isGsm(one) && one.normalize("NFC") === one);
    if (!members.includes(character)) members = [character];
    blocks.set(key, members);
  }
  return members;
}

function isGsm(character: string): boolean {
  const { encoding, units } = segmentsOf(character);
  return encoding === "GSM-7" && units === 1;
}
