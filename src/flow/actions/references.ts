import { normalisePhone } from "../../wire/index.js";
import type { Recipients, VariableReference } from "../action-definitions.js";
import { normaliseContactUrn } from "../contact/contact-urn.js";
import type { GroupAsset } from "../host.js";
import type { NamedReference } from "../named-reference.js";
import type { RunningSprint } from "../engine/running-sprint.js";

/** The groups that an action names; missing ones become error events. */
export function groupsOf(sprint: RunningSprint, references: readonly VariableReference[]): readonly GroupAsset[] {
  const { assets } = sprint;
  return resolve(sprint, references, {
    word: "group",
    byUuid: (uuid) => assets.group(uuid),
    byName: (name) => assets.groupByName(name),
  });
}

/** The labels that an action names; missing ones become error events. */
export function labelsOf(sprint: RunningSprint, references: readonly VariableReference[]): readonly NamedReference[] {
  const { assets } = sprint;
  return resolve(sprint, references, {
    word: "label",
    byUuid: (uuid) => assets.label(uuid),
    byName: (name) => assets.labelByName(name),
  });
}

function resolve<Found>(
  sprint: RunningSprint,
  references: readonly VariableReference[],
  lookUp: {
    readonly word: string;
    readonly byUuid: (uuid: string) => Found | undefined;
    readonly byName: (name: string) => Found | undefined;
  },
): readonly Found[] {
  return references.flatMap((reference) => {
    if ("uuid" in reference) {
      const found = lookUp.byUuid(reference.uuid);
      if (found === undefined) sprint.logError(missingText(lookUp.word, reference));
      return found === undefined ? [] : [found];
    }
    const { text, isFailed } = sprint.evaluate(reference.nameMatch);
    if (isFailed) return [];
    const found = lookUp.byName(text);
    if (found === undefined) sprint.logError(`no such ${lookUp.word} with name '${text}'`);
    return found === undefined ? [] : [found];
  });
}

/** Text of the error event for an object that does not exist. */
export function missingText(word: string, { uuid, name }: NamedReference): string {
  return `missing dependency: ${word}[uuid=${uuid},name=${name}]`;
}

/** Recipients with their templates evaluated. */
export interface ResolvedRecipients {
  readonly contacts: readonly NamedReference[];
  readonly groups: readonly NamedReference[];
  readonly urns: readonly string[];
  readonly contactQuery: string;
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Evaluates whom an action addresses (docs/reference/flows.md#actions). */
export function recipientsOf(sprint: RunningSprint, recipients: Recipients): ResolvedRecipients {
  const contacts = [...recipients.contacts];
  const groups = groupsOf(sprint, recipients.groups).map(({ uuid, name }) => ({ uuid, name }));
  const urns = [...recipients.urns];
  for (const template of recipients.legacyVars) {
    const text = sprint.evaluate(template).text.trim();
    const group = uuidPattern.test(text) ? undefined : sprint.assets.groupByName(text);
    if (uuidPattern.test(text)) contacts.push({ uuid: text, name: "" });
    else if (group !== undefined) groups.push({ uuid: group.uuid, name: group.name });
    else {
      const country = sprint.environment.defaultCountry;
      const phone = normalisePhone(text, country === undefined ? {} : { country });
      const urn = normaliseContactUrn(text, country) ?? (phone === undefined ? undefined : `tel:${phone}`);
      if (urn === undefined) sprint.logError(`'${text}' couldn't be resolved to a contact, group or URN`);
      else urns.push(urn);
    }
  }
  // Quotes in values must not end the texts of the query.
  const escape = (text: string): string => JSON.stringify(text);
  const query = recipients.contactQuery === "" ? "" : sprint.evaluate(recipients.contactQuery, { escape }).text.trim();
  return { contacts, groups, urns, contactQuery: query };
}

/** Recipients as events have them: empty lists are left out. */
export function recipientsInEvent({ contacts, groups, urns, contactQuery }: ResolvedRecipients): {
  readonly groups?: readonly NamedReference[];
  readonly contacts?: readonly NamedReference[];
  readonly urns?: readonly string[];
  readonly contact_query?: string;
} {
  return {
    ...(groups.length > 0 && { groups }),
    ...(contacts.length > 0 && { contacts }),
    ...(contactQuery !== "" && { contact_query: contactQuery }),
    ...(urns.length > 0 && { urns }),
  };
}

/** Whether nobody is addressed. */
export function isNobody({ contacts, groups, urns, contactQuery }: ResolvedRecipients): boolean {
  return contacts.length + groups.length + urns.length === 0 && contactQuery === "";
}
