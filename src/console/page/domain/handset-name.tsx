import { displayNameOf } from "./handset-lookup.js";

/** `Old Harbour 2` for `old-harbour/2`; the selector itself for a group without a display name. */
export function nameOfHandset(selector: string): string {
  const group = displayNameOf(selector);
  const [, number] = selector.split("/");
  return group === undefined ? selector : number === undefined ? group : `${group} ${number}`;
}

/** A handset's display name with its selector, which is what one searches for, small beside it. */
export function HandsetName({ of }: { readonly of: string }) {
  const name = nameOfHandset(of);
  if (name === of) return <>{of}</>;
  return (
    <>
      {name} <span class="design-fine for-engineers">{of}</span>
    </>
  );
}
