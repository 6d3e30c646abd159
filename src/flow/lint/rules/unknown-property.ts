import type { LintedFlow } from "../linted-flow.js";
import type { LintRule } from "../rule.js";
import { addressFix, asWritten, neededPaths } from "./related-paths.js";

const contact = [
  "uuid",
  "id",
  "ref",
  "name",
  "first_name",
  "language",
  "status",
  "timezone",
  "created_on",
  "last_seen_on",
  "urns",
  "urn",
  "groups",
  "fields",
  "channel",
  "tickets",
  "ticket",
];
const relatedRun = [
  "uuid",
  "contact",
  "flow",
  "fields",
  "urns",
  "status",
  "results",
  "run",
  "user",
  "input",
  "created_on",
];

/** Properties of the roots in any version of the service (docs/reference/flows.md#context-roots). */
const properties: ReadonlyMap<string, readonly string[]> = new Map([
  ["contact", contact],
  ["parent.contact", contact],
  ["child.contact", contact],
  ["run.contact", contact],
  ["parent", relatedRun],
  ["child", relatedRun],
  ["run", ["uuid", "contact", "flow", "status", "results", "path", "created_on", "exited_on", "input", "webhook"]],
  ["input", ["type", "uuid", "created_on", "channel", "urn", "text", "attachments", "external_id", "labels"]],
  ["node", ["uuid", "visit_count", "categories"]],
]);

const result = [
  "name",
  "value",
  "values",
  "category",
  "categories",
  "category_localized",
  "categories_localized",
  "input",
  "extra",
  "node_uuid",
  "created_on",
];

/** Roots under which a name is a result. */
const resultOwners: ReadonlySet<string> = new Set(["results", "run.results", "child.results", "parent.results"]);

/** `@contact.age`, which is `@fields.age`; `@results.age.text`, which no version has. */
export const unknownProperty: LintRule = {
  name: "unknown-property",
  level: "error",
  isOfService: true,
  summary: "a template reads a property that a contact, an input, a run or a result does not have",
  *check(flow) {
    for (const { template, path } of neededPaths(flow, [
      "contact",
      "input",
      "run",
      "child",
      "parent",
      "node",
      "results",
    ])) {
      const unknown = unknownIn(path);
      if (unknown === undefined) continue;
      const { name, owner, known } = unknown;
      const close = flow.file.nearest(name, known);
      const written = path.join(".");
      const fix =
        addressFix(template.text, written) ??
        (owner === "contact" && close === undefined
          ? contactFix(name, flow)
          : close === undefined
            ? `choose one of ${known.join(", ")}`
            : `did you mean '${close}'?`);
      const { node, at, path: json } = template;
      yield { node, at, path: json, text: `${asWritten({ template, path }, flow)}: '${owner}' has no '${name}'`, fix };
    }
  },
};

/** Schemes that legacy flows read as properties of a contact. */
const schemes: ReadonlySet<string> = new Set([
  "discord",
  "ext",
  "facebook",
  "instagram",
  "line",
  "mailto",
  "tel",
  "telegram",
  "twitter",
  "twitterid",
  "viber",
  "whatsapp",
]);

function contactFix(name: string, { isMigrated }: LintedFlow): string {
  if (isMigrated) return `write @contact.${name} for a field of the contact`;
  const scheme = name === "tel_e164" ? "tel" : name;
  return schemes.has(scheme)
    ? `write @(urn_parts(urns.${scheme}).path) for this address of the contact`
    : `write @fields.${name} for a field of the contact`;
}

function unknownIn(
  path: readonly string[],
): { readonly name: string; readonly owner: string; readonly known: readonly string[] } | undefined {
  for (let length = 1; length < path.length; length++) {
    const owner = path.slice(0, length).join(".");
    const name = path[length] ?? "";
    const known = properties.get(owner);
    if (known !== undefined && !known.includes(name)) return { name, owner, known };
    if (resultOwners.has(path.slice(0, length - 1).join(".")) && !result.includes(name)) {
      return { name, owner, known: result };
    }
  }
  return undefined;
}
