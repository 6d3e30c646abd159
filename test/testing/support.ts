import type { IncomingMessage, ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import { startLab, type StartLabOptions, type TestLab } from "../../src/testing/index.js";

export const ADA = "+250788123456";
export const BEN = "+250788654321";

/** Starts a lab that is closed with the test. */
export async function labFor(options: StartLabOptions = {}): Promise<TestLab> {
  const lab = await startLab(options);
  onTestFinished(() => lab.close());
  return lab;
}

/** The fields of a request's body. */
export async function fieldsOf(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return new URLSearchParams(Buffer.concat(chunks).toString("utf8"));
}

/** A Node handler that answers each text with a text. */
export function answering(reply: (text: string, phone: string) => string = (text) => `You said ${text}`) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const fields = await fieldsOf(request);
    if (fields.get("event") !== "mo_sms") return void response.end();
    const phone = fields.get("phone") ?? "";
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ urn: [`tel:${phone}`], text: reply(fields.get("text") ?? "", phone) }));
  };
}

/** The message of the error that a call throws or rejects with. */
export async function messageOf(act: () => unknown): Promise<string> {
  try {
    await act();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("it did not fail");
}
