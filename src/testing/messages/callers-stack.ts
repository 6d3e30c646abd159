/**
 * The stack of the caller of an asynchronous function: an error that is thrown later points at the line of the test.
 *
 * @param below - the function whose caller is meant
 */
export function callersStack(below: (...args: never[]) => unknown): { put<E extends Error>(error: E): E } {
  const origin = new Error("called here");
  Error.captureStackTrace(origin, below);
  const [, ...frames] = (origin.stack ?? "").split("\n");
  return {
    put(error) {
      error.stack = [`${error.name}: ${error.message}`, ...frames].join("\n");
      return error;
    },
  };
}
