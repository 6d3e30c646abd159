import { type Command, InvalidArgumentError, Option } from "commander";
import { parseDuration } from "../../scenario/index.js";
import { type EventFilterOptions, eventOutcomes } from "../../inspect/index.js";
import { affectedKinds } from "../../report/index.js";
import { several } from "./several.js";

/** Adds the options that filter the events of a recording: the same for each command that has them. */
export function withEventFilters(command: Command): Command {
  return command
    .addOption(several("--of <handsets>", "events of these handsets: clinic, clinic/3, clinic/0..4, or a phone number"))
    .addOption(several("--person <people>", "events about these people: farmers/7, or a phone number"))
    .addOption(several("--type <types>", "events of these types: mo_sms,mt_sent"))
    .addOption(several("--outcome <outcomes>", `events with an attempt of this outcome: ${eventOutcomes.join(", ")}`))
    .option("--doubles", "events on which the receiver acted twice")
    .option("--without-effect", "texts without a reply and without a message to their person")
    .option("--reordered", "events that were accepted after a later event of their person")
    .option("--refused", "events that the receiver answered with an error")
    .addOption(
      new Option(
        "--late [duration]",
        "events that came to the receiver this much after the phone had them (5m), or were answered after it (1s)",
      ).argParser(readLate),
    )
    .option("--from <time>", "events since this time: 90m, 1:30:00 (virtual), or an instant 2026-03-04T07:30:00Z")
    .option("--to <time>", "events up to and including this time");
}

/** The filter options among a command's flags. */
export interface EventFilterFlags extends Omit<EventFilterOptions, "affected" | "lateMs"> {
  readonly doubles?: true;
  readonly withoutEffect?: true;
  readonly reordered?: true;
  readonly refused?: true;
  readonly late?: true | number;
}

/** The filters among a command's flags; undefined: none is given. */
export function eventFiltersIn(flags: EventFilterFlags): EventFilterOptions | undefined {
  const { of, person, type, outcome, from, to, doubles, withoutEffect, reordered, refused, late } = flags;
  const asked = { doubles, "without-effect": withoutEffect, reordered, refused, late };
  const affected = affectedKinds.filter((kind) => asked[kind] !== undefined);
  const kinds = affected.length === 0 ? undefined : affected;
  const given = { of, person, type, outcome, affected: kinds, lateMs: late === true ? undefined : late, from, to };
  const isAny = Object.values(given).some((value) => value !== undefined);
  return isAny
    ? (Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as EventFilterOptions)
    : undefined;
}

function readLate(text: string): number {
  const ms = parseDuration(text);
  if (ms !== undefined) return ms;
  throw new InvalidArgumentError(`'${text}' is no duration such as 10s or 30m; write --late after the recording.`);
}
