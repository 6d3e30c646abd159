import type { MigrationOptions } from "../../flow/index.js";
import { textOf } from "./json-cursor.js";
import { legacyId } from "./summary.js";

/**
 * UUIDs of flows by the numbers that the exporting database gave them, for {@link MigrationOptions.idUuid}. If two
 * flows have one number, the first counts. Groups and labels were imported by their names, so their numbers are not
 * used.
 */
export function uuidsOfFlowNumbers(
  flows: Iterable<{ readonly uuid?: string | undefined; readonly definition: unknown }>,
): NonNullable<MigrationOptions["idUuid"]> {
  const uuids = new Map<string, string | undefined>();
  for (const { uuid, definition } of flows) {
    const number = legacyId(definition);
    if (number !== undefined && !uuids.has(number)) uuids.set(number, uuid);
  }
  return (kind, id) => (kind === "flow" ? uuids.get(textOf(id) ?? "") : "");
}
