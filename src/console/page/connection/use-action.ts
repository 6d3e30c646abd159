import { useState } from "preact/hooks";
import { type RequestError, requestErrorOf } from "./lab-client.js";

export interface Action {
  readonly isBusy: boolean;
  readonly error: RequestError | undefined;
  /** Error message of a field; undefined: none. */
  readonly fieldError: (...fields: readonly string[]) => string | undefined;
  /** The error if it belongs to none of the shown fields. @param shown - fields that show their own message */
  readonly otherError: (...shown: readonly string[]) => RequestError | undefined;
  /** Runs the action, and keeps its error. */
  readonly run: (act: () => Promise<void>) => void;
}

/**
 * State of an action of the user: busy until it is answered, then possibly an error by field.
 * @param onFailed - shows an error outside a form
 */
export function useAction(onFailed?: (error: RequestError) => void): Action {
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<RequestError>();
  const fieldError = (...fields: readonly string[]): string | undefined =>
    fields.map((field) => error?.fields[field]).find((message) => message !== undefined);
  return {
    isBusy,
    error,
    fieldError,
    otherError: (...shown) =>
      error !== undefined &&
      (Object.keys(error.fields).length === 0 || Object.keys(error.fields).some((field) => !shown.includes(field)))
        ? error
        : undefined,
    run: (act) => {
      if (isBusy) return;
      setIsBusy(true);
      setError(undefined);
      act()
        .catch((failure: unknown) => {
          const refusal = requestErrorOf(failure);
          setError(refusal);
          onFailed?.(refusal);
        })
        .finally(() => setIsBusy(false));
    },
  };
}
