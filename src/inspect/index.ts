/**
 * Questions about a recording that need its scenario: each opens the recording, parses the scenario in it, and selects or
 * explains events by the scenario's names (`explain`, `reconcileLog`, `EventFilter`).
 */
export { EventFilter, eventOutcomes, filteredEvents, type EventFilterOptions } from "./event-filter.js";
export { reconcileLog, type ReconcileOptions } from "./reconcile.js";
export { scenarioOf, scenarioToKeep, scenarioWithSecrets, urlToKeep } from "./recorded-scenario.js";
export { explain } from "./why.js";
