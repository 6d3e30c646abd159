import { signal } from "@preact/signals";
import { linkBeside, readRoute, type Route } from "./route.js";

export * from "./route.js";

/** The current route. */
export const route = signal<Route>(readRoute(location.hash));

addEventListener("hashchange", () => {
  route.value = readRoute(location.hash);
});

/** Navigates to an address of this page. */
export function goTo(href: string): void {
  location.hash = href;
}

/** Replaces the address without a history entry, for typed filters and searches. */
export function replaceWith(href: string): void {
  history.replaceState(null, "", href);
  route.value = readRoute(href);
}

/**
 * The address that opens a side panel beside the current view, so that a list stays visible while its rows are
 * inspected. On narrow screens the panel covers the view. @param what - `clinic/3`, `event:3/17`, `person:+250…`;
 * undefined: closes it
 */
export function linkToBeside(what: string | undefined): string {
  return linkBeside(route.value, what);
}
