import { displayName } from "./display-name.js";
import { displayNameOf } from "./handset-lookup.js";

/** `Old Harbour 2` for `old-harbour/2`; the selector itself for a group without a display name. */
export function nameOfHandset(selector: string): string {
  const label = displayNameOf(selector);
  const [name = "", number] = selector.split("/");
  if (label === undefined) return selector;
  return number === undefined ? label : displayName({ name, label }, number);
}

/** A handset's display name with its selector, which is what one searches for, small beside it. */
export function HandsetName({ of }: { readonly of: string }) {
  const name = nameOfHandset(of);
  if (name === of) return <>{of}</>;
  return (
    <span>
      {name} <span class="design-fine for-engineers">{of}</span>
    </span>
  );
}
