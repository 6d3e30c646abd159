import { withoutDisplay } from "../../wire/index.js";
import { type ContactContext, type ContactView, rawFieldOf } from "../text/contact-view.js";
import { localDay, parseDateText } from "../text/date-text.js";
import { shownFieldValue } from "../text/field-values.js";
import type { QueryProperty } from "./query.js";

type Values = readonly (string | number)[];

/**
 * A contact with its values in the form of comparands, each computed once, because the queries of many groups read the
 * same ones.
 */
export class ComparedContact {
  readonly #contact: ContactView;
  readonly #context: ContactContext;
  readonly #values = new Map<string, Values>();
  #groups: ReadonlySet<string> | undefined;
  #tested = 0;

  constructor(contact: ContactView, context: ContactContext) {
    this.#contact = contact;
    this.#context = context;
  }

  /** Number of values compared so far: the measure of the work. */
  get tested(): number {
    return this.#tested;
  }

  /** The values of a property; empty when it is not set. */
  valuesOf(property: QueryProperty): Values {
    const key = property.kind === "attribute" ? property.name : `${property.kind} ${property.name}`;
    let values = this.#values.get(key);
    if (values === undefined) {
      values = this.#read(property);
      this.#values.set(key, values);
    }
    this.#tested += 1 + values.length;
    return values;
  }

  /** Whether the contact is in the group with a name or UUID in lower case. */
  isInGroup(nameOrUuid: string): boolean {
    this.#tested++;
    this.#groups ??= new Set(
      this.#contact.groups.flatMap(({ uuid, name }) => [uuid.toLowerCase(), name.toLowerCase()]),
    );
    return this.#groups.has(nameOrUuid);
  }

  /** Called when the contact has joined or left a group. */
  forgetGroups(): void {
    this.#groups = undefined;
  }

  #read(property: QueryProperty): Values {
    const contact = this.#contact;
    switch (property.kind) {
      case "scheme":
        return pathsOf(contact, property.name);
      case "field":
        return this.#fieldValues(property);
      case "attribute":
        break;
    }
    switch (property.name) {
      case "uuid":
        return [contact.uuid.toLowerCase()];
      case "name":
        return textValues(contact.name);
      case "language":
        return textValues(contact.language);
      case "urn":
        return pathsOf(contact);
      case "created_on":
        return [localDay(contact.createdEpochMs, this.#context.timezone)];
      case "group":
        throw new Error("groups are compared by isInGroup");
    }
  }

  #fieldValues({ name, type }: Extract<QueryProperty, { kind: "field" }>): Values {
    const context = this.#context;
    const raw = rawFieldOf(this.#contact, name);
    if (type !== "datetime") return textValues(shownFieldValue(type, raw, context));
    const epochMs = raw === undefined ? undefined : parseDateText(raw, context);
    return epochMs === undefined ? [] : [localDay(epochMs, context.timezone)];
  }
}

function textValues(text: string | null): string[] {
  return text === null || text === "" ? [] : [text.toLowerCase()];
}

/** Paths of the contact's addresses, of one scheme or of all, without their display parts. */
function pathsOf({ urns }: ContactView, scheme?: string): string[] {
  return urns
    .filter((urn) => scheme === undefined || urn.startsWith(`${scheme}:`))
    .map((urn) => withoutDisplay(urn.slice(urn.indexOf(":") + 1)).toLowerCase());
}
