import { formField } from "../text/form.js";

/** Fields with the number of an event's message or call, in any spelling. */
export const subjectFields: readonly string[] = ["sms", "call", "id"];

/** Fields with the number of a handset among the channels, and with its phone number. */
export const channelFields: readonly string[] = ["relayer", "channel"];
export const handsetPhoneFields: readonly string[] = ["relayer_phone", "channel_phone"];

/** The number of the message or call of an event's body; undefined: it has none. */
export function subjectOf(body: string): string | undefined {
  return firstField(body, subjectFields);
}

/** The handset of an event's body: its number among the channels, else its phone number; undefined: it names none. */
export function handsetOf(body: string): string | undefined {
  return firstField(body, [...channelFields, "channel_uuid", ...handsetPhoneFields]);
}

function firstField(body: string, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = formField(body, name);
    if (value !== undefined && value !== "") return value;
  }
  return undefined;
}
