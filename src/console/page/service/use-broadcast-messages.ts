import { useRequest } from "../connection/use-request.js";
import type { ReadOf } from "../../protocol/index.js";

/** Polling interval, in milliseconds: that of the lists. */
const REFRESH_MS = 3000;

type Reached = ReadOf<"/broadcast-messages">["results"][number];

/** How many messages of the shown broadcasts were sent and delivered, by broadcast. The REST API does not say it. */
export function useBroadcastMessages(ids: readonly number[]): ReadonlyMap<number, Reached> {
  const asked = ids.filter((id) => Number.isSafeInteger(id) && id > 0);
  const { data } = useRequest(asked.length === 0 ? undefined : `/broadcast-messages?broadcasts=${asked.join(",")}`, {
    every: REFRESH_MS,
  });
  return new Map(data?.results.map((each) => [each.broadcast, each]));
}
