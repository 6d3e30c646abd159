import { isListening } from "../lab/index.js";
import { endText, type ReceiverEnd, RECEIVER_OUTPUT_KEY, type ReceiverOutput } from "../report/index.js";
import { type Scenario, withoutSecretValues } from "../scenario/index.js";
import type { Recording } from "../store/index.js";
import { redactedUrl } from "../wire/index.js";
import type { RunningCommand } from "./command.js";

/** A run or replay whose receiver's command may have ended. */
export interface CommandRun {
  /** The receiver's command; undefined when the run started none. */
  readonly command: RunningCommand | undefined;
  /** URL of the receiver; null when events are posted nowhere. */
  readonly url: string | null;
  /** True when the bundled receiver gets the events, and the command is an application that uses the API. */
  readonly isBundled: boolean;
  readonly scenario: Scenario;
  readonly recording: Recording;
  readonly keepsSecrets: boolean;
  /** API tokens that were passed to the command. */
  readonly tokens?: readonly string[];
}

/** How the receiver's command ended: at most one of the two properties is given. */
export interface CommandOutcome {
  /** The command ended by itself, and nothing listens at its address. */
  readonly receiverEnd?: ReceiverEnd;
  /** Why the run fails, if the command ended by itself while another process received the events. */
  readonly failure?: string;
}

/** Records the output of the receiver's command, and determines how the command ended unless the run stopped it. */
export async function endedReceiver(run: CommandRun): Promise<CommandOutcome> {
  const { command, url, isBundled, recording } = run;
  if (command === undefined) return {};
  const output = withoutSecretsOf(run, { command: command.words, ...(await command.output()) });
  recording.keep(RECEIVER_OUTPUT_KEY, JSON.stringify(output));
  const { exit } = command;
  if (exit === undefined) return {};
  const ended = `'${output.command}' ended by itself (${endText(exit)})`;
  if (isBundled || url === null) return { failure: ended };
  if (!(await isListening(url))) return { receiverEnd: { ...output, ...exit } };
  const where = redactedUrl(url);
  return { failure: `${ended}, and something still listens at ${where}: start the receiver in the foreground` };
}

/** Removes secrets from the output: receivers log requests with their headers. */
function withoutSecretsOf({ scenario, keepsSecrets, tokens = [] }: CommandRun, output: ReceiverOutput): ReceiverOutput {
  if (keepsSecrets) return output;
  const hide = (text: string): string => withoutSecretValues(text, scenario, tokens);
  return { command: hide(output.command), stderr: hide(output.stderr), stdout: hide(output.stdout) };
}
