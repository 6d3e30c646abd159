/** A page of a list of the REST API. */
interface Page {
  readonly next: string | null;
  readonly results: readonly ApiRecord[];
}

type ApiRecord = Readonly<Record<string, unknown>>;

/** Reads an address of the API, such as `/api/v2/contacts.json`. */
type ReadApi = (path: string) => Promise<unknown>;

/** Reads the whole of a list, the oldest first. */
async function readList(read: ReadApi, name: string): Promise<ApiRecord[]> {
  const records: ApiRecord[] = [];
  let path: string | null = `/api/v2/${name}.json`;
  while (path !== null) {
    const page = (await read(path)) as Page;
    records.push(...page.results);
    if (page.next === null) path = null;
    else {
      const { pathname, search } = new URL(page.next);
      path = `${pathname}${search}`;
    }
  }
  return records.toReversed();
}

/**
 * What clients have made of an account, in the shape in which effects are compared: without ids, UUIDs, times and
 * states of sending. Contacts of whom the account knows nothing but an address are left out.
 */
export async function readAccountEffects(read: ReadApi): Promise<Readonly<Record<string, unknown>>> {
  const contacts = await readList(read, "contacts");
  const addresses = new Map(contacts.map((contact) => [contact["uuid"], firstOf(contact["urns"])]));
  const recipients = (record: ApiRecord): unknown => {
    const all = [
      ...(record["urns"] as unknown[]),
      ...(record["contacts"] as ApiRecord[]).map(({ uuid, name }) => addresses.get(uuid) ?? name),
      ...(record["groups"] as ApiRecord[]).map(({ name }) => name),
    ];
    return all.length === 1 ? all[0] : all;
  };
  const messages = await readList(read, "messages");
  const broadcasts = await readList(read, "broadcasts");
  const starts = await readList(read, "flow_starts");
  const named = async (name: string, keys: readonly string[]): Promise<ApiRecord[]> =>
    (await readList(read, name)).map((record) => Object.fromEntries(keys.map((key) => [key, record[key]])));
  return {
    messages: messages.map(({ urn, text }) => ({ to: urn, text })),
    broadcasts: broadcasts.map((record) => ({ to: recipients(record), text: textIn(record["text"]) })),
    contacts: contacts.filter(isChanged).map(contactEffect),
    flow_starts: starts.map((record) => ({
      to: recipients(record),
      flow: (record["flow"] as ApiRecord | null)?.["name"],
      params: record["params"] ?? record["extra"],
    })),
    groups: await named("groups", ["name", "query"]),
    fields: await named("fields", ["key", "label", "value_type"]),
    labels: await named("labels", ["name"]),
    campaigns: await named("campaigns", ["name"]),
  };
}

function firstOf(list: unknown): unknown {
  return Array.isArray(list) ? list[0] : undefined;
}

/** A text in one language is the text. */
function textIn(text: unknown): unknown {
  if (typeof text !== "object" || text === null) return text;
  const all = Object.values(text);
  return all.length === 1 ? all[0] : text;
}

/** Whether a client has changed a contact since the service added it. */
function isChanged({ name, language, groups, fields, status }: ApiRecord): boolean {
  const values = Object.values(fields as ApiRecord);
  return (
    name !== null ||
    language !== null ||
    (groups as unknown[]).length > 0 ||
    values.some((value) => value !== null) ||
    (status !== undefined && status !== "active")
  );
}

function contactEffect({ urns, name, language, groups, fields, status }: ApiRecord): ApiRecord {
  const [urn, ...others] = urns as string[];
  const values = Object.entries(fields as ApiRecord).filter(([, value]) => value !== null);
  return {
    urn,
    ...(others.length > 0 && { others: others.join(" ") }),
    name,
    language,
    status,
    groups: Object.fromEntries((groups as ApiRecord[]).map((group) => [String(group["name"]), true])),
    fields: Object.fromEntries(values.map(([key, value]) => [key, numberIn(value)])),
  };
}

/** Fields are texts: a count is compared as a number. */
function numberIn(value: unknown): unknown {
  return typeof value === "string" && /^(?:0|-?[1-9]\d{0,8})$/.test(value) ? Number(value) : value;
}
