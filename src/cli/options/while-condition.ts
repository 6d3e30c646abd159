import { readFailureCondition } from "../../expect/index.js";
import { UsageError } from "../failures.js";

/** Reads `--while`. @throws UsageError with the column of what is wrong */
export function whileCondition(texts: readonly string[]) {
  const read = readFailureCondition(texts);
  if (!("fault" in read)) return read;
  const { text, message, hint, column } = read.fault;
  throw new UsageError(`--while '${text}', column ${column}: ${message}`, hint);
}

/** Refuses a command line without a receiver. @throws UsageError */
export function requireReceiver(receiver: string | undefined, command: readonly string[]): void {
  if (receiver !== undefined || command.length > 0) return;
  throw new UsageError("where do the events go? name your receiver with -r URL, or start it with -- COMMAND");
}
