import type { Phone } from "./phone.js";

const RANGE = 2 ** 32;

/** The id that the app reports for a message: with fault ids-32-bit, the low 32 bits as a signed number. */
export function reportedId(phone: Pick<Phone, "has">, id: number): number {
  return phone.has("ids-32-bit") ? id | 0 : id;
}

/** The service's id of a message from the id under which the app reports it: the inverse of `reportedId`. */
export function trueId(reported: number): number {
  return reported < 0 ? reported + RANGE : reported;
}
