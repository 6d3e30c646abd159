import type { PhoneOwner } from "../../../world/index.js";
import { type Read, describeValue } from "../../sheet/raw-value.js";
import { readPhone } from "./phone.js";
import { scalar } from "./scalar.js";

/** A parsed selector: a group and some of its members, not yet resolved against the cast. */
export interface Selection {
  readonly group: string;
  /** Absent: the first. */
  readonly from?: number;
  /** Absent: the last. */
  readonly to?: number;
  /** 0..1 */
  readonly share?: number;
  /** The original spelling. */
  readonly text: string;
}

/** The pattern of names of groups and carriers: selectors with them need no quotes in YAML and shells. */
export const namePattern = "[A-Za-z][A-Za-z0-9_-]*";

const grammar = new RegExp(
  String.raw`^(?:(?<share>\d+(?:\.\d+)?)%\s+of\s+)?(?<group>${namePattern})(?:/(?<from>\d{1,9})(?:\.\.(?<to>\d{1,9}))?)?$`,
);

/** `clinic`, `clinic/3`, `clinic/0..19`, `10% of clinic`. */
export function readSelection(): Read<Selection> {
  return scalar("a selector such as clinic or clinic/0..19", (text, report) => {
    const bad = (code: "bad-selector" | "out-of-range", message: string, hint: string): undefined => {
      report({ code, message, hint });
      return undefined;
    };
    const parts = grammar.exec(text)?.groups;
    if (parts?.["group"] === undefined) {
      return bad("bad-selector", `must be a selector, got ${describeValue(text)}`, selectorHint(text));
    }
    const share = parts["share"] === undefined ? undefined : Number(parts["share"]) / 100;
    if (share !== undefined && (share <= 0 || share > 1)) {
      return bad("out-of-range", `must select above 0% and up to 100%, got ${parts["share"]}%`, "write 10% of clinic");
    }
    const from = parts["from"] === undefined ? undefined : Number(parts["from"]);
    const to = parts["to"] === undefined ? from : Number(parts["to"]);
    if (from !== undefined && to !== undefined && from > to) {
      return bad("bad-selector", `runs backwards: ${describeValue(text)}`, `write ${parts["group"]}/${to}..${from}`);
    }
    return {
      group: parts["group"],
      from,
      to,
      share,
      text,
    };
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
  const dashed = /^(\S+?)[/[:](\d+)\s*(?:-|–|\.{1,3}|:|,)\s*(\d+)\]?$/.exec(text);
  if (dashed !== null) return `write ${dashed[1]}/${dashed[2]}..${dashed[3]}`;
  const indexed = /^([A-Za-z][\w-]*?)\s*[[(#.: ]\s*(\d+)[\])]?$/.exec(text);
  if (indexed !== null) return `write ${indexed[1]}/${indexed[2]}`;
  return "write clinic, clinic/3, clinic/0..19 or 10% of clinic";
}
