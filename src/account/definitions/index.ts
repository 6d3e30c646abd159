/** Definitions: exports of accounts read, flows checked, and what the API shows of them. */
export { generationOf } from "./generation.js";
export { accountOfDefinitions, type Imported } from "./read-export.js";
export { slugOf } from "./native-summary.js";
export { type DefinitionProblem, pathText } from "./json-cursor.js";
export { type FlowDependencies, type FlowResult, type FlowSummary, flowSummary, type Mention } from "./summary.js";
