/** Scenarios: parsed from YAML or built in TypeScript, checked with positioned diagnostics, returned as plain data. */
export * from "./scenario.js";
export { beatsOf } from "./beats.js";
export { mostOther, mostSteps, mostYaml } from "./size-bounds.js";
export { stepKeys } from "./parts/step-times.js";
export {
  delayMsOf,
  drawnArguments,
  drawSelections,
  drawVariations,
  executionOf,
  forMember,
  membersOf,
  variationsOf,
  type StepMembers,
} from "./step-members.js";
export { type Diagnostic, type DiagnosticCode, diagnosticCodes, setFile } from "./sheet/diagnostic.js";
export { formatDiagnostics } from "./format-diagnostics.js";
export { type ReadFile } from "./sheet/csv.js";
export { type Parsed, type ParseOptions, parseScenario } from "./parse.js";
export { scenario, ScenarioError, type ScenarioInput, scenarioYaml, type StepInput } from "./builder.js";
export * from "./account/index.js";
export { checkFakes } from "./check-fakes.js";
export { type FileKind, kindOfFile } from "./kind.js";
export { fakesOf, type WrittenFake } from "./fakes.js";
export {
  type Hand,
  type HandArgument,
  type HandEntry,
  type HandProblem,
  handReference,
  type HandVerb,
  handVerbs,
  parseHandValue,
  readHand,
} from "./hand.js";
export { scenarioJsonSchema } from "./json-schema.js";
export { disconnectsPhones, type VerbArgs } from "./verbs/index.js";
export { lineOf } from "./line-of.js";
export { checksOf } from "./checks/checks-of.js";
export { readBound } from "./checks/read-bound.js";
export { readCheck } from "./checks/read-check.js";
export { NOT_KEPT, withoutMissing, withoutSecrets, withoutSecretValues } from "./secrets.js";
export { newScenarioText } from "./starter.js";
export type { PresetName } from "../wire/index.js";
export { metricNames } from "./parts/metrics.js";
export { writtenTree, type WrittenTree, writtenYaml } from "./written-tree.js";
export { writtenValue, type WrittenValue } from "./written-value.js";
export { selectorKeys } from "./cast-names.js";
export type { RawValue } from "./sheet/raw-value.js";
export { durationLiteral, parseDuration } from "./fields/values/duration.js";
export { spelledPattern } from "./fields/values/pattern.js";
export { inMiB, mostFileBytes } from "./size-bounds.js";
export { nearest, suggest } from "./sheet/nearest.js";
export { selectMembers, selectPeople } from "./select-members.js";
export type { ExactExpectation, ExactInput, ExactLog, ExactRequest, SeenFailure } from "./exact/exact-request.js";
export { parseExact, type ParsedExact } from "./exact/parse-exact.js";
export { writeExact, type WrittenExact } from "./exact/write-exact.js";
export { type ScenarioBug, writeScenarioBug } from "./exact/write-scenario-bug.js";
