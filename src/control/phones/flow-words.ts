import type { PersonDetails } from "../../console/index.js";
import type { AccountTables } from "../../account/index.js";
import { distinct } from "./suggested-texts.js";

/** The parts of a stored definition that are read here (docs/reference/flows.md); others are left alone. */
interface StoredFlow {
  readonly nodes?: readonly {
    readonly uuid?: unknown;
    readonly actions?: readonly { readonly uuid?: string; readonly type?: unknown; readonly quick_replies?: unknown }[];
  }[];
  readonly localization?: Readonly<Record<string, Readonly<Record<string, { readonly quick_replies?: unknown }>>>>;
}

/**
 * The words that the account's flows wait for: keywords of triggers, and the quick replies of the message with which a
 * flow asks this contact. Definitions before version 13 have none.
 */
export function flowWords(
  { contacts, flows, runs, triggers }: Pick<AccountTables, "contacts" | "flows" | "runs" | "triggers">,
  contact: { readonly row: number } | undefined,
): Pick<PersonDetails["suggested"], "keywords" | "quick_replies"> {
  const language = (contact && contacts.get(contact.row)?.language) ?? null;
  const keywords = triggers
    .active()
    .flatMap(({ type, keyword }) => (type === "K" && keyword !== null ? [keyword] : []));
  const run = contact === undefined ? undefined : runs.ofContact(contact.row).find(({ exit }) => exit === null);
  const flow = run === undefined ? undefined : (flows.definition(run.flow) as StoredFlow | undefined);
  return {
    keywords: distinct(keywords),
    quick_replies: flow === undefined ? [] : distinct(repliesAt(flow, run?.path ?? [], language)),
  };
}

/** The quick replies of the newest message on a path, in the contact's language; without those that are templates. */
function repliesAt(
  { nodes = [], localization = {} }: StoredFlow,
  path: readonly { readonly node: string }[],
  language: string | null,
): string[] {
  for (const { node } of path.toReversed()) {
    const asks = nodes.find(({ uuid }) => uuid === node)?.actions?.findLast(({ type }) => type === "send_msg");
    if (asks === undefined) continue;
    const translated = localization[language ?? ""]?.[asks.uuid ?? ""]?.quick_replies;
    const replies = Array.isArray(translated) && translated.length > 0 ? translated : asks.quick_replies;
    return (Array.isArray(replies) ? replies : []).flatMap((reply: unknown) => {
      const text = typeof reply === "object" && reply !== null && "text" in reply ? reply.text : reply;
      return typeof text === "string" && text.trim() !== "" && !text.includes("@") ? [text] : [];
    });
  }
  return [];
}
