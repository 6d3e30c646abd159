import * as z from "zod";
import type { AccountData, GroupData, LabelData } from "../../../wire/index.js";
import { keyed } from "../../sheet/field.js";
import { filledText } from "../../fields/fields.js";
import type { DocumentReader } from "../../sheet/document-reader.js";
import { isList } from "../../sheet/raw-value.js";
import { listEntries } from "../entries.js";
import { nameField, uuid } from "../account-fields.js";
import type { AccountRules } from "../rules.js";

const name = nameField("Its name.", { max: 64, start: true });

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
export function readGroups(reader: DocumentReader): GroupData[] {
  return listEntries(reader, ["groups"]).flatMap(({ path }): GroupData[] => {
    if (typeof reader.at(path) === "string") {
      const only = reader.read(name, path);
      return only === undefined ? [] : [{ name: only, query: null }];
    }
    const given = reader.read(group, path);
    if (given === undefined) return [];
    return [{ uuid: given.uuid, name: given.name, query: given.query ?? null }];
  });
}

/** Checks the queries of the file's own groups with the service's query parser. */
export function checkQueries(
  reader: DocumentReader,
  account: AccountData,
  rules: Pick<AccountRules, "queryChecker">,
): void {
  const faultOf = rules.queryChecker(account);
  for (const { path } of isList(reader.at(["groups"])) ? listEntries(reader, ["groups"]) : []) {
    const at = [...path, "query"];
    const query = reader.at(at);
    if (typeof query !== "string" || query.trim() === "") continue;
    const fault = faultOf(query);
    if (fault === undefined) continue;
    const from = Math.min(fault.column, query.length) - 1;
    reader.reportProblem(at, {
      code: "bad-query",
      message: `cannot be read: ${fault.message}`,
      within: { from, to: from + Math.max(1, fault.length) },
    });
  }
}

/** Reads `labels`. */
export function readLabels(reader: DocumentReader): LabelData[] {
  return listEntries(reader, ["labels"]).flatMap(({ path }): LabelData[] => {
    if (typeof reader.at(path) === "string") {
      const only = reader.read(name, path);
      return only === undefined ? [] : [{ name: only }];
    }
    const given = reader.read(label, path);
    if (given === undefined) return [];
    return [{ uuid: given.uuid, name: given.name }];
  });
}
