import { linkTo } from "../navigation/routes.js";

/** The sections of the view, in the order of the tab bar. */
export const sections = [
  "contacts",
  "groups",
  "messages",
  "broadcasts",
  "flows",
  "runs",
  "campaigns",
  "resthooks",
  "channels",
  "labels",
  "fields",
] as const;
export type Section = (typeof sections)[number];

/** The address of a section with a filter, or of one record. */
export function linkToService(section: Section, id?: string | number, query: Record<string, string> = {}): string {
  return linkTo("service", id === undefined ? [section] : [section, id], query);
}
