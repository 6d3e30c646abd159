import { eventLabel } from "./event-words.js";

/** An event's type in words, with the code that an application sees small beside it. */
export function EventType({ type, codeClass = "" }: { readonly type: string; readonly codeClass?: string }) {
  const label = eventLabel(type);
  if (label === type) return <>{type}</>;
  return (
    <>
      {label} <code class={`design-fine for-engineers ${codeClass}`}>{type}</code>
    </>
  );
}
