import { type AccountData, withoutDisplay } from "../../wire/index.js";
import { nearest, suggest } from "../sheet/nearest.js";
import type { DocumentReader } from "../sheet/document-reader.js";
import { isList, isMap, type Path, type RawValue } from "../sheet/raw-value.js";
import { readContactReference, uuidForm } from "./account-fields.js";
import { comparableName } from "./merge.js";

/** The kinds of parts that others refer to. */
type PartKind = "group" | "field" | "flow" | "contact" | "resthook";

/**
 * Checks that every name by which parts of an account refer to each other exists in the file. It checks raw values, so
 * it also checks parts that are invalid for other reasons.
 *
 * An unknown name is an error, except in an addition to an existing account, which may have the name. There only a name
 * close to one of the file is reported, as a warning; loading the file finds the others.
 *
 * @param unread - kinds with parts that could not be read; their names are not checked
 */
export function checkReferences(
  reader: DocumentReader,
  account: AccountData,
  options: { readonly isAddition: boolean; readonly unread: ReadonlySet<PartKind> },
): void {
  const known = new Known(reader, account, options);
  for (const at of [...inside(reader, ["contacts"]), ...inside(reader, ["people"])]) {
    for (const one of oneOrMore(reader, [...at, "groups"])) known.checkManual(one);
    for (const key of reader.keys([...at, "fields"])) known.check("field", key, [...at, "fields", key], "key");
  }
  for (const at of inside(reader, ["campaigns"])) {
    known.checkAt("group", [...at, "group"]);
    for (const event of inside(reader, [...at, "events"])) {
      const field = textAt(reader, [...event, "relative-to"]);
      if (field !== undefined && !systemDates.has(field)) known.check("field", field, [...event, "relative-to"]);
      known.checkAt("flow", [...event, "flow"]);
    }
  }
  for (const at of inside(reader, ["triggers"])) {
    known.checkAt("flow", [...at, "flow"]);
    for (const key of ["groups", "exclude-groups"]) {
      for (const one of oneOrMore(reader, [...at, key])) known.checkAt("group", one);
    }
    for (const one of oneOrMore(reader, [...at, "contacts"])) known.checkContact(one);
  }
  for (const at of inside(reader, ["runs"])) {
    const flow = textAt(reader, [...at, "flow"]) ?? "";
    const nodes = inside(reader, [...at, "results"]).map((result): Path => [...result, "node"]);
    known.checkAt("flow", [...at, "flow"]);
    known.checkContact([...at, "contact"]);
    for (const node of [...oneOrMore(reader, [...at, "path"]), ...nodes]) known.checkNode(flow, node);
  }
  for (const at of inside(reader, ["orders"])) {
    known.checkAt("flow", [...at, "start", "flow"]);
    for (const kind of ["broadcast", "start"]) {
      for (const one of oneOrMore(reader, [...at, kind, "groups"])) known.checkAt("group", one);
      for (const one of oneOrMore(reader, [...at, kind, "contacts"])) known.checkContact(one);
    }
    known.checkAt("resthook", [...at, "event", "resthook"]);
  }
}

/** Dates that campaigns may count from, in addition to fields (docs/reference/flows.md#campaigns). */
const systemDates: ReadonlySet<string> = new Set(["created_on", "last_seen_on"]);

/** The paths of the items of a list or map. */
function inside(reader: DocumentReader, path: Path): Path[] {
  const value = reader.at(path);
  if (isList(value)) return value.map((_, place) => [...path, place]);
  return reader.keys(path).map((key) => [...path, key]);
}

/** The paths of a list's items, or of a single item without a list. */
function oneOrMore(reader: DocumentReader, path: Path): Path[] {
  const value = reader.at(path);
  if (isList(value)) return value.map((_, place) => [...path, place]);
  return typeof value === "string" ? [path] : [];
}

function textAt(reader: DocumentReader, path: Path): string | undefined {
  const value = reader.at(path);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

class Known {
  readonly #reader: DocumentReader;
  readonly #isAddition: boolean;
  readonly #unread: ReadonlySet<PartKind>;
  readonly #marks: Readonly<Record<PartKind, ReadonlySet<string>>>;
  /** In their original spelling, for hints. */
  readonly #names: Readonly<Record<PartKind, readonly string[]>>;
  readonly #smart: ReadonlySet<string>;
  readonly #slips = new Map<string, boolean>();
  /** UUIDs of nodes, by the names and UUIDs of flows. */
  readonly #nodes: ReadonlyMap<string, ReadonlySet<string>>;

  constructor(
    reader: DocumentReader,
    account: AccountData,
    { isAddition, unread }: { readonly isAddition: boolean; readonly unread: ReadonlySet<PartKind> },
  ) {
    this.#reader = reader;
    this.#isAddition = isAddition;
    this.#unread = unread;
    const groups = [...new Set([...account.groups.map(({ name }) => name), ...namesWritten(reader)])];
    const fields = [...new Set([...account.fields.map(({ key, label }) => key ?? label), ...reader.keys(["fields"])])];
    const contacts = account.contacts.flatMap(({ uuid, urns }) => [
      ...urns.map(withoutDisplay),
      ...(uuid === undefined ? [] : [uuid]),
    ]);
    const slugs = account.resthooks.map(({ slug }) => slug);
    this.#marks = {
      group: new Set([...account.groups.flatMap(marksIn), ...groups.map(comparableName)]),
      flow: new Set(account.flows.flatMap(marksIn)),
      field: new Set(fields),
      contact: new Set(contacts.map(comparableName)),
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

  /** Checks the name at a path, if there is one. */
  checkAt(kind: PartKind, path: Path): void {
    const name = textAt(this.#reader, path);
    if (name !== undefined) this.check(kind, name, path);
  }

  /** @param on - underlined: the value at the path, or its key */
  check(kind: PartKind, name: string, path: Path, on: "key" | "value" = "value"): void {
    if (this.#unread.has(kind) || this.#marks[kind].has(kind === "field" ? name : comparableName(name))) return;
    const names = this.#names[kind];
    if (this.#isAddition && !this.#isSlip(name, names)) return;
    const isOpaque = kind === "contact" || uuidForm.test(name);
    const hint = isOpaque
      ? undefined
      : names.length === 0
        ? `the file has no ${kind}s`
        : (): string => suggest(name, names);
    this.#reader.reportProblem(path, {
      code: "unknown-reference",
      message: on === "key" ? `'${name}' names no ${kind} of the file` : `names no ${kind} of the file: '${name}'`,
      whole: on === "key",
      on,
      severity: this.#isAddition ? "warning" : "error",
      hint,
    });
  }

  /** Whether a name is close to one of the file. Checks at most 500 different names, to bound the work. */
  #isSlip(name: string, names: readonly string[]): boolean {
    const known = this.#slips.get(name);
    if (known !== undefined || this.#slips.size >= 500) return known ?? false;
    const isSlip = nearest(name, names) !== undefined;
    this.#slips.set(name, isSlip);
    return isSlip;
  }

  /** Members of a smart group are found by its query (docs/reference/service-api.md#contacts). */
  checkManual(path: Path): void {
    this.checkAt("group", path);
    const name = textAt(this.#reader, path);
    if (name === undefined || !this.#smart.has(comparableName(name))) return;
    this.#reader.reportProblem(path, {
      code: "not-together",
      message: `cannot name a group that has a query: '${name}'`,
      hint: "its members are those that the query finds",
    });
  }

  checkContact(path: Path): void {
    const contact = readContactReference(this.#reader.at(path), () => undefined);
    if (contact !== undefined) this.check("contact", withoutDisplay(contact), path);
  }

  /** @param flow - name or UUID of the flow that has the node */
  checkNode(flow: string, path: Path): void {
    const nodes = this.#nodes.get(comparableName(flow));
    const uuid = textAt(this.#reader, path);
    if (nodes === undefined || uuid === undefined || nodes.has(uuid)) return;
    this.#reader.reportProblem(path, {
      code: "unknown-reference",
      message: `names no node of the flow: '${uuid}'`,
      hint: "nodes have their UUIDs in the flow's definition",
    });
  }
}

/** The names of groups as spelled, including those of invalid groups. */
function namesWritten(reader: DocumentReader): string[] {
  const nameOf = (one: RawValue): RawValue | undefined => (isMap(one) ? one["name"] : one);
  const groups = reader.at(["groups"]);
  return (isList(groups) ? groups.map(nameOf) : []).filter((name) => typeof name === "string");
}

function marksIn({ uuid, name }: { readonly uuid?: string; readonly name: string }): string[] {
  return [comparableName(name), ...(uuid === undefined ? [] : [comparableName(uuid)])];
}

/** The UUIDs of a definition's nodes, action sets and rule sets, of any generation. */
function nodesOf(definition: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const inner = definition["definition"];
  const body = typeof inner === "object" && inner !== null ? (inner as typeof definition) : definition;
  const all = ["nodes", "action_sets", "rule_sets"].flatMap((key) => body[key] ?? []);
  return new Set(all.flatMap((one) => (one as { readonly uuid?: string } | null)?.uuid ?? []));
}
