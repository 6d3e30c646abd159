import { LabError } from "../base/index.js";
import type { ApplyInput, Lab } from "../lab/index.js";
import type { RecordedInput } from "../store/index.js";
import type { CallEventType } from "../wire/index.js";
import {
  type PreparedLoad,
  prepareRecorded,
  fileFirstMessages,
  logMissedCall,
  type Control,
} from "../control/index.js";

/** The parts of a re-executed lab on which recorded inputs act. */
export interface InputParts {
  readonly lab: Lab;
  readonly control: Control;
  /** Sends a request to the REST API of this lab. */
  readonly request: (input: { readonly method: string; readonly path: string; readonly body: unknown }) => Promise<{
    readonly status: number;
    readonly text: string;
  }>;
}

/** Applies the recorded inputs of a served lab again, except hands, which the lab itself applies. */
export function inputsOf(parts: () => InputParts): ApplyInput {
  let firstHourSteps = 0;
  let prepared: PreparedLoad | undefined;
  return (input) => {
    const { kind, json } = input;
    const { lab } = parts();
    lab.clock?.leapTo(input.atMs);
    switch (kind) {
      case "hand":
        return undefined;
      case "api":
        return () => requestAgain(input, parts());
      case "account":
        return async () => {
          prepared = await prepareRecorded(json, lab);
          const { load } = prepared;
          lab.write({ kind, json }, () => load.loadSome());
        };
      case "account-part":
        return () => lab.write({ kind, json }, () => prepared?.load.loadSome());
      case "past":
        return () => (firstHourSteps++ === 0 ? logMissedCall(lab) : fileFirstMessages(lab));
      case "tokens":
        // Only the row is repeated: the input does not contain tokens, and no result of the lab depends on them.
        return () => lab.write({ kind, json }, () => undefined);
      default:
        return controlActOf(input, parts());
    }
  };
}

/** The change of a recorded control API input. */
function controlActOf({ kind, json }: RecordedInput, { lab, control }: InputParts): () => void {
  const args = JSON.parse(json) as Readonly<Record<string, unknown>>;
  const of = args["of"] as string;
  switch (kind) {
    case "alarm":
      return () => void control.channels.raiseAlarm(of);
    case "call":
      return () =>
        void control.channels.logCall({
          of,
          phone: args["phone"] as string,
          type: args["type"] as CallEventType,
          durationS: args["durationS"] as number,
          timeMs: args["timeMs"] === undefined ? undefined : (args["timeMs"] as number),
        });
    case "resthook":
      return () => void control.emitResthook(args["slug"] as string, args["data"] as Readonly<Record<string, unknown>>);
    case "delivery-url":
      return () =>
        setDeliveryUrl(
          lab,
          args["url"] as string | null,
          of === undefined ? undefined : [...control.names.channelsOf(of)],
          json,
        );
    default:
      throw new LabError("recording-differs", `this version cannot apply an input of the kind '${kind}' again`);
  }
}

/** @param channels - undefined for all channels */
function setDeliveryUrl(lab: Lab, url: string | null, channels: readonly number[] | undefined, json: string): void {
  const { handsetCount } = lab.world.population;
  lab.write({ kind: "delivery-url", json }, () => {
    for (const channel of channels ?? Array.from({ length: handsetCount }, (_, index) => index + 1))
      lab.gateway.setDeliveryUrl(channel, url);
  });
}

async function requestAgain({ json }: RecordedInput, { request }: InputParts): Promise<void> {
  const { method, path, body } = JSON.parse(json) as { method: string; path: string; body: unknown };
  const { status, text } = await request({ method, path, body });
  if (status < 400) return;
  throw new LabError(
    "recording-differs",
    `${method} ${path.split("?")[0]} was accepted and is now answered ${status} ${text.slice(0, 200)}`,
  );
}
