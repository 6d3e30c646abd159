import { type TestTexts, textsFor } from "../answers/test-texts.js";
import type { SessionContact } from "../contact-state.js";
import type { FlowCase, FlowDefinition, FlowNode } from "../definition.js";
import { RunEnvironment } from "../engine/run-environment.js";
import type { Host } from "../host.js";
import { resultKey } from "../result-key.js";

/** What a conversation begins with: the contact, what chance draws, and how HTTP calls are answered. */
export interface Beginning {
  readonly contact: SessionContact;
  readonly draw: number;
  readonly httpStatus: number;
}

/**
 * The beginnings that may lead to a category of a split without a wait: another field, group, language, name or scheme
 * of the contact, another draw, another answer to a call. Empty: the split reads something else.
 */
export function beginningsFor(
  category: string,
  { router, actions }: FlowNode,
  base: Beginning,
  host: Host,
): readonly Beginning[] {
  if (router === undefined || router.wait !== undefined) return [];
  if (router.type === "random") {
    const index = router.categories.findIndex(({ uuid }) => uuid === category);
    return [{ ...base, draw: (index + 0.5) / router.categories.length }];
  }
  if (router.type !== "switch") return [];
  const calls = actions.some(({ type }) => type === "call_webhook" || type === "call_resthook");
  if (calls) return [200, 500, 0].map((httpStatus) => ({ ...base, httpStatus }));
  const { operand } = router;
  const cases = router.cases.filter((one) => one.category === category);
  const texts = cases.flatMap((one) => plainTexts(one, host, base.contact));
  // An earlier test may take these texts. For the default category: a value that passes no test, and none.
  const values = cases.length === 0 ? ["xqzt", ""] : [...texts, ...(texts.some(isNumber) ? ["0", "1000"] : [])];
  const { contact } = base;
  const withContact = (part: Partial<SessionContact>): Beginning => ({ ...base, contact: { ...contact, ...part } });
  const field = /\bfields\.(\w+)/.exec(operand)?.[1]?.toLowerCase();
  if (field !== undefined) {
    return values.map((text) => withContact({ fields: { ...contact.fields, [field]: fieldOf(text) } }));
  }
  if (/\bcontact\.groups\b/.test(operand)) {
    if (cases.length === 0) return [withContact({ groups: [] })];
    return cases.map(({ arguments: [uuid = "", name = ""] }) =>
      withContact({ groups: [{ uuid, name: host.assets.group(uuid)?.name ?? name }] }),
    );
  }
  if (/\bcontact\.language\b/.test(operand)) {
    return (cases.length === 0 ? ["", "zul"] : texts).map((language) => withContact({ language }));
  }
  if (/\bcontact(\.(first_)?name)?\b\)?$/.test(operand)) return values.map((name) => withContact({ name }));
  if (/\burns?\b/.test(operand)) {
    return values.filter((text) => /^[a-z]+$/.test(text)).map((scheme) => withContact({ urns: [`${scheme}:12345`] }));
  }
  return [];
}

function fieldOf(text: string): SessionContact["fields"][string] {
  return isNumber(text) ? { text, number: text } : { text };
}

function isNumber(text: string): boolean {
  return /^-?\d+(\.\d+)?$/.test(text);
}

/** Texts that pass a test whose arguments are no templates. */
function plainTexts(one: FlowCase, host: Host, contact: SessionContact): readonly string[] {
  if (one.arguments.some((text) => text.includes("@"))) return [];
  const source: TestTexts = {
    environment: new RunEnvironment(host, contact),
    random: () => 0.5,
    places: [],
    test: one.type,
    args: one.arguments,
  };
  return [...new Set(textsFor(source))].slice(0, 4);
}

/**
 * Texts to answer questions with, besides those of their own tests: later splits without a wait test what was answered.
 * By key of the result; `""` for splits of the last answer.
 */
export function laterTexts(
  { nodes }: FlowDefinition,
  host: Host,
  contact: SessionContact,
): ReadonlyMap<string, readonly string[]> {
  const sources = fieldSources(nodes);
  const found = new Map<string, readonly string[]>();
  for (const { router } of nodes) {
    if (router?.type !== "switch" || router.wait !== undefined) continue;
    const { operand } = router;
    const field = /\bfields\.(\w+)/.exec(operand)?.[1]?.toLowerCase() ?? "";
    const key =
      /\bresults\.(\w+)/.exec(operand)?.[1]?.toLowerCase() ??
      sources.get(field) ??
      (/\binput\b/.test(operand) ? "" : undefined);
    if (key === undefined) continue;
    const texts = router.cases.flatMap((one) => plainTexts(one, host, contact).slice(0, 2));
    found.set(key, [...new Set([...(found.get(key) ?? []), ...texts, "xqzt"])]);
  }
  return found;
}

/** The results that set fields, by key of the field. */
function fieldSources(nodes: readonly FlowNode[]): ReadonlyMap<string, string> {
  return new Map(
    nodes.flatMap(({ actions }) =>
      actions.flatMap((action): [string, string][] => {
        if (action.type !== "set_contact_field") return [];
        const key =
          /\bresults\.(\w+)/.exec(action.value)?.[1]?.toLowerCase() ??
          (/\binput\b/.test(action.value) ? "" : undefined);
        return key === undefined ? [] : [[action.field.key.toLowerCase(), key]];
      }),
    ),
  );
}

/** The key under which {@link laterTexts} has the texts for a question. */
export function laterKey({ router }: FlowNode): string {
  return router === undefined || router.resultName === "" ? "" : resultKey(router.resultName);
}
