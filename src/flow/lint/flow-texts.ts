import type { ActionDefinition } from "../action-definitions.js";
import type { FlowDefinition } from "../definition.js";

/** Texts that people read: one property of an action. */
export interface FlowText {
  readonly node: string;
  /** UUID of the action. */
  readonly uuid: string;
  readonly at: string;
  readonly path: string;
  readonly property: string;
  /** Sent over SMS. */
  readonly isMessage: boolean;
  /** Goes to addresses that the flow names, not to a contact: no language of a contact counts. */
  readonly isForStaff: boolean;
  /** A property whose translation makes that of the text needless: the recording that is played instead. */
  readonly instead?: string;
  readonly texts: readonly string[];
}

/** The texts of the actions of a flow that can be translated, in order. */
export function* flowTexts({ nodes }: FlowDefinition): Generator<FlowText, void> {
  for (const { uuid: node, actions } of nodes) {
    for (const [index, action] of actions.entries()) {
      for (const { property, texts, isMessage = false, isForStaff = false, instead } of textsOf(action)) {
        yield {
          node,
          uuid: action.uuid,
          at: `action ${index + 1}`,
          path: `actions[${index}].${property}`,
          property,
          texts,
          isMessage,
          isForStaff,
          instead,
        };
      }
    }
  }
}

function textsOf(
  action: ActionDefinition,
): readonly (Pick<FlowText, "property" | "texts" | "instead"> & Partial<Pick<FlowText, "isMessage" | "isForStaff">>)[] {
  switch (action.type) {
    case "send_msg":
    case "send_broadcast":
      return [
        { property: "text", texts: [action.text], isMessage: true },
        { property: "quick_replies", texts: action.quickReplies },
      ];
    case "say_msg":
      return [{ property: "text", texts: [action.text], instead: "audio_url" }];
    case "send_email":
      return [
        { property: "subject", texts: [action.subject], isForStaff: true },
        { property: "body", texts: [action.body], isForStaff: true },
      ];
    default:
      return [];
  }
}
