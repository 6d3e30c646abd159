/**
 * Questions about a recording: `explain` tells the life of one event, `reconcileLog` compares a receiver's log with it,
 * and `EventFilter` selects events by the scenario's names. `recordedCoverage` says which parts of flows were reached.
 * `scenarioOf` parses the recorded scenario.
 */
export { chainScenario, type ChainScenario } from "./chain/scenario.js";
export { EventFilter, eventOutcomes, filteredEvents, type EventFilterOptions, virtualTimeOf } from "./event-filter.js";
export { accountFilesOf, conversationScenario } from "./conversation.js";
export { scenarioTalks } from "./scenario-talks.js";
export { talkAccountFile, talkScenario, type TimedAct } from "./talk-scenario.js";
export { RecordedCast } from "./recorded-cast.js";
export { recordedCoverage, type RecordedFlowCoverage } from "./flow-coverage.js";
export { reconcileLog, type ReconcileOptions } from "./reconcile.js";
export { scenarioOf, scenarioToKeep, scenarioWithSecrets, urlToKeep } from "./recorded-scenario.js";
export { columnsText, compareSent, hasLog, logRows, type LogSource, readColumnsText } from "./sent-and-received.js";
export { explain } from "./why.js";
