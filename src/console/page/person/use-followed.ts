import { useEffect } from "preact/hooks";
import { followed, stopFollowing } from "./follow.js";

/** The speed returns this long after the last step. Milliseconds. */
const AFTER_MS = 1500;
/** The speed returns, too, when nothing has moved for this long: the text waits for something. */
const STILL_MS = 20_000;

/**
 * Ends following when the text has arrived, or waits for longer than an audience does.
 *
 * @param moved - changes with every drawn step @param hasArrived - whether the followed text's way is drawn to its end
 */
export function useFollowed(moved: string, hasArrived: boolean): void {
  const isFollowing = followed.value !== undefined;
  useEffect(() => {
    if (!isFollowing) return undefined;
    const timer = setTimeout(() => void stopFollowing(), hasArrived ? AFTER_MS : STILL_MS);
    return () => clearTimeout(timer);
  }, [isFollowing, moved, hasArrived]);
  useEffect(() => () => void stopFollowing(), []);
}
