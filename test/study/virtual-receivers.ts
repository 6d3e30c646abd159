/** A receiver as a queue: the instant of the answer for an instant of arrival. Milliseconds. */
export interface QueueModel {
  answerAt(arrivalMs: number): number;
}

/** A number of parallel workers with a fixed service time; one worker: serial. */
export function workers(count: number, serviceMs: number): QueueModel {
  const freeAt = Array.from({ length: count }, () => 0);
  return {
    answerAt(arrivalMs) {
      const index = freeAt.indexOf(Math.min(...freeAt));
      return (freeAt[index] = Math.max(arrivalMs, freeAt[index] ?? 0) + serviceMs);
    },
  };
}

/** Accepts at once; answers after a base time, in order, at a fixed rate. */
export function growingQueue(perSecond: number, baseMs: number): QueueModel {
  let freeAtMs = 0;
  return {
    answerAt(arrivalMs) {
      freeAtMs = Math.max(arrivalMs, freeAtMs) + 1000 / perSecond;
      return freeAtMs + baseMs;
    },
  };
}

/** A receiver that works more slowly when overloaded. */
export interface CliffOptions {
  readonly perSecond: number;
  /** Share of the rate that remains after the collapse. */
  readonly remains: number;
  /** More waiting requests than this make it collapse. */
  readonly most: number;
  /** It recovers when no more requests wait than this. */
  readonly recoversAt: number;
  /** It stays collapsed for at least this long, milliseconds. */
  readonly staysMs?: number;
}

/** One worker that collapses under overload: thrashing, swapping, a lock convoy. */
export function cliff({ perSecond, remains, most, recoversAt, staysMs = 0 }: CliffOptions): QueueModel {
  let answers: number[] = [];
  let freeAtMs = 0;
  let isDown = false;
  let downUntilMs = 0;
  return {
    answerAt(arrivalMs) {
      const open = answers.findIndex((at) => at > arrivalMs);
      answers = open < 0 ? [] : answers.slice(open);
      if (answers.length > most) [isDown, downUntilMs] = [true, arrivalMs + staysMs];
      else if (answers.length <= recoversAt && arrivalMs >= downUntilMs) isDown = false;
      freeAtMs = Math.max(arrivalMs, freeAtMs) + 1000 / (perSecond * (isDown || arrivalMs < downUntilMs ? remains : 1));
      answers.push(freeAtMs);
      return freeAtMs;
    },
  };
}
