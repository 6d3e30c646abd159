import { fieldKeyForm } from "../../wire/index.js";
import type { FlowDefinition } from "../definition.js";
import type { FlowReference } from "./flow-references.js";
import { isRecord, recordsIn, textIn } from "./json-object.js";
import type { HasReferred } from "./missing-references.js";

/** An export in native form, with those of its flows that can be loaded. */
interface NativeExport {
  readonly flows: readonly FlowDefinition[];
  readonly json: Readonly<Record<string, unknown>>;
}

/**
 * Tells whether an account that has loaded the exports has the object that a reference names. An import adds the
 * groups, labels and fields that flows name (docs/reference/flows.md#import-order). Exports have no channels,
 * contacts, globals or boundaries.
 */
export function exportsHave(exports: readonly NativeExport[]): HasReferred {
  const flows = new Set<string>();
  const groups = new Set<string>();
  const fields = new Set<string>();
  for (const { flows: definitions, json } of exports) {
    for (const flow of definitions) {
      flows.add(mark(flow.uuid)).add(nameMark(flow.name));
      for (const key of fieldsMadeBy(flow)) fields.add(key);
    }
    for (const { uuid } of recordsIn(json["groups"])) groups.add(mark(uuid));
    for (const { key } of recordsIn(json["fields"])) fields.add(mark(key));
    for (const event of recordsIn(json["campaigns"]).flatMap(({ events }) => recordsIn(events))) {
      if (isRecord(event["relative_to"])) fields.add(mark(event["relative_to"]["key"]));
    }
  }
  return ({ kind, uuid = "", name }) => {
    switch (kind) {
      case "flow":
        return flows.has(mark(uuid));
      case "trigger flow":
        return flows.has(mark(uuid)) || flows.has(nameMark(name));
      case "group":
        return name !== "" || groups.has(mark(uuid));
      case "label":
        return name !== "";
      case "field":
        return fields.has(mark(name));
      case "global":
      case "channel":
      case "contact":
      case "boundaries":
        return false;
    }
  };
}

/** The flows that the triggers and campaigns of an export start. */
export function outsideReferences(json: Readonly<Record<string, unknown>>): readonly FlowReference[] {
  const reference = (flow: unknown, by: string): FlowReference[] => {
    if (!isRecord(flow)) return [];
    const { uuid, name } = flow;
    return [{ kind: "trigger flow", ...(typeof uuid === "string" && { uuid }), name: textIn(name), by }];
  };
  return [
    ...recordsIn(json["triggers"]).flatMap(({ flow, trigger_type: type, keyword }) =>
      reference(flow, `trigger ${textIn(type)}${textIn(keyword) === "" ? "" : ` '${textIn(keyword)}'`}`),
    ),
    ...recordsIn(json["campaigns"]).flatMap(({ name, events }) =>
      recordsIn(events).flatMap(({ flow, event_type: type }, index) =>
        type === "M" ? [] : reference(flow, `campaign '${textIn(name)}', event ${index + 1}`),
      ),
    ),
  ];
}

function fieldsMadeBy({ nodes }: FlowDefinition): string[] {
  return nodes
    .flatMap(({ actions }) => actions)
    .flatMap((action) => (action.type === "set_contact_field" && action.field.name !== "" ? [action.field.key] : []))
    .filter((key) => fieldKeyForm.test(key));
}

function mark(uuidOrKey: unknown): string {
  return textIn(uuidOrKey).toLowerCase();
}

function nameMark(name: string): string {
  return `name ${name.trim().toLowerCase()}`;
}
