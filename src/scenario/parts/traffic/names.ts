import type { TrafficSpec } from "../../../world/index.js";
import { allTraffic, type TrafficName } from "../../cast-names.js";
import type { DocumentReader } from "../../sheet/document-reader.js";
import type { Path } from "../../sheet/raw-value.js";

/** The entries of `traffic` for verbs. Unsound entries are included, so that one problem does not cause others. */
export function readTrafficNames(
  reader: DocumentReader,
  entries: readonly { readonly path: Path; readonly spec: TrafficSpec | undefined }[],
): TrafficName[] {
  const seen = new Set<string>();
  return entries.map(({ path, spec }) => {
    const namePath = [...path, "name"];
    const written = reader.at(namePath);
    const name = typeof written === "string" ? written : undefined;
    if (name === allTraffic) {
      const message = `'${allTraffic}' stands for all traffic together`;
      reader.reportProblem(namePath, { code: "bad-name", message, whole: true, hint: "give it another name" });
    } else if (name !== undefined && seen.has(name)) {
      const message = `another entry of traffic is already called '${name}'`;
      reader.reportProblem(namePath, { code: "duplicate-name", message, whole: true, hint: "give it another name" });
    }
    if (name !== undefined) seen.add(name);
    return { name, each: spec?.each ?? 1, isTimed: spec?.arrivals === "times" };
  });
}
