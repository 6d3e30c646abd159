import type { AccountData } from "../../wire/index.js";
import { nearest, suggest } from "../sheet/nearest.js";
import type { Sheet } from "../sheet/sheet.js";
import { isList, isMap, type Path, type Written } from "../sheet/written.js";
import { readContactReference, uuidForm } from "./account-fields.js";
import { markOf } from "./merge.js";

/** What is named by other parts of an account. */
type Kind = "group" | "field" | "flow" | "contact" | "resthook";

/**
 * Holds the names by which the parts of an account refer to one another against what the file has. It looks at what is
 * written, so that a part that does not fit otherwise is not spared.
 *
 * A file is an account of its own, so a name that it does not have is an error. One that adds to an existing account may
 * name what is there already: then only a name that looks like a slip is told, as a warning, and the rest is found out
 * when it is loaded.
 *
 * @param unread - kinds of which some could not be read: they may be the ones that are named
 */
export function checkReferences(
  sheet: Sheet,
  account: AccountData,
  options: { readonly isAddition: boolean; readonly unread: ReadonlySet<Kind> },
): void {
  const known = new Known(sheet, account, options);
  for (const at of [...inside(sheet, ["contacts"]), ...inside(sheet, ["people"])]) {
    for (const one of oneOrMore(sheet, [...at, "groups"])) known.checkManual(one);
    for (const key of sheet.keys([...at, "fields"])) known.check("field", key, [...at, "fields", key], "key");
  }
  for (const at of inside(sheet, ["campaigns"])) {
    known.checkAt("group", [...at, "group"]);
    for (const event of inside(sheet, [...at, "events"])) {
      const field = textAt(sheet, [...event, "relative-to"]);
      if (field !== undefined && !systemDates.has(field)) known.check("field", field, [...event, "relative-to"]);
      known.checkAt("flow", [...event, "flow"]);
    }
  }
  for (const at of inside(sheet, ["triggers"])) {
    known.checkAt("flow", [...at, "flow"]);
    for (const key of ["groups", "exclude-groups"]) {
      for (const one of oneOrMore(sheet, [...at, key])) known.checkAt("group", one);
    }
  }
  for (const at of inside(sheet, ["runs"])) {
    const flow = textAt(sheet, [...at, "flow"]) ?? "";
    const nodes = inside(sheet, [...at, "results"]).map((result): Path => [...result, "node"]);
    known.checkAt("flow", [...at, "flow"]);
    known.checkContact([...at, "contact"]);
    for (const node of [...oneOrMore(sheet, [...at, "path"]), ...nodes]) known.checkNode(flow, node);
  }
  for (const at of inside(sheet, ["orders"])) {
    known.checkAt("flow", [...at, "start", "flow"]);
    for (const kind of ["broadcast", "start"]) {
      for (const one of oneOrMore(sheet, [...at, kind, "groups"])) known.checkAt("group", one);
      for (const one of oneOrMore(sheet, [...at, kind, "contacts"])) known.checkContact(one);
    }
    known.checkAt("resthook", [...at, "event", "resthook"]);
  }
}

/** What campaigns may count from beside fields (flows.md 12). */
const systemDates: ReadonlySet<string> = new Set(["created_on", "last_seen_on"]);

/** The paths of the items of a list or map. */
function inside(sheet: Sheet, path: Path): Path[] {
  const value = sheet.at(path);
  if (isList(value)) return value.map((_, place) => [...path, place]);
  return sheet.keys(path).map((key) => [...path, key]);
}

/** The paths of a list's items, or of a single one that stands without a list. */
function oneOrMore(sheet: Sheet, path: Path): Path[] {
  const value = sheet.at(path);
  if (isList(value)) return value.map((_, place) => [...path, place]);
  return typeof value === "string" ? [path] : [];
}

function textAt(sheet: Sheet, path: Path): string | undefined {
  const value = sheet.at(path);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

class Known {
  readonly #sheet: Sheet;
  readonly #isAddition: boolean;
  readonly #unread: ReadonlySet<Kind>;
  readonly #marks: Readonly<Record<Kind, ReadonlySet<string>>>;
  /** As they are written, for hints. */
  readonly #names: Readonly<Record<Kind, readonly string[]>>;
  readonly #smart: ReadonlySet<string>;
  readonly #slips = new Map<string, boolean>();
  /** UUIDs of nodes, by the names and UUIDs of flows. */
  readonly #nodes: ReadonlyMap<string, ReadonlySet<string>>;

  constructor(
    sheet: Sheet,
    account: AccountData,
    { isAddition, unread }: { readonly isAddition: boolean; readonly unread: ReadonlySet<Kind> },
  ) {
    this.#sheet = sheet;
    this.#isAddition = isAddition;
    this.#unread = unread;
    const groups = [...new Set([...account.groups.map(({ name }) => name), ...namesWritten(sheet)])];
    const fields = [...new Set([...account.fields.map(({ key, label }) => key ?? label), ...sheet.keys(["fields"])])];
    const contacts = account.contacts.flatMap(({ uuid, urns }) => [...urns, ...(uuid === undefined ? [] : [uuid])]);
    const slugs = account.resthooks.map(({ slug }) => slug);
    this.#marks = {
      group: new Set([...account.groups.flatMap(marksIn), ...groups.map(markOf)]),
      flow: new Set(account.flows.flatMap(marksIn)),
      field: new Set(fields),
      contact: new Set(contacts.map(markOf)),
      resthook: new Set(slugs),
    };
    const flows = account.flows.map(({ name }) => name);
    this.#names = { group: groups, flow: flows, field: fields, contact: [], resthook: slugs };
    this.#smart = new Set(account.groups.filter(({ query }) => query !== null).flatMap(marksIn));
    this.#nodes = new Map(
      account.flows.flatMap((flow) => {
        const nodes = nodesOf(flow.definition);
        return marksIn(flow).map((mark) => [mark, nodes] as const);
      }),
    );
  }

  /** Checks the name that stands at a path, if one does. */
  checkAt(kind: Kind, path: Path): void {
    const name = textAt(this.#sheet, path);
    if (name !== undefined) this.check(kind, name, path);
  }

  /** @param on - underlined: the value at the path, or its key */
  check(kind: Kind, name: string, path: Path, on: "key" | "value" = "value"): void {
    if (this.#unread.has(kind) || this.#marks[kind].has(kind === "field" ? name : markOf(name))) return;
    const names = this.#names[kind];
    if (this.#isAddition && !this.#isSlip(name, names)) return;
    const isOpaque = kind === "contact" || uuidForm.test(name);
    const hint = isOpaque
      ? undefined
      : names.length === 0
        ? `the file has no ${kind}s`
        : (): string => suggest(name, names);
    this.#sheet.tell(path, {
      code: "unknown-reference",
      message: on === "key" ? `'${name}' names no ${kind} of the file` : `names no ${kind} of the file: '${name}'`,
      whole: on === "key",
      on,
      severity: this.#isAddition ? "warning" : "error",
      hint,
    });
  }

  /** Whether a name is close to one of the file. It looks at the first 500 different names: looking costs work. */
  #isSlip(name: string, names: readonly string[]): boolean {
    const known = this.#slips.get(name);
    if (known !== undefined || this.#slips.size >= 500) return known ?? false;
    const isSlip = nearest(name, names) !== undefined;
    this.#slips.set(name, isSlip);
    return isSlip;
  }

  /** Members of a smart group are found by its query (service-api.md 2.7). */
  checkManual(path: Path): void {
    this.checkAt("group", path);
    const name = textAt(this.#sheet, path);
    if (name === undefined || !this.#smart.has(markOf(name))) return;
    this.#sheet.tell(path, {
      code: "not-together",
      message: `cannot name a group that has a query: '${name}'`,
      hint: "its members are those that the query finds",
    });
  }

  checkContact(path: Path): void {
    const contact = readContactReference(this.#sheet.at(path), () => undefined);
    if (contact !== undefined) this.check("contact", contact, path);
  }

  /** @param flow - which has the node: name or UUID */
  checkNode(flow: string, path: Path): void {
    const nodes = this.#nodes.get(markOf(flow));
    const uuid = textAt(this.#sheet, path);
    if (nodes === undefined || uuid === undefined || nodes.has(uuid)) return;
    this.#sheet.tell(path, {
      code: "unknown-reference",
      message: `names no node of the flow: '${uuid}'`,
      hint: "nodes have their UUIDs in the flow's definition",
    });
  }
}

/** The names of groups as they are written, also of groups that do not fit otherwise. */
function namesWritten(sheet: Sheet): string[] {
  const nameOf = (one: Written): Written | undefined => (isMap(one) ? one["name"] : one);
  const groups = sheet.at(["groups"]);
  return (isList(groups) ? groups.map(nameOf) : []).filter((name) => typeof name === "string");
}

function marksIn({ uuid, name }: { readonly uuid?: string; readonly name: string }): string[] {
  return [markOf(name), ...(uuid === undefined ? [] : [markOf(uuid)])];
}

/** The UUIDs of a definition's nodes, action sets and rule sets, of whatever generation it is. */
function nodesOf(definition: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const inner = definition["definition"];
  const body = typeof inner === "object" && inner !== null ? (inner as typeof definition) : definition;
  const all = ["nodes", "action_sets", "rule_sets"].flatMap((key) => body[key] ?? []);
  return new Set(all.flatMap((one) => (one as { readonly uuid?: string } | null)?.uuid ?? []));
}
