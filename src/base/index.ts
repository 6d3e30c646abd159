/** What every room may use: operational errors with a code and a hint, and the package's version. */
export { LabError, type LabErrorCode } from "./lab-error.js";
export { version } from "./version.js";
