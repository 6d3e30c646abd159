import { useEffect, useState } from "preact/hooks";
import type { BugJob } from "../../protocol/index.js";
import { labGet, labPost, requestErrorOf, type RequestError } from "./lab-client.js";

/** Wall milliseconds between two looks at work that runs. */
const LOOK_MS = 250;

/** The work with a bug at the lab's receiver that this component began. */
export interface BugWork {
  /** Undefined: none was begun here. */
  readonly job: BugJob | undefined;
  readonly isRunning: boolean;
  readonly error: RequestError | undefined;
  readonly begin: (ask: () => Promise<BugJob>) => void;
  readonly stop: () => void;
  readonly forget: () => void;
}

/** Begins a play or a search, and follows it. Leaving the component stops it. */
export function useBugWork(): BugWork {
  const [job, setJob] = useState<BugJob>();
  const [isAsking, setIsAsking] = useState(false);
  const [error, setError] = useState<RequestError>();
  const isRunning = job?.is_running === true;
  const keep = (asked: Promise<BugJob>): Promise<void> =>
    asked.then(setJob, (failure: unknown) => {
      setJob(undefined);
      setError(requestErrorOf(failure));
    });
  const id = job?.id;
  useEffect(() => {
    if (!isRunning) return undefined;
    let isLeft = false;
    const timer = setInterval(() => {
      labGet("/bug/work").then(
        (now) => {
          if (isLeft) return;
          // Somebody else has begun other work, so this one was stopped.
          setJob((before) => (before === undefined || now.id === before.id ? now : { ...before, is_running: false }));
        },
        (failure: unknown) => setError(requestErrorOf(failure)),
      );
    }, LOOK_MS);
    return () => {
      isLeft = true;
      clearInterval(timer);
    };
  }, [isRunning, id]);
  // A dialog that is closed must not leave requests behind that nobody sees.
  useEffect(
    () => () => {
      if (isRunning) void labPost("/bug/stop").catch(() => undefined);
    },
    [isRunning],
  );
  return {
    job,
    isRunning: isRunning || isAsking,
    error,
    begin(ask) {
      setError(undefined);
      setIsAsking(true);
      void keep(ask()).finally(() => setIsAsking(false));
    },
    stop: () => void keep(labPost("/bug/stop")),
    forget: () => setJob(undefined),
  };
}
