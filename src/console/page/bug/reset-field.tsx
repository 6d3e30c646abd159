import { signal } from "@preact/signals";
import { Input } from "../design/index.js";

/** The request that resets the receiver before each play; it lasts as long as the page. Empty: none. */
export const resetRequest = signal("");

/** Where the user says how the receiver forgets what it was sent. */
export function ResetField({
  error,
  isDisabled = false,
}: {
  readonly error?: string | undefined;
  readonly isDisabled?: boolean;
}) {
  return (
    <Input
      label="Reset the receiver before each play (optional)"
      isMono
      value={resetRequest.value}
      isDisabled={isDisabled}
      placeholder="POST /reset"
      hint="A request after which your receiver has forgotten everything that it was sent"
      {...(error !== undefined && { error })}
      onChange={(text) => (resetRequest.value = text)}
    />
  );
}
