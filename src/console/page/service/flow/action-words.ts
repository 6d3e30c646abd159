import { type JsonRecord, objectOf, objectsOf, textOf, textsOf } from "./json.js";

/** Kind of a node's line, which selects its icon. */
export type LineKind = "says" | "asks" | "saves" | "calls" | "goes" | "splits";

/** One line of a node's description. */
export interface NodeLine {
  readonly kind: LineKind;
  readonly text: string;
}

/** Describes an action of a native definition. */
export function actionWords(action: JsonRecord): NodeLine {
  const type = textOf(action["type"]);
  const known = words[type];
  return known === undefined ? { kind: "calls", text: type.replaceAll("_", " ") || "Unknown action" } : known(action);
}

const line =
  (kind: LineKind, text: (action: JsonRecord) => string) =>
  (action: JsonRecord): NodeLine => ({ kind, text: text(action) });

const words: Readonly<Record<string, (action: JsonRecord) => NodeLine>> = {
  send_msg: line("says", ({ text, quick_replies: replies }) => {
    const offered = textsOf(replies);
    return `Says “${textOf(text)}”${offered.length === 0 ? "" : ` (${offered.join(" / ")})`}`;
  }),
  say_msg: line("says", ({ text }) => `Says aloud “${textOf(text)}”`),
  play_audio: line("says", ({ audio_url: url }) => `Plays ${textOf(url)}`),
  send_broadcast: line("says", (action) => `Sends “${textOf(action["text"])}” to ${recipientsOf(action)}`),
  send_email: line("says", ({ addresses, subject }) => `E-mails ${textsOf(addresses).join(", ")}: ${textOf(subject)}`),
  set_contact_field: line("saves", ({ field, value }) =>
    changed(textOf(objectOf(field)["name"]) || textOf(objectOf(field)["key"]), textOf(value)),
  ),
  set_contact_name: line("saves", ({ name }) => changed("the contact’s name", textOf(name))),
  set_contact_language: line("saves", ({ language }) => changed("the contact’s language", textOf(language))),
  set_contact_timezone: line("saves", ({ timezone }) => changed("the contact’s time zone", textOf(timezone))),
  set_contact_status: line("saves", ({ status }) => changed("the contact’s status", textOf(status))),
  set_contact_channel: line("saves", ({ channel }) => changed("the contact’s channel", nameOf(channel))),
  add_contact_urn: line("saves", ({ scheme, path }) => `Adds the address ${textOf(scheme)}:${textOf(path)}`),
  add_contact_groups: line("saves", ({ groups }) => `Adds to ${namesOf(groups)}`),
  remove_contact_groups: line("saves", ({ groups, all_groups: all }) =>
    all === true ? "Removes from all groups" : `Removes from ${namesOf(groups)}`,
  ),
  add_input_labels: line("saves", ({ labels }) => `Labels the text ${namesOf(labels)}`),
  set_run_result: line("saves", ({ name, value, category }) => {
    const sorted = textOf(category);
    return `Saves “${textOf(name)}”: ${textOf(value)}${sorted === "" ? "" : ` (${sorted})`}`;
  }),
  set_run_local: line("saves", ({ local, value }) => changed(textOf(local), textOf(value))),
  enter_flow: line("goes", ({ flow, terminal }) =>
    terminal === true ? `Continues in the flow ${nameOf(flow)}` : `Enters the flow ${nameOf(flow)}`,
  ),
  start_session: line("goes", (action) => `Starts the flow ${nameOf(action["flow"])} for ${recipientsOf(action)}`),
  call_webhook: line("calls", ({ method, url }) => `Calls ${textOf(method) || "GET"} ${textOf(url)}`),
  call_resthook: line("calls", ({ resthook }) => `Calls the resthook ${textOf(resthook)}`),
  call_classifier: line("calls", ({ classifier }) => `Asks the classifier ${nameOf(classifier)}`),
  call_llm: line("calls", () => "Asks a language model"),
  transfer_airtime: line("calls", () => "Transfers airtime"),
  open_ticket: line("calls", () => "Opens a ticket"),
  request_optin: line("asks", ({ optin }) => `Asks for the consent ${nameOf(optin)}`),
};

function changed(what: string, value: string): string {
  return value === "" ? `Clears ${what}` : `Sets ${what} to ${value}`;
}

function nameOf(reference: unknown): string {
  const { name, name_match: match, uuid } = objectOf(reference);
  return textOf(name) || textOf(match) || textOf(uuid) || "none";
}

function namesOf(references: unknown): string {
  return objectsOf(references).map(nameOf).join(", ") || "no group";
}

function recipientsOf(action: JsonRecord): string {
  const names = [
    ...objectsOf(action["groups"]).map(nameOf),
    ...objectsOf(action["contacts"]).map(nameOf),
    ...textsOf(action["urns"]),
    ...textsOf(action["legacy_vars"]),
    ...textsOf([action["contact_query"]]),
  ];
  if (names.length > 0) return names.join(", ");
  return action["create_contact"] === true ? "a new contact" : "nobody";
}
