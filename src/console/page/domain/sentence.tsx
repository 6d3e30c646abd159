import { fleet } from "../connection/state.js";
import { EventType } from "./event-type.jsx";
import { nameOfHandset } from "./handset-name.jsx";
import { sentenceParts } from "./sentence-parts.js";

/** A sentence of the lab, with its event types in words and its handsets by display name. */
export function Sentence({ text }: { readonly text: string }) {
  return (
    <>
      {sentenceParts(text, fleet.value?.groups ?? []).map((part, index) => {
        if (typeof part === "string") return part;
        if ("type" in part) return <EventType key={index} type={part.type} />;
        return (
          <span key={index} title={part.handset}>
            {nameOfHandset(part.handset)}
          </span>
        );
      })}
    </>
  );
}
