/**
 * A connector that keeps the contacts of one group in step with a register elsewhere and polls the results of a flow:
 * strict about statuses, trusting about the rest (docs/reference/service-api.md#other-clients).
 */
export interface Connector {
  /** Tests the connection, then makes the fields and the group that it needs where they are missing. */
  start(): Promise<{ workspace: string; created: string[] }>;
  /** Creates contacts that are not in the group, and updates the others. */
  sync(people: readonly Person[]): Promise<{ created: string[]; updated: string[] }>;
  /** Results of completed runs, the oldest first. `after` has no zone, as a database column gives it. */
  poll(flow: string, after: string, result: string): Promise<{ exitedOn: string; value: unknown }[]>;
}

export interface Person {
  /** The register's own id, kept in a contact field. */
  readonly registerId: string;
  readonly name: string;
  readonly phone: string;
}

const FIELDS = [
  { key: "register_id", label: "Register id", value_type: "text" },
  { key: "register_unit", label: "Register unit", value_type: "text" },
];

interface ContactRow {
  readonly uuid: string;
  readonly fields: Readonly<Record<string, string | null>>;
}

interface RunRow {
  readonly exited_on: string | null;
  readonly exit_type: string | null;
  readonly values: Readonly<Record<string, { readonly value: unknown }>>;
}

export function connector(host: string, token: string, group: string): Connector {
  const headers = { authorization: `Token ${token}`, "content-type": "application/json" };

  const get = async <T>(url: string): Promise<T> => {
    const response = await fetch(url, { headers });
    const text = await response.text();
    if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`);
    return JSON.parse(text) as T;
  };
  const post = async (path: string, payload: unknown, expectedStatus: number): Promise<{ uuid?: string }> => {
    const response = await fetch(`${host}/api/v2/${path}`, { method: "POST", headers, body: JSON.stringify(payload) });
    const text = await response.text();
    if (response.status !== expectedStatus) {
      throw new Error(`${path} answered ${response.status} and not ${expectedStatus}: ${text}`);
    }
    return JSON.parse(text) as { uuid?: string };
  };
  const walk = async <T>(firstUrl: string): Promise<T[]> => {
    const rows: T[] = [];
    for (let url: string | null = firstUrl; url !== null;) {
      const page: { next: string | null; results: T[] } = await get(url);
      rows.push(...page.results);
      url = page.next;
    }
    return rows;
  };
  const isMissing = async (path: string): Promise<boolean> =>
    (await get<{ results: unknown[] }>(`${host}/api/v2/${path}`)).results.length === 0;

  return {
    start: async () => {
      const { uuid } = await get<{ uuid?: string | null }>(`${host}/api/v2/workspace.json`);
      if (uuid === undefined || uuid === null) throw new Error("the connection test found no workspace");
      const created: string[] = [];
      for (const { key, label, value_type } of FIELDS) {
        if (!(await isMissing(`fields.json?key=${key}`))) continue;
        await post("fields.json", { label, value_type }, 201);
        created.push(key);
      }
      if (await isMissing(`groups.json?name=${encodeURIComponent(group)}`)) {
        await post("groups.json", { name: group }, 201);
        created.push(group);
      }
      return { workspace: uuid, created };
    },
    sync: async (people) => {
      const contacts = await walk<ContactRow>(`${host}/api/v2/contacts.json?group=${encodeURIComponent(group)}`);
      const uuids = new Map(contacts.map(({ uuid, fields }) => [fields["register_id"], uuid]));
      const done = { created: [] as string[], updated: [] as string[] };
      for (const { registerId, name, phone } of people) {
        const uuid = uuids.get(registerId);
        const payload = {
          name,
          urns: [`tel:${phone}`],
          groups: [group],
          fields: { register_id: registerId, register_unit: "coast" },
        };
        if (uuid === undefined) {
          const { uuid: made } = await post("contacts.json", payload, 201);
          done.created.push(String(made));
        } else {
          await post(`contacts.json?uuid=${uuid}`, payload, 200);
          done.updated.push(uuid);
        }
      }
      return done;
    },
    poll: async (flow, after, result) => {
      const query = new URLSearchParams({ flow, after, reverse: "true" });
      const runs = await walk<RunRow>(`${host}/api/v2/runs.json?${query.toString()}`);
      return runs.flatMap(({ exited_on, exit_type, values }) =>
        exit_type === "completed" && exited_on !== null ? [{ exitedOn: exited_on, value: values[result]?.value }] : [],
      );
    },
  };
}
