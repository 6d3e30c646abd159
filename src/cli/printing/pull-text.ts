import type { PullSummary } from "../../pull/index.js";
import { onOneLine } from "../../wire/index.js";
import { count, longSpan } from "./numbers.js";

/** Words for what is counted otherwise than it is written. */
const notWritten = new Map([["channels", "as comments"]]);

/** The summary of a pull, for people. */
export function pullText(summary: PullSummary): string {
  const { account, service, requests, throttledMs, files, pseudonyms, resumed } = summary;
  const waited = throttledMs === 0 ? "" : `, ${longSpan(throttledMs)} waited for its throttle`;
  const continued = resumed ? ", continued" : "";
  const [file = "", ...others] = files;
  const lines = [
    `Pulled '${account}' from ${service} (${count(requests)} requests${waited}${continued})`,
    ...resourceLines(summary),
    ...section(
      "Refused by the service:",
      summary.refused.map(({ resource, status, detail }) => `${resource}: ${status} '${detail}'`),
    ),
    ...section(
      "Left out or changed:",
      summary.leftOut.map(({ what, why, count: number, of }) => {
        const more = number > of.length ? ` and ${count(number - of.length)} more` : "";
        return `${count(number)} ${what}: ${why} (${of.join(", ")}${more})`;
      }),
    ),
    ...section("Not in the file:", summary.notInApi),
    pseudonyms === "on"
      ? "Names, addresses, UUIDs and text values of contacts are pseudonyms; flows' texts are not."
      : "Without pseudonyms: the file names real people.",
    `Wrote ${file}${others.length === 0 ? "" : ` and ${count(others.length)} ${others.length === 1 ? "file" : "files"} beside it`}`,
    `Serve it: handset serve ${files.filter((one) => one.endsWith(".yaml")).join(" --data ")}`,
  ];
  return `${lines.map(onOneLine).join("\n")}\n`;
}

function resourceLines({ resources, refused }: PullSummary): string[] {
  const isRefused = (name: string): boolean => refused.some(({ resource }) => resource === name);
  const rows = resources
    .filter(({ resource, read }) => read > 0 && !isRefused(resource))
    .map(({ resource, read, written }) => {
      const kept = notWritten.get(resource) ?? (written === read ? "" : `${count(written)} written`);
      return [`  ${resource.replaceAll("_", " ")}`, count(read), kept] as const;
    });
  const name = Math.max(...rows.map(([one]) => one.length));
  const number = Math.max(...rows.map(([, one]) => one.length));
  return rows.map(([one, read, kept]) => `${one.padEnd(name)}  ${read.padStart(number)}  ${kept}`.trimEnd());
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)];
}
