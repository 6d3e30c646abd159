import { ownValue } from "../../wire/index.js";
import type { ActionDefinition } from "../action-definitions.js";
import { saveResult } from "../engine/results.js";
import type { RunningSprint } from "../engine/running-sprint.js";

type Action<Type extends ActionDefinition["type"]> = Extract<ActionDefinition, { type: Type }>;

/** Saves a result without input. A failed template saves nothing. */
export function setRunResult(sprint: RunningSprint, action: Action<"set_run_result">): void {
  const { text, isFailed } = sprint.evaluate(action.value);
  if (isFailed) return;
  const localized = sprint.localizedText(action.uuid, "category", "");
  saveResult(sprint, "action", {
    name: action.name,
    value: text,
    category: action.category,
    ...(action.category !== "" && localized !== "" && { categoryLocalized: localized }),
  });
}

/** Opens a ticket in the account's own ticketing; external ticketing services are not emulated. */
export function openTicket(sprint: RunningSprint, action: Action<"open_ticket">): void {
  const uuid = sprint.host.uuid();
  const body = sprint.evaluate(action.body).text;
  sprint.log({
    type: "ticket_opened",
    ticket: { uuid, topic: action.topic, body },
  });
  setLocal(sprint, "_new_ticket", uuid);
  if (action.resultName !== "")
    saveResult(sprint, "call", { name: action.resultName, value: uuid, category: "Success" });
}

/** There is no airtime service, so the transfer fails. */
export function transferAirtime(sprint: RunningSprint, action: Action<"transfer_airtime">): void {
  sprint.logError("no airtime service available");
  setLocal(sprint, "_new_transfer", "");
  if (action.resultName !== "")
    saveResult(sprint, "call", { name: action.resultName, value: "0", category: "Failure" });
}

/** There is no classifier, so the classification fails; without an input it is skipped. */
export function callClassifier(sprint: RunningSprint, action: Action<"call_classifier">): void {
  const input = sprint.evaluate(action.input).text.trim();
  if (input === "") sprint.logError("can't classify empty input, skipping classification");
  else sprint.logError(`no classifier service available for '${action.classifier.name}'`);
  if (action.resultName === "") return;
  const category = input === "" ? "Skipped" : "Failure";
  saveResult(sprint, "call", { name: action.resultName, value: "0", category, input });
}

/** Sets, clears or increments a variable of the run (14.x). */
export function setRunLocal(sprint: RunningSprint, action: Action<"set_run_local">): void {
  const { text, isFailed } = sprint.evaluate(action.value);
  if (isFailed) return;
  if (action.operation === "clear") return setLocal(sprint, action.local, undefined);
  if (action.operation !== "increment") return setLocal(sprint, action.local, text);
  const step = Number(text.trim());
  if (text.trim() === "" || !Number.isInteger(step)) return sprint.logError(`increment '${text}' is no integer`);
  const own = Number(ownValue(sprint.run.locals, action.local) ?? "0");
  setLocal(sprint, action.local, String((Number.isInteger(own) ? own : 0) + step));
}

function setLocal({ run }: RunningSprint, name: string, value: string | undefined): void {
  const { [name]: _, ...others } = run.locals ?? {};
  run.locals = value === undefined ? others : { ...others, [name]: value };
}
