/**
 * A small adaptor with which many integrations import people and messages. It knows no UUIDs beforehand, creates first
 * and falls back to an update by address (docs/reference/service-api.md#other-clients).
 */
export interface Adaptor {
  /** Creates the contact or, when its address is taken, updates the contact that has it. @returns its UUID */
  upsertContact(contact: AdaptorContact): Promise<string>;
  sendBroadcast(broadcast: { text: string; urns?: string[]; contacts?: string[]; groups?: string[] }): Promise<unknown>;
  startFlow(start: { flow: string; urns?: string[]; contacts?: string[]; groups?: string[] }): Promise<unknown>;
}

export interface AdaptorContact {
  readonly name?: string;
  /** In the integration's spelling: `ENG`. */
  readonly language?: string;
  readonly urns: readonly [string, ...string[]];
  readonly groups?: readonly string[];
  readonly fields?: Readonly<Record<string, string>>;
}

/** An answer that the adaptor cannot handle. */
export class AdaptorError extends Error {
  readonly body: string;

  constructor(status: number, body: string) {
    super(`${status}: ${body}`);
    this.body = body;
  }
}

export function adaptor(host: string, token: string): Adaptor {
  const post = async (path: string, payload: unknown): Promise<unknown> => {
    const response = await fetch(`${host}/api/v2/${path}`, {
      method: "POST",
      headers: {
        accept: "application/json, text/plain, */*",
        authorization: `Token ${token}`,
        "content-type": "application/json",
      },
      body: JSON.stringify(payload),
    });
    const text = await response.text();
    if (!response.ok) throw new AdaptorError(response.status, text);
    return JSON.parse(text) as unknown;
  };

  return {
    upsertContact: async (contact) => {
      try {
        return uuidIn(await post("contacts.json", contact));
      } catch (error) {
        if (!(error instanceof AdaptorError) || !saysThatUrnIsTaken(error)) throw error;
      }
      const { urns, ...changes } = contact;
      // The plus sign is not encoded: the service reads it as a space.
      return uuidIn(await post(`contacts.json?urn=${urns[0]}`, changes));
    },
    sendBroadcast: (broadcast) => post("broadcasts.json", broadcast),
    startFlow: (start) => post("flow_starts.json", start),
  };
}

function saysThatUrnIsTaken(error: AdaptorError): boolean {
  try {
    const { urns } = JSON.parse(error.body) as { urns?: unknown };
    return Array.isArray(urns) && urns.some((text) => String(text).includes("URN belongs to another"));
  } catch {
    return false;
  }
}

function uuidIn(record: unknown): string {
  const { uuid } = record as { uuid?: unknown };
  if (typeof uuid !== "string") throw new Error(`no uuid in ${JSON.stringify(record)}`);
  return uuid;
}
