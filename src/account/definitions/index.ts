/** Flow definitions and exports: reads and checks them, and summarises flows for the API. */
export { accountOfDefinitions } from "./read-export.js";
export { slugOf } from "./native-summary.js";
export { pathText } from "./json-cursor.js";
export { uuidsOfFlowNumbers } from "./flow-numbers.js";
export { type FlowDependencies, type FlowResult, type FlowSummary, flowSummary, type Mention } from "./summary.js";
