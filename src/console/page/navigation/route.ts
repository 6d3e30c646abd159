/** A place in the page: the part of the URL after `#/`. Links are ordinary `<a href>`. */
export interface Route {
  readonly view: ViewName;
  /** Decoded words after the view: `handset/clinic/3` has `clinic` and `3`. */
  readonly words: readonly string[];
  readonly query: URLSearchParams;
}

export const viewNames = [
  "fleet",
  "district",
  "handset",
  "person",
  "chain",
  "events",
  "losses",
  "service",
  "story",
  "run",
] as const;
export type ViewName = (typeof viewNames)[number];

/** The query parameter of the side panel: `clinic/3`, `event:3/17`, `person:+250…`. */
const BESIDE = "open";
const besideKinds: readonly (readonly [prefix: string, view: ViewName])[] = [
  ["event:", "chain"],
  ["person:", "person"],
];

/** @param hash - as in `location.hash` */
export function readRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [name, ...words] = path.split("/").map(decoded);
  const view = viewNames.find((one) => one === name);
  return {
    view: view ?? "fleet",
    words: view === undefined ? [] : words.filter((word) => word !== ""),
    query: new URLSearchParams(query),
  };
}

/** The address of a view: `linkTo("chain", ["3/17"])` is `#/chain/3%2F17`. */
export function linkTo(
  view: ViewName,
  words: readonly (string | number)[] = [],
  query: Record<string, string> = {},
): string {
  const path = [view, ...words.map((word) => encodeURIComponent(String(word)))].join("/");
  const search = new URLSearchParams(query).toString();
  return `#/${path}${search === "" ? "" : `?${search}`}`;
}

/** `clinic/3` is one word of the URL's path for each part. */
export const linkToHandset = (selector: string): string => linkTo("handset", selector.split("/"));
/** @param who - a selector such as `farmers/3`, or a phone number */
export const linkToPerson = (who: string): string => linkTo("person", [who]);
/** @param id - `3/17` of an event, or the number of a message or call */
export const linkToChain = (id: string | number): string => linkTo("chain", [id]);

/**
 * The address of a place with a side panel. @param what - `clinic/3`, `event:3/17`, `person:+250…`; undefined: nothing
 */
export function linkBeside({ view, words, query }: Route, what: string | undefined): string {
  const next = Object.fromEntries([...query].filter(([name]) => name !== BESIDE));
  return linkTo(view, words, { ...next, ...(what !== undefined && { [BESIDE]: what }) });
}

/** The route of the side panel. */
export function besideOf({ query }: Route): Route | undefined {
  const what = query.get(BESIDE) ?? "";
  if (what === "") return undefined;
  const [prefix, view] = besideKinds.find(([kind]) => what.startsWith(kind)) ?? ["", "handset"];
  const rest = what.slice(prefix.length);
  return { view, words: view === "handset" ? rest.split("/") : [rest], query: new URLSearchParams() };
}

function decoded(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}
