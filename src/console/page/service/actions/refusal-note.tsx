import { ErrorNote } from "../../design/index.js";
import type { Action } from "./use-action.js";

/** What was refused and belongs to no field of the form. */
export function RefusalNote({ action, shown }: { readonly action: Action; readonly shown: readonly string[] }) {
  const error = action.otherError(...shown);
  return error === undefined ? null : <ErrorNote error={error} />;
}
