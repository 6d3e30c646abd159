/** Questions about a finished recording that need its scenario: why, reconcile, filtered events. */
export { EventFilter, eventOutcomes, filteredEvents, type EventFilterOptions } from "./event-filter.js";
export { reconcileLog, type ReconcileOptions } from "./reconcile.js";
export { scenarioOf, scenarioToKeep, scenarioWithSecrets, urlToKeep } from "./recorded-scenario.js";
export { explain } from "./why.js";
