import { LabError } from "../../base/index.js";
import { UnknownIdError } from "../../report/index.js";
import { refusal } from "../refusal.js";

/** @throws ControlRefusal 404 for an unknown id, 409 when nothing can be made of it */
export function refuseUnknown<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof LabError) throw refusal("detail", error.message, 409);
    if (!(error instanceof UnknownIdError)) throw error;
    throw refusal("detail", `${error.message}: ${error.hint}`, 404);
  }
}
