import type { Command } from "commander";
import { type EventFilterOptions, eventOutcomes } from "../../inspect/index.js";
import { several } from "./several.js";

/** Adds the options that filter the events of a recording: the same for each command that has them. */
export function withEventFilters(command: Command): Command {
  return command
    .addOption(several("--of <handsets>", "events of these handsets: clinic, clinic/3, clinic/0..4, or a phone number"))
    .addOption(several("--person <people>", "events about these people: farmers/7, or a phone number"))
    .addOption(several("--type <types>", "events of these types: mo_sms,mt_sent"))
    .addOption(several("--outcome <outcomes>", `events with an attempt of this outcome: ${eventOutcomes.join(", ")}`))
    .option("--from <time>", "events since this time: 90m, 1:30:00 (virtual), or an instant 2026-03-04T07:30:00Z")
    .option("--to <time>", "events up to and including this time");
}

/** The filters among a command's flags; undefined: none is given. */
export function eventFiltersIn(flags: EventFilterOptions): EventFilterOptions | undefined {
  const { of, person, type, outcome, from, to } = flags;
  const given = { of, person, type, outcome, from, to };
  const isAny = Object.values(given).some((value) => value !== undefined);
  return isAny
    ? (Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as EventFilterOptions)
    : undefined;
}
