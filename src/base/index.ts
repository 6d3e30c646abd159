/**
 * What every room may use: operational errors with a code and a hint, the version, worker threads, atomic files, a
 * stack of closers, the timers' limit, the progress of operations.
 */
export { Closers } from "./closers.js";
export { CsvFault, CsvReader, csvRows, delimiterOf } from "./csv-rows.js";
export { LabError, type LabErrorCode } from "./lab-error.js";
export type { OnProgress, OperationProgress } from "./operation-progress.js";
export { replaceFile } from "./replace-file.js";
export { runWorker, startWorker, type WorkerStart } from "./start-worker.js";
export { systemReason } from "./system-reason.js";
export { TIMER_MS_MAX } from "./timer-limit.js";
export { version } from "./version.js";
export { bundledModule, compiledModule, packageFile } from "./package-files.js";
