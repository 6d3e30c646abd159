import type { PhoneOwner } from "../../../world/index.js";
import { type Read, describeValue } from "../../sheet/raw-value.js";
import { readPhone } from "./phone.js";
import { listOf, scalar } from "./scalar.js";

/** A parsed selector: the members of one group or of several, not yet resolved against the cast. */
export interface Selection {
  /** At least one. */
  readonly parts: readonly SelectionPart[];
  /** The original spelling. */
  readonly text: string;
}

/** A group and some of its members. */
export interface SelectionPart {
  /** `all`: every group. */
  readonly group: string;
  /** Absent: the first. */
  readonly from?: number;
  /** Absent: the last. */
  readonly to?: number;
  /** 0..1 */
  readonly share?: number;
  /** Whether the share is drawn again for each execution of a step. */
  readonly isEachTime: boolean;
  /** The original spelling. */
  readonly text: string;
}

/** The word for every group, in place of a group's name. */
export const everyGroup = "all";

/** The pattern of names of groups and carriers: selectors with them need no quotes in YAML and shells. */
export const namePattern = "[A-Za-z][A-Za-z0-9_-]*";

const grammar = new RegExp(
  String.raw`^(?:(?<share>\d+(?:\.\d+)?)%\s+of\s+)?(?<group>${namePattern})(?:/(?<from>\d{1,9})(?:\.\.(?<to>\d{1,9}))?)?(?<each>\s+each\s+time)?$`,
);

/** `clinic`, `clinic/3`, `clinic/0..19`, `10% of clinic`, `all`; or a list of them. */
export function readSelection(): Read<Selection> {
  return (value, report) => {
    const parts = listOf(readPart())(value, report);
    if (parts?.length === 0) {
      report({ code: "bad-value", message: "must not be an empty list", hint: "write clinic, or [clinic, tally]" });
      return undefined;
    }
    if (parts === undefined) return undefined;
    const texts = parts.map(({ text }) => text);
    return { parts, text: parts.length === 1 ? String(texts[0]) : `[${texts.join(", ")}]` };
  };
}

/** One part of a selector. */
function readPart(): Read<SelectionPart> {
  return scalar("a selector such as clinic or clinic/0..19", (text, report) => {
    const bad = (code: "bad-selector" | "out-of-range", message: string, hint: string): undefined => {
      report({ code, message, hint });
      return undefined;
    };
    const parts = grammar.exec(text)?.groups;
    if (parts?.["group"] === undefined) {
      return bad("bad-selector", `must be a selector, got ${describeValue(text)}`, selectorHint(text));
    }
    const { group } = parts;
    const share = parts["share"] === undefined ? undefined : Number(parts["share"]) / 100;
    if (share !== undefined && (share <= 0 || share > 1)) {
      return bad("out-of-range", `must select above 0% and up to 100%, got ${parts["share"]}%`, "write 10% of clinic");
    }
    const isEachTime = parts["each"] !== undefined;
    if (isEachTime && share === undefined) {
      return bad(
        "bad-selector",
        `'each time' needs a share: ${describeValue(text)}`,
        `write 10% of ${group} each time`,
      );
    }
    const from = parts["from"] === undefined ? undefined : Number(parts["from"]);
    const to = parts["to"] === undefined ? from : Number(parts["to"]);
    if (from !== undefined && group === everyGroup) {
      return bad("bad-selector", `'${everyGroup}' has no members of its own: ${describeValue(text)}`, "name a group");
    }
    if (from !== undefined && to !== undefined && from > to) {
      return bad("bad-selector", `runs backwards: ${describeValue(text)}`, `write ${group}/${to}..${from}`);
    }
    return { group, from, to, share, isEachTime, text };
  });
}

/** A selector, or a phone number: `+250788000001`. A text that begins like a number is read as one. */
export function readPeopleChoice(): Read<Selection | PhoneOwner> {
  return (value, report) => {
    if (typeof value !== "string" || !/^\s*(\+|\(?\d[\d\s().-]*$)/.test(value)) return readSelection()(value, report);
    const pattern = readPhone()(value, report);
    if (pattern === undefined) return undefined;
    if (pattern.digits === 0) return { phone: pattern.prefix };
    report({
      code: "bad-phone",
      message: `must be one phone number, without a counter, got ${describeValue(value)}`,
      hint: "a group's numbers are meant by its name: farmers",
    });
    return undefined;
  };
}

function selectorHint(text: string): string {
  if (/^[\w/.-]+(\s*,\s*[\w/.-]+)+$/.test(text)) return `write a list: [${text}]`;
  const dashed = /^(\S+?)[/[:](\d+)\s*(?:-|–|\.{1,3}|:|,)\s*(\d+)\]?$/.exec(text);
  if (dashed !== null) return `write ${dashed[1]}/${dashed[2]}..${dashed[3]}`;
  const indexed = /^([A-Za-z][\w-]*?)\s*[[(#.: ]\s*(\d+)[\])]?$/.exec(text);
  if (indexed !== null) return `write ${indexed[1]}/${indexed[2]}`;
  return "write clinic, clinic/3, clinic/0..19, 10% of clinic or all";
}
