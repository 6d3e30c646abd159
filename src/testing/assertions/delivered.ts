import { isRegExp } from "node:util/types";
import { LabError } from "../../base/index.js";
import { eventTypes } from "../../wire/index.js";
import { receiverLines } from "../messages/receiver-lines.js";
import { quoted, textTest } from "../messages/words.js";
import type { LabEvent } from "../lab/log.js";
import type { TestLab } from "../lab/test-lab.js";

/** Which events are meant: all fields of `where` must fit. */
export interface DeliveredWanted {
  /** How many; default: at least one. */
  readonly times?: number;
  /** Fields by their names in the library, such as `{ text: /join/, phone: "+250788123456" }`. A text must be equal. */
  readonly where?: Readonly<Record<string, string | number | RegExp>>;
}

/** Whether something holds, and the words for the case that it should be the other way round. */
export interface Verdict {
  readonly holds: boolean;
  /** Says what is true: for a failure of the assertion, and of its opposite. */
  readonly message: string;
}

/**
 * Judges whether the receiver has accepted events of a type.
 *
 * @throws LabError `bad-options` for a type that the service does not have and the lab has not sent
 */
export function judgeDelivered(lab: TestLab, type: string, { times, where = {} }: DeliveredWanted = {}): Verdict {
  const all = lab.events();
  if (!(eventTypes as readonly string[]).includes(type) && !all.some((event) => event.type === type)) {
    throw new LabError("bad-options", `'${type}' is no type of event`, { hint: `one of ${eventTypes.join(", ")}` });
  }
  const ofType = all.filter((event) => event.type === type);
  const fitting = ofType.filter((event) => fits(event, where));
  const delivered = fitting.filter(({ state }) => state === "delivered");
  const holds = times === undefined ? delivered.length > 0 : delivered.length === times;
  const { timeoutMs } = lab.scenario.service;
  const wanted = `${type}${Object.keys(where).length === 0 ? "" : ` with ${whereText(where)}`}`;
  const expected = times === undefined ? "at least one" : String(times);
  return {
    holds,
    message: [
      `your receiver accepted ${delivered.length} ${wanted} (expected: ${expected})`,
      ...stateLines(fitting, ofType, wanted),
      "",
      `Sent to your receiver${lab.receiver.url === undefined ? "" : ` (${lab.receiver.url})`}:`,
      ...receiverLines(ofType.length === 0 ? all : ofType, { timeoutMs }),
    ].join("\n"),
  };
}

function stateLines(fitting: readonly LabEvent[], ofType: readonly LabEvent[], wanted: string): string[] {
  const count = (state: LabEvent["state"]): number => fitting.filter((event) => event.state === state).length;
  const words = [
    [count("waiting"), "not accepted yet: the service tries again while time passes (lab.advance)"],
    [count("failed"), "given up by the service"],
    [count("not-sent"), "not sent: the lab has no receiver for them"],
  ] as const;
  if (ofType.length === 0) return ["The service has made no such event: what causes it has not happened, or not yet."];
  if (fitting.length === 0) return [`None of ${ofType.length} is ${wanted}.`];
  return words.filter(([number]) => number > 0).map(([number, text]) => `${number} ${text}`);
}

function fits({ event }: LabEvent, where: NonNullable<DeliveredWanted["where"]>): boolean {
  const fields = event as Readonly<Record<string, unknown>>;
  return Object.entries(where).every(([name, wanted]) => {
    const value = fields[name];
    if (value === undefined) return false;
    const text = typeof value === "object" ? JSON.stringify(value) : String(value as string | number | boolean);
    return isRegExp(wanted) ? textTest(wanted)(text) : text === String(wanted);
  });
}

function whereText(where: NonNullable<DeliveredWanted["where"]>): string {
  return Object.entries(where)
    .map(([name, value]) => `${name} ${typeof value === "string" ? quoted(value) : String(value)}`)
    .join(", ");
}
