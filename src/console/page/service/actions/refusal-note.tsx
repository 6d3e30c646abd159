import type { Action } from "../../connection/use-action.js";
import { ErrorNote } from "../../design/index.js";

/** The error of an action that belongs to no field of the form. */
export function RefusalNote({ action, shown }: { readonly action: Action; readonly shown: readonly string[] }) {
  const error = action.otherError(...shown);
  return error === undefined ? null : <ErrorNote error={error} />;
}
