import {
  callFunction,
  DateTimeValue,
  type Environment,
  evaluateTemplate,
  ObjectValue,
  objectValue,
  type Value,
} from "../../expression/index.js";
import { readableUrn } from "../../wire/index.js";
import { ComputedMap, ComputedObject, type ComputedProperties } from "../context/computed-object.js";
import { contactContext, fieldsContext, readableContact, shownUrn, urnsContext } from "../context/contact-context.js";
import { contactSchemes } from "../contact/contact-urn.js";
import type { SessionContact } from "../contact-state.js";
import { RunEnvironment } from "./run-environment.js";
import type { ContextHost, Host } from "../host.js";

interface MessageSource {
  readonly contact: SessionContact;
  readonly host: ContextHost;
  readonly environment: Environment;
}

/** The roots of messages outside flows. */
const messageRoots: ComputedProperties<MessageSource> = {
  contact: messageContact,
  fields: ({ contact, host }) => fieldsContext(contact, host.assets),
  urns: ({ contact, host }) => urnsContext(contact, host),
  globals: ({ host }) => objectValue(host.assets.globals),
};

/**
 * Evaluates the text of a broadcast or a campaign's message for one contact (docs/reference/flows.md#context-roots).
 * The roots are `contact`, `fields`, `urns` and `globals`. `@contact` also has the spellings of 2017
 * (docs/reference/flows.md#legacy-expressions): any contact field, `tel`, `tel_e164`, and the other schemes of
 * addresses; a contact without a name is shown by its address, or by its id where addresses are hidden.
 *
 * @returns at most 10,000 characters; `errors`: one text for each expression that failed; a failed expression
 * evaluates to an empty text
 */
export function evaluateMessage(
  host: Host,
  contact: SessionContact,
  template: string,
): { readonly text: string; readonly errors: readonly string[] } {
  const environment = new RunEnvironment(host, contact);
  const source = { contact, host, environment };
  return evaluateTemplate(environment, new ComputedObject(messageRoots, source), template);
}

function messageContact(source: MessageSource): Value {
  const { contact, host } = source;
  const native = contactContext(contact, host);
  if (!(native instanceof ObjectValue)) return native;
  return new ComputedMap(
    () => native.entries().map(([name]) => name),
    (name) => {
      const isName = name === "name" || name === "first_name";
      const value = isName && contact.name === "" ? readableContact(contact, host) : native.get(name);
      return value === undefined ? legacyProperty(name, source) : value;
    },
    () => readableContact(contact, host),
  );
}

function legacyProperty(name: string, { contact, host, environment }: MessageSource): Value | undefined {
  const scheme = name === "tel_e164" ? "tel" : name;
  if (contactSchemes.some((known) => known === scheme)) {
    const urn = contact.urns.find((own) => own.startsWith(`${scheme}:`));
    if (urn === undefined) return "";
    if (name === "tel") return readableUrn(shownUrn(urn, host));
    return shownUrn(urn, host)
      .slice(scheme.length + 1)
      .replace(/#.*$/s, "");
  }
  const field = host.assets.field(name);
  const fields = fieldsContext(contact, host.assets);
  if (field === undefined || !(fields instanceof ObjectValue)) return undefined;
  const value = fields.get(name) ?? null;
  if (value instanceof DateTimeValue) return callFunction(environment, "format_datetime", [value]);
  const isPlace = field.type === "state" || field.type === "district" || field.type === "ward";
  return isPlace && value !== null ? callFunction(environment, "format_location", [value]) : value;
}
