import type { SourceElement } from "./source.js";
import type { Kept } from "./search.js";

/** What the search may use of the relations between requests. */
export interface Relations {
  /** Small inputs that are worth a trial, each with the target. */
  readonly candidates: readonly Kept[];
  /** Groupings from coarse to fine. */
  readonly families: readonly (readonly Kept[])[];
  /** The mt_sent of an mt_dlvd, where it comes before it. */
  readonly needs: ReadonlyMap<number, number>;
}

/** A gap after which a person's next event begins another conversation: milliseconds. */
const CONVERSATION_GAP_MS = 30 * 60_000;

/**
 * Relations of the requests up to the target, which is the last one: what happened just before it, at its person and its
 * handset, what looks unusual in this source, and groups of people and conversations.
 */
export function relationsOf(elements: readonly SourceElement[]): Relations {
  const target = elements.length - 1;
  const at = elements[target];
  const all = elements.map((_, index) => index);
  const before = all.slice(0, -1);
  const last = (indexes: Kept, count: number): Kept => indexes.slice(Math.max(0, indexes.length - count));
  const where = (holds: (element: SourceElement) => boolean): Kept =>
    before.filter((index) => {
      const element = elements[index];
      return element !== undefined && holds(element);
    });
  const ofPerson = at?.person === undefined ? [] : where(({ person }) => person === at.person);
  const ofHandset = at?.handset === undefined ? [] : where(({ handset }) => handset === at.handset);
  const ofSubject = at?.subject === undefined ? [] : where(({ subject }) => subject === at.subject);
  const ofType = where(({ request }) => request.type === at?.request.type);
  const sameBody = where(({ request }) => request.body === at?.request.body);
  const sameText = at?.text === undefined ? [] : where(({ text }) => text === at.text);
  const unusual = unusualFirst(elements);
  const ascending = (indexes: Kept): Kept => [...new Set(indexes)].sort((a, b) => a - b);
  const neighbours = ascending([...last(ofPerson, 5), ...last(before, 5), ...ofSubject]);
  const candidates = [
    [],
    last(before, 1),
    sameBody,
    ofSubject,
    last(ofPerson, 1),
    last(ofPerson, 5),
    last(sameText, 10),
    neighbours,
    last(before, 10),
    unusual.slice(0, 10),
    ofPerson,
    last(before, 100),
    last(ofHandset, 50),
    ascending([...ofPerson, ...unusual.slice(0, 100), ...last(before, 30)]),
    last(ofType, 300),
    unusual.slice(0, 400),
    last(before, 1000),
    ofHandset,
    ofType,
  ].map((indexes) => ascending([...indexes, target]));
  const limit = 0.8 * elements.length;
  return {
    candidates: candidates.filter(({ length }) => length < Math.max(limit, 2)),
    families: [
      groupsBy(all, (index) => elements[index]?.person ?? `handset ${elements[index]?.handset}`),
      conversations(elements),
    ],
    needs: needsOf(elements),
  };
}

/** Groups in the order of their last element, so that the likelier ones are last. */
function groupsBy(indexes: Kept, keyOf: (index: number) => string): Kept[] {
  const groups = new Map<string, number[]>();
  for (const index of indexes) {
    const key = keyOf(index);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [index]);
    else group.push(index);
  }
  return [...groups.values()].sort((a, b) => (a.at(-1) ?? 0) - (b.at(-1) ?? 0));
}

/** What one person does without a long pause. */
function conversations(elements: readonly SourceElement[]): Kept[] {
  const open = new Map<string, { atMs: number; number: number }>();
  const keys = elements.map(({ person, handset, request: { atMs } }) => {
    const who = person ?? `handset ${handset}`;
    const before = open.get(who);
    const number = before === undefined ? 0 : before.number + (atMs - before.atMs > CONVERSATION_GAP_MS ? 1 : 0);
    open.set(who, { atMs, number });
    return `${who} ${number}`;
  });
  return groupsBy(
    elements.map((_, index) => index),
    (index) => keys[index] ?? "",
  );
}

/** The mt_sent, before it, of each mt_dlvd. Numbers of messages are those of the whole service. */
function needsOf(elements: readonly SourceElement[]): Map<number, number> {
  const sent = new Map<string, number>();
  const needs = new Map<number, number>();
  for (const [index, { request, subject }] of elements.entries()) {
    if (subject === undefined) continue;
    if (request.type === "mt_sent") sent.set(subject, index);
    const origin = request.type === "mt_dlvd" ? sent.get(subject) : undefined;
    if (origin !== undefined) needs.set(index, origin);
  }
  return needs;
}

/**
 * All elements but the last, the most unusual first: by the rarest of their features, of those that are as rare the latest
 * first.
 */
export function unusualFirst(elements: readonly SourceElement[]): number[] {
  const counts = new Map<string, number>();
  const seen = new Set<string>();
  let beforeMs = 0;
  const features = elements.map((element) => {
    const own = featuresOf(element, seen, beforeMs);
    beforeMs = element.request.atMs;
    for (const feature of own) counts.set(feature, (counts.get(feature) ?? 0) + 1);
    return own;
  });
  const rarity = features.map((own) => Math.min(...own.map((feature) => counts.get(feature) ?? 0)));
  return elements
    .slice(0, -1)
    .map((_, index) => index)
    .sort((a, b) => (rarity[a] ?? 0) - (rarity[b] ?? 0) || b - a);
}

/** What may make a request special, as words. */
function featuresOf(
  { request, person = "", text, subject, handset }: SourceElement,
  seen: Set<string>,
  beforeMs: number,
): string[] {
  const { type, body, path = "", atMs } = request;
  const names = body.replaceAll(/=[^&]*/g, "");
  const isRepeat = seen.has(body);
  const isAgain = subject !== undefined && seen.has(`${handset} ${type} ${subject}`);
  seen.add(body).add(`${handset} ${type} ${subject}`);
  const features = [
    `type ${type}`,
    `fields ${type} ${names}`,
    `path ${path}`,
    `repeat ${isRepeat}`,
    `again ${isRepeat || !isAgain ? "" : "changed"}`,
    `with ${request.with ?? ""}`,
    `gap ${Math.floor(Math.log10(1 + Math.max(0, atMs - beforeMs)) * 1.5)}`,
    `person ${person.replaceAll(/\d/g, "0").length} ${/^\+?\d+$/.test(person)}`,
  ];
  if (text !== undefined) {
    const kinds = [/\P{ASCII}/u, /\p{Extended_Pictographic}/u, /\p{Cc}/u, /[^\w\s.,!?'-]/, /\d/, /^\s|\s$/, /^$/];
    features.push(
      `word ${type} ${text.trim().split(/\s+/, 1)[0]?.toLowerCase()}`,
      `text ${type} ${text.length > 40 ? "long" : text}`,
      `kinds ${kinds.map((kind) => Number(kind.test(text))).join("")}`,
      `length ${Math.floor(Math.log2(1 + text.length))}`,
      `case ${text === text.toUpperCase()}`,
    );
  }
  return features;
}
