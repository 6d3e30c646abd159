import { countOf, formatCount } from "../number-format.js";
import type { Finding } from "./finding.js";
import { type HostMeasures, isTooBusy } from "./host-measures.js";

/** Says that other programs kept this machine busy, and what that means for the findings about the receiver. */
export function hostFinding(host: HostMeasures): Finding[] {
  if (host.busySeconds === 0) return [];
  const { judged, leftOut, othersPerCore } = host;
  const others =
    othersPerCore === undefined ? "" : `, with up to ${countOf(Math.round(othersPerCore), "other task")} for each core`;
  const left = leftOut === 0 ? "" : `: ${formatCount(leftOut)} of ${countOf(judged + leftOut, "request")}`;
  const consequence = isTooBusy(host)
    ? `too little is left to judge the receiver's speed (${countOf(judged, "request")})`
    : `what is said about the receiver's speed leaves those seconds out, and the time in which queues drained${left}`;
  return [
    {
      kind: "host",
      weight: "note",
      text: `This machine was ${busyText(host)}${others}; ${consequence}.`,
      where: "handset report RECORDING --json: host",
      severity: leftOut / Math.max(1, judged + leftOut),
    },
  ];
}

/** `busy in 7 of 25 s` */
export function busyText({ busySeconds, seconds }: Pick<HostMeasures, "busySeconds" | "seconds">): string {
  return `busy in ${formatCount(busySeconds)} of ${formatCount(seconds)} s`;
}
