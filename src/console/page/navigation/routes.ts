import { signal } from "@preact/signals";
import { linkBeside, readRoute, type Route } from "./route.js";

export * from "./route.js";

/** The current route. */
export const route = signal<Route>(readRoute(location.hash));

addEventListener("hashchange", () => {
  route.value = readRoute(location.hash);
});

/** Goes to an address of this page. */
export function goTo(href: string): void {
  location.hash = href;
}

/** Goes to an address without a step in the history: for filters and searches that are typed. */
export function replaceWith(href: string): void {
  history.replaceState(null, "", href);
  route.value = readRoute(href);
}

/**
 * The address that opens a handset beside the current view; on narrow screens the page shows it alone. So a list stays
 * in sight while its rows are looked at. @param what - `clinic/3`, `event:3/17`, `person:+250…`; undefined: closes it
 */
export function linkToBeside(what: string | undefined): string {
  return linkBeside(route.value, what);
}
