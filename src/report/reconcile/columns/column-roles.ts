/** The meanings that a column of the receiver's log may have. */
export const columnRoles = ["id", "number", "type", "phone", "text", "time"] as const;
export type ColumnRole = (typeof columnRoles)[number];

/** The name of the column for each role. */
export type ColumnsByRole = Readonly<Partial<Record<ColumnRole, string>>>;

/** Columns by role, as the user gives them; null: the role has no column. */
export type GivenColumns = Readonly<Partial<Record<ColumnRole, string | null>>>;

/** Default reason why a role has no column. */
export const NO_COLUMN = "no such column";

/** Usual names of columns, in lower case without punctuation, the best first. */
const usualNames: Readonly<Record<ColumnRole, readonly string[]>> = {
  id: ["xhandsetevent", "handsetevent", "eventid", "eventkey", "event", "id"],
  number: ["sms", "smsid", "messageid", "msgid", "call", "callid", "id"],
  type: ["eventtype", "type", "event", "kind"],
  phone: ["phone", "from", "sender", "msisdn", "phonenumber", "urn", "address", "number", "contact"],
  text: "text message content body msg words smstext smsbody textmessage messagetext messagebody messagecontent msgtext msgbody payload".split(
    " ",
  ),
  time: ["time", "timestamp", "receivedat", "createdat", "received", "created", "date", "datetime", "ts", "at"],
};

/** Index of a column's name among the usual names of a role; Infinity when it is not among them. */
export function nameRank(role: ColumnRole, column: string): number {
  const rank = usualNames[role].indexOf(column.toLowerCase().replaceAll(/[^a-z0-9]/g, ""));
  return rank === -1 ? Infinity : rank;
}
