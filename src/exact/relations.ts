import { namesOfEvent } from "../expect/index.js";
import { readableDuration } from "../report/index.js";
import type { ExactRequest } from "../scenario/index.js";
import { formField, handsetOf, subjectOf } from "../wire/index.js";

/**
 * How the requests of a small input belong together, a sentence each: repeats and copies of one event, requests at the
 * same moment, a delivery before its sending, one person at several handsets.
 */
export function relationsOf(requests: readonly ExactRequest[]): string[] {
  return [...repeats(requests), ...together(requests), ...backwards(requests), ...people(requests)];
}

function repeats(requests: readonly ExactRequest[]): string[] {
  const firsts = new Map<string, number>();
  return requests.flatMap((request, place) => {
    const names = namesOfEvent(request.type, request.body);
    const first = names.map((name) => firsts.get(name)).find((one) => one !== undefined);
    if (first === undefined) {
      for (const name of names) firsts.set(name, place);
      return [];
    }
    const before = requests[first];
    const gapMs = request.atMs - (before?.atMs ?? 0);
    const when = gapMs === 0 ? "at once" : `${readableDuration(gapMs)} later`;
    const what = before?.body === request.body ? "repeats request" : "reports again the event of request";
    return [`Request ${place + 1} ${what} ${first + 1}, ${when}.`];
  });
}

function together(requests: readonly ExactRequest[]): string[] {
  return requests.flatMap((request, place) =>
    request.with === undefined
      ? []
      : [`Requests ${place} and ${place + 1} come at the same moment, on two connections.`],
  );
}

function backwards(requests: readonly ExactRequest[]): string[] {
  const messageOf = ({ body }: ExactRequest): string => JSON.stringify([handsetOf(body), subjectOf(body)]);
  return requests.flatMap((request, place) => {
    if (request.type !== "mt_sent") return [];
    const earlier = requests.findIndex(
      (one, before) => before < place && one.type === "mt_dlvd" && messageOf(one) === messageOf(request),
    );
    return earlier < 0
      ? []
      : [`Request ${earlier + 1} reports a delivery before request ${place + 1} reports the sending.`];
  });
}

function people(requests: readonly ExactRequest[]): string[] {
  if (requests.length < 2) return [];
  const phones = new Set(requests.map(({ body }) => formField(body, "phone") ?? ""));
  const handsets = new Set(requests.map(({ body }) => handsetOf(body) ?? ""));
  if (phones.size === 1 && handsets.size > 1) return [`One person writes to ${handsets.size} handsets.`];
  if (phones.size === requests.length && phones.size > 2) return [`They are of ${phones.size} different people.`];
  return [];
}
