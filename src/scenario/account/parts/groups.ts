import * as z from "zod";
import type { AccountData, GroupData, LabelData } from "../../../wire/index.js";
import { keyed } from "../../sheet/field.js";
import { filledText } from "../../fields/fields.js";
import type { Sheet } from "../../sheet/sheet.js";
import { isList } from "../../sheet/written.js";
import { listEntries } from "../entries.js";
import { called, uuid } from "../account-fields.js";
import type { AccountRules } from "../rules.js";

const name = called("Its name.", { max: 64, start: true });

const group = keyed({
  name,
  query: filledText(
    "What its members have in common: it is a smart group. Without it, members are put in by hand.",
  ).optional(),
  uuid: uuid("Its UUID; without it, one that the seed determines.").optional(),
});

const label = keyed({ name, uuid: uuid("Its UUID; without it, one that the seed determines.").optional() });

/** `groups`: a list of names or maps. */
export const groupsSchema: z.ZodType = z.array(z.union([name, group])).nullable();

/** `labels`: a list of names or maps. */
export const labelsSchema: z.ZodType = z.array(z.union([name, label])).nullable();

/** Reads `groups`. */
export function readGroups(sheet: Sheet): GroupData[] {
  return listEntries(sheet, ["groups"]).flatMap(({ path }): GroupData[] => {
    if (typeof sheet.at(path) === "string") {
      const only = sheet.read(name, path);
      return only === undefined ? [] : [{ name: only, query: null }];
    }
    const given = sheet.read(group, path);
    if (given === undefined) return [];
    return [{ uuid: given.uuid, name: given.name, query: given.query ?? null }];
  });
}

/** Holds the queries of the file's own groups against the language of queries. */
export function checkQueries(sheet: Sheet, account: AccountData, rules: Pick<AccountRules, "queryChecker">): void {
  const faultOf = rules.queryChecker(account);
  for (const { path } of isList(sheet.at(["groups"])) ? listEntries(sheet, ["groups"]) : []) {
    const at = [...path, "query"];
    const query = sheet.at(at);
    if (typeof query !== "string" || query.trim() === "") continue;
    const fault = faultOf(query);
    if (fault === undefined) continue;
    const from = Math.min(fault.column, query.length) - 1;
    sheet.tell(at, {
      code: "bad-query",
      message: `cannot be read: ${fault.message}`,
      within: { from, to: from + Math.max(1, fault.length) },
    });
  }
}

/** Reads `labels`. */
export function readLabels(sheet: Sheet): LabelData[] {
  return listEntries(sheet, ["labels"]).flatMap(({ path }): LabelData[] => {
    if (typeof sheet.at(path) === "string") {
      const only = sheet.read(name, path);
      return only === undefined ? [] : [{ name: only }];
    }
    const given = sheet.read(label, path);
    if (given === undefined) return [];
    return [{ uuid: given.uuid, name: given.name }];
  });
}
