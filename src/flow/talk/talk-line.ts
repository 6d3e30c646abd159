import type { FlowDefinition } from "../definition.js";
import type { Assets } from "../host.js";
import { nodeTitle } from "../node-title.js";
import { textIn } from "../read/json-object.js";
import type { Sprint } from "../session.js";

/** The flow and the node in which something happened. */
export interface TalkPlace {
  readonly flow: string;
  /** Title of the node; empty: the flow as a whole. */
  readonly node: string;
}

/** One line of a dialogue. */
export type TalkLine =
  | { readonly kind: "contact"; readonly text: string }
  | {
      readonly kind: "service";
      readonly text: string;
      readonly attachments: readonly string[];
      readonly quickReplies: readonly string[];
    }
  /** The wait ended without an answer. */
  | { readonly kind: "timeout" | "expired" }
  /** A flow began: the one that was started, or one that another has entered. */
  | { readonly kind: "flow"; readonly name: string }
  | {
      readonly kind: "result";
      readonly name: string;
      readonly value: string;
      readonly category: string;
      readonly place: TalkPlace;
    }
  /** What changed at the contact, or was done besides messages: `field Age = 45`. */
  | { readonly kind: "change"; readonly text: string }
  | { readonly kind: "error" | "failure"; readonly text: string; readonly place: TalkPlace }
  /** How the session ended. */
  | { readonly kind: "end"; readonly how: "completed" | "failed" | "expired" }
  /** A text that no flow handled. */
  | { readonly kind: "unheard" };

/** The lines of a sprint, in the order of its events. */
export function linesOf({ session, events }: Sprint, assets: Pick<Assets, "flow">): readonly TalkLine[] {
  const places = new Map<string, TalkPlace>();
  const flowOf = (uuid: string): FlowDefinition | undefined => assets.flow(uuid);
  for (const run of session.runs) {
    const flow = flowOf(run.flow.uuid);
    places.set(run.uuid, { flow: run.flow.name, node: "" });
    for (const { uuid, node } of run.path) {
      const found = flow?.nodesByUuid.get(node);
      places.set(uuid, { flow: run.flow.name, node: found === undefined ? "" : nodeTitle(found) });
    }
  }
  return events.flatMap((event): readonly TalkLine[] => {
    const place = places.get(event.step ?? "") ?? places.get(event.run ?? "") ?? { flow: "", node: "" };
    switch (event.type) {
      case "msg_received":
        return [{ kind: "contact", text: [event.msg.text, ...(event.msg.attachments ?? [])].join(" ").trim() }];
      case "msg_created":
      case "ivr_created": {
        const { text, attachments = [], quick_replies: quickReplies = [] } = event.msg;
        return [{ kind: "service", text, attachments, quickReplies }];
      }
      case "wait_timed_out":
        return [{ kind: "timeout" }];
      case "run_expired":
        return [{ kind: "expired" }];
      case "flow_entered":
        return [{ kind: "flow", name: event.flow.name }];
      case "run_result_changed": {
        const { name, value, category = "" } = event;
        return [{ kind: "result", name, value, category, place }];
      }
      case "error":
      case "failure":
        return [{ kind: event.type, text: event.text, place }];
      case "contact_field_changed": {
        const text = textIn(event.value?.["text"]);
        return [change(text === "" ? `field ${event.field.name} cleared` : `field ${event.field.name} = ${text}`)];
      }
      case "contact_name_changed":
        return [change(`name = ${event.name}`)];
      case "contact_language_changed":
        return [change(`language = ${event.language}`)];
      case "contact_status_changed":
        return [change(`status = ${event.status}`)];
      case "contact_groups_changed":
        return [
          ...(event.groups_added ?? []).map(({ name }) => change(`joined the group ${name}`)),
          ...(event.groups_removed ?? []).map(({ name }) => change(`left the group ${name}`)),
        ];
      case "input_labels_added":
        return event.labels.map(({ name }) => change(`label ${name}`));
      case "webhook_called":
        return [change(`${event.method} ${event.url}: ${event.status_code === 0 ? "no answer" : event.status_code}`)];
      case "broadcast_created":
        return [change("a message to others")];
      case "session_triggered":
        return [change(`others started in the flow ${event.flow.name}`)];
      case "email_sent":
        return [change(`e-mail to ${event.to.join(", ")}`)];
      case "ticket_opened":
        return [change("a ticket")];
      default:
        return [];
    }
  });
}

function change(text: string): TalkLine {
  return { kind: "change", text };
}
