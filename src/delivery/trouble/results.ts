import { CUT, type HttpResult } from "../../http/index.js";
import { troubleCode } from "../../measure/index.js";
import type { Trouble } from "./trouble.js";

/** Whether the service waits for its timeout, because nothing tells it that it gets no answer. */
export function timesOutBy(trouble: Trouble | undefined): boolean {
  return trouble?.loss === "answers-lost" || trouble?.loss === "requests-lost";
}

/**
 * What the service sees of an exchange that met trouble. An answer that is lost keeps its headers and body, for readers
 * of the recording. An exchange that failed by itself stays as it is.
 */
export function resultAfterTrouble(result: HttpResult, trouble: Trouble | undefined): HttpResult {
  if (trouble?.loss === "answers-lost" && result.status !== null)
    return { ...result, status: null, error: troubleCode("answers-lost") };
  return result.error === CUT ? { ...result, error: troubleCode("cut") } : result;
}
