import { useState } from "preact/hooks";
import { type RequestError, requestErrorOf } from "./lab-client.js";

export interface Action {
  readonly isBusy: boolean;
  readonly error: RequestError | undefined;
  /** Message of a field; undefined: nothing is wrong with it. */
  readonly fieldError: (...fields: readonly string[]) => string | undefined;
  /** What is wrong with no field that is shown. @param shown - fields that show their own message */
  readonly otherError: (...shown: readonly string[]) => RequestError | undefined;
  /** Does it, and keeps the refusal. */
  readonly run: (act: () => Promise<void>) => void;
}

/**
 * Something that the reader asks for: busy until it is answered, with the refusal by field.
 * @param onFailed - shows a refusal where no form does
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
