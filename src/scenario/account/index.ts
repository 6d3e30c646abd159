/** Account files: parsed from YAML, with the same diagnostics as scenarios; and the people generated for them. */
export type { AccountFile, FieldValues, PeopleSpec } from "./account-file.js";
export type { AccountRules, DefinitionReader } from "./rules.js";
export { accountJsonSchema } from "./json-schema.js";
export { type AccountFileOptions, checkAccountFakes, parseAccount, type ParsedAccount } from "./parse.js";
export { fakesOfPeople, generatePeople, peopleSpec } from "./generate-people.js";
