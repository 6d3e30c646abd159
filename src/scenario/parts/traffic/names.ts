import type { TrafficSpec } from "../../../world/index.js";
import { allTraffic, type TrafficName } from "../../cast-names.js";
import type { Sheet } from "../../sheet/sheet.js";
import type { Path } from "../../sheet/written.js";

/** The entries of `traffic` by which verbs go, unsound ones too, so that one fault in them does not make others. */
export function nameTraffic(
  sheet: Sheet,
  entries: readonly { readonly path: Path; readonly spec: TrafficSpec | undefined }[],
): TrafficName[] {
  const seen = new Set<string>();
  return entries.map(({ path, spec }) => {
    const namePath = [...path, "name"];
    const written = sheet.at(namePath);
    const name = typeof written === "string" ? written : undefined;
    if (name === allTraffic) {
      const message = `'${allTraffic}' stands for all traffic together`;
      sheet.tell(namePath, { code: "bad-name", message, whole: true, hint: "give it another name" });
    } else if (name !== undefined && seen.has(name)) {
      const message = `another entry of traffic is already called '${name}'`;
      sheet.tell(namePath, { code: "duplicate-name", message, whole: true, hint: "give it another name" });
    }
    if (name !== undefined) seen.add(name);
    return { name, each: spec?.each ?? 1, isTimed: spec?.arrivals === "times" };
  });
}
