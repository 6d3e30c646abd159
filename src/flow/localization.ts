import type { SessionContact } from "./contact-state.js";
import type { FlowDefinition } from "./definition.js";
import type { OrgEnvironment } from "./host.js";

/**
 * Languages in which a run looks for texts (docs/reference/flows.md#localization): that of the contact if it is
 * allowed, the organisation's default, that of the flow.
 */
export function languagesOf(
  contact: SessionContact,
  environment: OrgEnvironment,
  flow: FlowDefinition,
): readonly string[] {
  const { allowedLanguages } = environment;
  const languages: string[] = [];
  if (isAllowed(contact.language, environment)) languages.push(contact.language);
  if (allowedLanguages[0] !== undefined) languages.push(allowedLanguages[0]);
  languages.push(flow.language);
  return languages;
}

/** Whether a contact with this language gets texts in this language. */
export function isAllowed(language: string, { allowedLanguages, allowsAnyLanguage }: OrgEnvironment): boolean {
  return language !== "" && (allowsAnyLanguage === true || allowedLanguages.includes(language));
}

/** A property of an object of a flow. */
export interface Localizable {
  /** Of the action, case or category. */
  readonly uuid: string;
  readonly property: string;
  readonly authored: readonly string[];
}

/** Texts of a property in the first language that has them, else the authored ones. */
export function localizedTexts(
  flow: FlowDefinition,
  languages: readonly string[],
  { uuid, property, authored }: Localizable,
): readonly string[] {
  if (flow.localization.size === 0) return authored;
  for (const language of languages) {
    if (language === flow.language) return authored;
    const texts = flow.localization.get(language)?.get(uuid)?.[property];
    if (texts !== undefined && texts.length > 0 && !(texts.length === 1 && texts[0] === "")) return texts;
  }
  return authored;
}
