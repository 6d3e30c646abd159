import type { ServerResponse } from "node:http";

/** How a receiver answers an event. */
export type AnswersEvent = (body: string, response: ServerResponse) => void;

/** Answers a text with a reply to its sender, and any other event with nothing. @param textOf - undefined: no reply */
export function replying(textOf: (text: string, phone: string) => string | undefined): AnswersEvent {
  return (body, response) => {
    const fields = new URLSearchParams(body);
    const phone = fields.get("phone") ?? "";
    const text = fields.get("event") === "mo_sms" ? textOf(fields.get("text") ?? "", phone) : undefined;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(text === undefined ? {} : { urn: [`tel:${phone}`], text }));
  };
}

/** The right receiver: it repeats what it got. */
export const rightApp: AnswersEvent = replying((text) => `Got ${text}`);
