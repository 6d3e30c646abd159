/** A text in or out. */
export interface MessageRow {
  readonly relayer: string;
  readonly id: string;
  readonly phone: string;
  readonly direction: "in" | "out";
  text: string;
  /** `received`, or how far an outgoing text has come. */
  status: "received" | "sent" | "failed" | "delivered";
  /** When it was received or sent: ISO 8601 with a zone. */
  time: string | null;
  /** When the network delivered it. */
  deliveredAt: string | null;
}

/** A call of a phone's log. */
export interface CallRow {
  readonly relayer: string;
  readonly id: string;
  readonly phone: string;
  readonly kind: "missed" | "answered" | "made" | "not picked up";
  readonly duration: number;
  readonly time: string | null;
}

/** An alarm, with all its fields but its type. */
export interface AlarmRow {
  readonly relayer: string;
  readonly lastSeen: string | null;
  readonly fields: Readonly<Record<string, string>>;
}

/** A step that a contact has reached in a flow. */
export interface FlowRow {
  readonly phone: string;
  readonly flow: string;
  readonly step: string;
  readonly values: readonly { readonly label: string; readonly category: string; readonly value: string }[];
}

/** An event of a type that the logbook does not know. */
export interface OtherRow {
  readonly type: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** A person. The counts grow by one with each event that is new. */
export interface ContactRow {
  readonly phone: string;
  texts: number;
  sent: number;
  delivered: number;
  failed: number;
  calls: number;
  missed: number;
  talkedSeconds: number;
}

/** A text that the logbook has asked the service to send. */
export interface ReplyRow {
  readonly phone: string;
  readonly text: string;
}

/** What the logbook knows, as `GET /_handset-lab/effects` returns it. Lists have a fixed order. */
export interface LogbookEffects {
  readonly messages: readonly MessageRow[];
  readonly calls: readonly CallRow[];
  readonly alarms: readonly AlarmRow[];
  readonly flows: readonly FlowRow[];
  readonly others: readonly OtherRow[];
  readonly contacts: readonly ContactRow[];
  readonly replies: readonly ReplyRow[];
}

/** The logbook's memory. */
export class LogbookRecords {
  readonly messages: MessageRow[] = [];
  readonly calls: CallRow[] = [];
  readonly alarms: AlarmRow[] = [];
  readonly flows: FlowRow[] = [];
  readonly others: OtherRow[] = [];
  readonly replies: ReplyRow[] = [];
  /** By phone. */
  readonly contacts = new Map<string, ContactRow>();
  /** Keys of the events that are done or being done. */
  readonly known = new Set<string>();
  readonly #outgoing = new Map<string, MessageRow>();

  /** The person with a number; a new one has no texts and calls. */
  contactOf(phone: string): ContactRow {
    const there = this.contacts.get(phone);
    if (there !== undefined) return there;
    const counts = { texts: 0, sent: 0, delivered: 0, failed: 0, calls: 0, missed: 0, talkedSeconds: 0 };
    const contact = { phone, ...counts };
    this.contacts.set(phone, contact);
    return contact;
  }

  /** The outgoing text with an id at a channel; undefined: no report of it has come. */
  outgoing(relayer: string, id: string): MessageRow | undefined {
    return this.#outgoing.get(`${relayer} ${id}`);
  }

  addOutgoing(row: MessageRow): void {
    this.messages.push(row);
    this.#outgoing.set(`${row.relayer} ${row.id}`, row);
  }

  /** All effects, in an order that does not depend on the order of events. */
  effects(): LogbookEffects {
    return {
      messages: inOrder(this.messages),
      calls: inOrder(this.calls),
      alarms: inOrder(this.alarms),
      flows: inOrder(this.flows),
      others: inOrder(this.others),
      contacts: inOrder([...this.contacts.values()]),
      replies: inOrder(this.replies),
    };
  }
}

function inOrder<T>(rows: readonly T[]): T[] {
  return rows
    .map((row) => ({ row, text: JSON.stringify(row) }))
    .toSorted((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
    .map(({ row }) => row);
}
