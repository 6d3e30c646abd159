import type { ComponentChildren } from "preact";
import { moment } from "../connection/moment.js";
import "./acts-now.css";

/** Controls that act on phones. They are disabled, with the reason, while the page shows the past. */
export function ActsNow({ children }: { readonly children: ComponentChildren }) {
  const isPast = moment.value !== undefined;
  return (
    <>
      {isPast && <p class="design-aside">This is the past, which cannot be changed. Go back to now first.</p>}
      <fieldset class="acts-now" disabled={isPast}>
        {children}
      </fieldset>
    </>
  );
}
