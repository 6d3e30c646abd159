import { useEffect, useRef, useState } from "preact/hooks";
import type { BugJob } from "../../protocol/index.js";
import { labGet, labPost, requestErrorOf, type RequestError } from "./lab-client.js";
import { isServerGone } from "./retry.js";

/** Wall milliseconds between two looks at work that runs. */
const LOOK_MS = 250;

/** The work with a bug at the lab's receiver that this component began. */
export interface BugWork {
  /** Undefined: none was begun here. */
  readonly job: BugJob | undefined;
  readonly isRunning: boolean;
  /** Whether it runs still, after the user has stopped it. */
  readonly isStopping: boolean;
  /** Why it was not begun, or why the page does not know how far it is. */
  readonly error: RequestError | undefined;
  readonly begin: (ask: () => Promise<BugJob>) => void;
  readonly stop: () => void;
  readonly forget: () => void;
}

/** Begins a play or a search, and follows it. Leaving the component stops it. */
export function useBugWork(): BugWork {
  const [job, setJob] = useState<BugJob>();
  const [isAsking, setIsAsking] = useState(false);
  const [isStopping, setIsStopping] = useState(false);
  const [error, setError] = useState<RequestError>();
  const isRunning = job?.is_running === true;
  const id = job?.id;
  useEffect(() => {
    if (!isRunning) return setIsStopping(false);
    let isLeft = false;
    const timer = setInterval(() => {
      if (isServerGone()) return;
      labGet("/bug/work").then(
        (now) => {
          if (isLeft) return;
          setError(undefined);
          setJob((before) => (before === undefined || now.id === before.id ? now : ended(before, now)));
        },
        // It may run still: the next look tells.
        (failure: unknown) => {
          if (!isLeft) setError(requestErrorOf(failure));
        },
      );
    }, LOOK_MS);
    return () => {
      isLeft = true;
      clearInterval(timer);
    };
  }, [isRunning, id]);
  // A dialog that is closed must not leave requests behind that nobody sees.
  const runs = useRef(false);
  runs.current = isRunning;
  useEffect(
    () => () => {
      if (runs.current) void labPost("/bug/stop").catch(() => undefined);
    },
    [],
  );
  return {
    job,
    isRunning: isRunning || isAsking,
    isStopping,
    error,
    begin(ask) {
      setError(undefined);
      setIsAsking(true);
      void ask()
        .then(setJob, (failure: unknown) => {
          setJob(undefined);
          setError(requestErrorOf(failure));
        })
        .finally(() => setIsAsking(false));
    },
    stop() {
      setIsStopping(true);
      labPost("/bug/stop").then(setJob, (failure: unknown) => {
        setIsStopping(false);
        setError(requestErrorOf(failure));
      });
    },
    forget() {
      setJob(undefined);
      setError(undefined);
    },
  };
}

/** A job that the server knows no longer. */
function ended(before: BugJob, now: BugJob): BugJob {
  return {
    ...before,
    is_running: false,
    problem:
      now.id < before.id
        ? "The server was started again in the middle: its result is lost."
        : "Other work with a bug was begun in the middle: its result is lost.",
  };
}
