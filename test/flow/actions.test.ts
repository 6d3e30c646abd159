import { expect, it } from "vitest";
import { act, ann, ask, definition, eventsOf, message, play, type PlayedInput, typesOf } from "./player.js";

/** Events of a flow of one node with these actions, by type, without where and when. */
function eventsWith(
  actions: readonly Readonly<Record<string, unknown>>[],
  input: Omit<PlayedInput, "nodes"> = {},
): readonly Readonly<Record<string, unknown>>[] {
  const [sprint] = play({ ...input, nodes: [act("node", actions)] });
  return (sprint?.events ?? []).map(({ created_on: _c, step_uuid: _s, run_uuid: _r, ...event }) => event);
}

const error = (text: string): object => ({ type: "error", text });

it("sends a message to each address, or says why it cannot be sent", () => {
  const urns = ["tel:+250788123123?channel=android", "mailto:ann@example.org", "tel:+250788555666"];
  const sent = eventsWith([{ type: "send_msg", text: "Hi", all_urns: true }], { contact: { urns } });
  expect(sent.map(({ msg }) => msg)).toMatchObject([{ urn: urns[0] }, { urn: urns[2] }]);
  expect(eventsWith([{ type: "send_msg", text: "Hi" }], { contact: { urns: ["ext:9"] } })).toMatchObject([
    { msg: { text: "Hi", unsendable_reason: "no_destination" } },
  ]);
  expect(eventsWith([{ type: "send_msg", text: "Hi" }], { contact: { status: "stopped" } })).toMatchObject([
    { msg: { unsendable_reason: "contact_status" } },
  ]);
});

it("drops empty attachments and quick replies with an error", () => {
  const events = eventsWith([
    {
      type: "send_msg",
      text: "Hi @(1 / 0)!",
      attachments: ['@("")', "image/jpeg:https://example.org/@(contact.id).jpg"],
      quick_replies: ["Yes", '@("")'],
    },
  ]);
  expect(events).toMatchObject([
    { type: "error" },
    error("attachment text evaluated to empty string, skipping"),
    error("quick reply text evaluated to empty string, skipping"),
    { msg: { text: "Hi !", attachments: ["image/jpeg:https://example.org/7.jpg"], quick_replies: ["Yes"] } },
  ]);
});

it("cuts quick replies to 64 characters, the last of which are points", () => {
  const replies = ["é".repeat(64), "é".repeat(65), "💧".repeat(64), "💧".repeat(65), "@(repeat(contact.name, 8))"];
  const [message] = eventsWith([{ type: "send_msg", text: "Choose", quick_replies: replies }]);
  expect(message?.["msg"]).toMatchObject({
    quick_replies: [
      replies[0],
      `${"é".repeat(61)}...`,
      replies[2],
      `${"💧".repeat(61)}...`,
      `${"Ann Uwase".repeat(8).slice(0, 61)}...`,
    ],
  });
});

it("changes the contact only by what is valid and new", () => {
  const field = (key: string, value: string) => ({ type: "set_contact_field", field: { key, name: key }, value });
  expect(
    eventsWith([
      field("town", "  Huye  "),
      field("town", "Huye"),
      field("town", "@(1 / 0)"),
      field("town", ""),
      field("unknown", "x"),
      { type: "set_contact_name", name: " Bea " },
      { type: "set_contact_name", name: "Bea" },
      { type: "set_contact_language", language: "kinyarwanda" },
      { type: "set_contact_language", language: "kin" },
      { type: "set_contact_timezone", timezone: "Africa/Nowhere" },
      { type: "set_contact_timezone", timezone: "Africa/Nairobi" },
    ]),
  ).toMatchObject([
    { type: "contact_field_changed", field: { key: "town", name: "Town" }, value: { text: "Huye" } },
    { type: "error" },
    { type: "contact_field_changed", value: null },
    error("missing dependency: field[key=unknown,name=unknown]"),
    { type: "contact_name_changed", name: "Bea" },
    error("iso-639-3 codes must be 3 characters, got: kinyarwanda"),
    { type: "contact_language_changed", language: "kin" },
    error("unknown time zone Africa/Nowhere"),
    { type: "contact_timezone_changed", timezone: "Africa/Nairobi" },
  ]);
});

it("cuts names to 128 and values to 640 characters", () => {
  const [name, value, result] = eventsWith([
    { type: "set_contact_name", name: "n".repeat(200) },
    { type: "set_contact_field", field: { key: "town", name: "Town" }, value: "v".repeat(700) },
    { type: "set_run_result", name: "Long", value: "r".repeat(700) },
  ]);
  expect(name).toMatchObject({ name: "n".repeat(128) });
  expect(value).toMatchObject({ value: { text: "v".repeat(640) } });
  expect(result).toMatchObject({ value: "r".repeat(640) });
});

it("joins and leaves manual groups", () => {
  const farmers = { uuid: "farmers", name: "Farmers" };
  const smart = { uuid: "women", name: "Women", query: 'sex = "f"' };
  expect(
    eventsWith(
      [
        { type: "add_contact_groups", groups: [farmers, { uuid: "gone", name: "Gone" }, smart] },
        { type: "add_contact_groups", groups: [{ name_match: "@(upper(contact.name))" }] },
        { type: "remove_contact_groups", groups: [], all_groups: true },
      ],
      { assets: { groups: [farmers, smart] } },
    ),
  ).toEqual([
    error("missing dependency: group[uuid=gone,name=Gone]"),
    error("can't add contacts to the query based group 'Women'"),
    { type: "contact_groups_changed", groups_added: [farmers] },
    error("no such group with name 'ANN UWASE'"),
    { type: "contact_groups_changed", groups_removed: [farmers] },
  ]);
});

it("recomputes smart groups at the start and after each change; who is not active leaves all groups", () => {
  const rich = { uuid: "rich", name: "Rich", query: "age > 50" };
  const events = eventsWith(
    [
      { type: "set_contact_field", field: { key: "age", name: "Age" }, value: "60" },
      { type: "set_contact_field", field: { key: "age", name: "Age" }, value: "40" },
      { type: "set_contact_field", field: { key: "age", name: "Age" }, value: "70" },
      { type: "set_contact_status", status: "blocked" },
    ],
    {
      assets: { groups: [rich] },
      contact: { groups: [{ uuid: "rich", name: "Rich" }] },
      membership: ({ fields }) => Number(fields["age"]?.text) > 50,
    },
  );
  const member = { uuid: "rich", name: "Rich" };
  expect(events.filter(({ type }) => type === "contact_groups_changed")).toEqual([
    { type: "contact_groups_changed", groups_removed: [member] },
    { type: "contact_groups_changed", groups_added: [member] },
    { type: "contact_groups_changed", groups_removed: [member] },
    { type: "contact_groups_changed", groups_added: [member] },
    { type: "contact_groups_changed", groups_removed: [member] },
  ]);
});

it("adds addresses in normal form, and moves those of a channel to the front", () => {
  const second = {
    uuid: "second",
    name: "Second",
    address: "+250788000002",
    schemes: ["tel"],
    roles: ["send"],
    country: "RW",
  };
  expect(
    eventsWith(
      [
        { type: "add_contact_urn", scheme: "mailto", path: " Ann@Example.org " },
        { type: "add_contact_urn", scheme: "tel", path: "0788123123" },
        { type: "add_contact_urn", scheme: "tel", path: "@contact.language_" },
        { type: "add_contact_urn", scheme: "mailto", path: "nobody" },
        { type: "set_contact_channel", channel: { uuid: "second", name: "Second" } },
        { type: "set_contact_channel", channel: null },
      ],
      {
        contact: { urns: ["mailto:a@example.org", "tel:+250788123123"] },
        assets: { channels: [second] },
        environment: { default_country: "RW" },
      },
    ),
  ).toEqual([
    {
      type: "contact_urns_changed",
      urns: ["mailto:a@example.org", "tel:+250788123123", "mailto:ann@example.org"],
    },
    { type: "error", text: expect.stringContaining("language_") as string },
    error("can't add URN with empty path"),
    error("'mailto:nobody' is not valid URN"),
    {
      type: "contact_urns_changed",
      urns: ["tel:+250788123123?channel=second", "mailto:a@example.org", "mailto:ann@example.org"],
    },
    {
      type: "contact_urns_changed",
      urns: ["tel:+250788123123", "mailto:a@example.org", "mailto:ann@example.org"],
    },
  ]);
});

it("adds no address to a contact that has 100", () => {
  const urns = Array.from({ length: 99 }, (_, index) => `tel:+2507881${String(index).padStart(5, "0")}`);
  const add = (path: string) => ({ type: "add_contact_urn", scheme: "mailto", path });
  expect(eventsWith([add("a@example.org"), add("b@example.org")], { contact: { urns } })).toEqual([
    { type: "contact_urns_changed", urns: [...urns, "mailto:a@example.org"] },
    error("contact has 100 URNs already"),
  ]);
});

it("chooses the channel of a number's country whose own number is nearest", () => {
  const channelOf = (uuid: string, address: string, country: string) => ({
    uuid,
    name: uuid,
    address,
    schemes: ["tel"],
    roles: ["send"],
    country,
  });
  const channels = [
    channelOf("kenya", "+254712000000", "KE"),
    channelOf("far", "+250730000000", "RW"),
    channelOf("near", "+250788000000", "RW"),
  ];
  const [event] = eventsWith([{ type: "send_msg", text: "Hi" }], {
    contact: { urns: ["tel:+250788123123"] },
    assets: { channels },
  });
  expect(event).toMatchObject({ msg: { channel: { uuid: "near" } } });
});

it("labels the message that is handled; without one it is an error", () => {
  const label = { type: "add_input_labels", labels: [{ uuid: "urgent", name: "Urgent" }] };
  expect(eventsWith([label])).toEqual([error("can't execute action in session without input")]);
  const [, second] = play({
    nodes: [ask("wait", "Answer", { to: { All: "label" } }), act("label", [label])],
    resumes: [message("help")],
  });
  expect(eventsOf(second, "input_labels_added")).toMatchObject([{ labels: [{ uuid: "urgent", name: "Urgent" }] }]);
});

const webhook = { type: "call_webhook", method: "POST", url: "https://example.org/hook", result_name: "Hook" };

it.each([
  [
    { status: 201, body: '{"ok": true}' },
    { value: "201", category: "Success", extra: { ok: true } },
  ],
  [
    { status: 500, body: "oops" },
    { value: "500", category: "Failure" },
  ],
  [
    { status: 200, body: JSON.stringify("x".repeat(10_000)) },
    { value: "200", category: "Success" },
  ],
  [{ status: 0 }, { value: "0", category: "Failure" }],
])("saves the outcome of a webhook answered with %j", (answer, expected) => {
  const [sprint] = play({ nodes: [act("call", [webhook])], mocks: { [webhook.url]: [answer] } });
  expect(eventsOf(sprint, "run_result_changed")).toEqual([{ name: "Hook", input: `POST ${webhook.url}`, ...expected }]);
});

it("makes no call to what is no URL of the web", () => {
  const texts = (url: string) => eventsWith([{ ...webhook, url }]).map(({ text }) => text);
  expect(texts('@("")')).toEqual(["webhook URL evaluated to empty string"]);
  expect(texts("ftp://example.org")).toEqual(["webhook URL evaluated to an invalid URL: 'ftp://example.org'"]);
});

it("gives templates the body of the last call before 13.3, and status and body since", () => {
  const say = { type: "send_msg", text: "@webhook.price @webhook.status @webhook.json.price @legacy_extra.price" };
  const mocks = { [webhook.url]: [{ status: 200, body: '{"price": 5}' }] };
  const textOf = (spec_version: string): unknown => {
    const [sprint] = play({ nodes: [act("call", [webhook, say])], flow: { spec_version }, mocks });
    return eventsOf(sprint, "msg_created")[0]?.["msg"];
  };
  expect(textOf("13.1.0")).toMatchObject({ text: "5   5" });
  expect(textOf("13.3.0")).toMatchObject({ text: " 200 5 5" });
});

it("posts to each subscriber of a resthook and takes the last failure as result", () => {
  const subscribers = ["https://a.example.org/", "https://b.example.org/", "https://c.example.org/"];
  const [sprint] = play({
    nodes: [act("call", [{ type: "call_resthook", resthook: "visit", result_name: "Visit" }])],
    assets: { resthooks: [{ slug: "visit", subscribers }] },
    mocks: {
      [subscribers[0] ?? ""]: [{ status: 503 }],
      [subscribers[1] ?? ""]: [{ status: 200 }],
      [subscribers[2] ?? ""]: [{ status: 410 }],
    },
  });
  expect(eventsOf(sprint, "resthook_called")).toMatchObject([
    {
      resthook: "visit",
      payload: { contact: { name: "Ann Uwase", language: "eng" }, flow: { uuid: "main" }, input: null },
    },
  ]);
  expect(eventsOf(sprint, "webhook_called").map(({ status }) => status)).toEqual([
    "response_error",
    "success",
    "subscriber_gone",
  ]);
  expect(eventsOf(sprint, "run_result_changed")).toMatchObject([{ value: "503", category: "Failure" }]);
  const none = eventsWith([{ type: "call_resthook", resthook: "unknown", result_name: "Visit" }]);
  expect(none).toEqual([]);
});

it("saves a Failure for a resthook that has no subscribers, and calls nobody", () => {
  const call = { type: "call_resthook", resthook: "visit", result_name: "Visit" };
  const assets = { resthooks: [{ slug: "visit", subscribers: [] }] };
  expect(eventsWith([call, { type: "send_msg", text: "@results.visit @results.visit.category" }], { assets })).toEqual([
    expect.objectContaining({ type: "resthook_called", resthook: "visit" }),
    { type: "run_result_changed", name: "Visit", value: "no subscribers", category: "Failure" },
    { type: "msg_created", msg: expect.objectContaining({ text: "no subscribers Failure" }) as object },
  ]);
  expect(eventsWith([{ ...call, result_name: "" }], { assets })).toHaveLength(1);
});

it("keeps a body of 10,000 bytes or more for its sprint only", () => {
  const say = (uuid: string, to: string | null) =>
    act(uuid, [{ type: "send_msg", text: "@webhook.a @legacy_extra.a @(text_length(legacy_extra.hook))" }], to);
  const textsFor = (body: string): readonly unknown[] =>
    play({
      nodes: [
        act("call", [webhook], "now"),
        say("now", "ask"),
        ask("ask", "Answer", { to: { All: "later" } }),
        say("later", null),
      ],
      mocks: { [webhook.url]: [{ status: 200, body }] },
      resumes: [message("yes")],
    }).map((sprint) => eventsOf(sprint, "msg_created").map(({ msg }) => (msg as { text: string }).text)[0]);
  const bodyOf = (length: number, filler = "x"): string => `{"a": 5, "b": "${filler.repeat(length)}"}`;
  const small = bodyOf(10_000 - 1 - bodyOf(0).length);
  expect(textsFor(small)).toEqual(["5 5 9999", "5 5 9999"]);
  expect(textsFor(`${small} `)).toEqual(["5 5 10000", "  "]);
  // Bytes count, not characters.
  const wide = bodyOf(5000, "é");
  expect(textsFor(wide)).toEqual([`5 5 ${wide.length}`, "  "]);
});

it("keeps the text of an extra as it came, also for the flows that it starts", () => {
  const body = '{"id": 12345678901234567890, "price": 1.10,\n "of": [1]}';
  const say = { type: "send_msg", text: "@legacy_extra.hook @legacy_extra.id" };
  const start = { type: "start_session", flow: { uuid: "main", name: "Main" }, contacts: [{ uuid: "x", name: "X" }] };
  const [sprint] = play({
    nodes: [act("call", [webhook, say, start])],
    mocks: { [webhook.url]: [{ status: 200, body }] },
  });
  expect(eventsOf(sprint, "msg_created")[0]?.["msg"]).toMatchObject({ text: `${body} 12345678901234567890` });
  const [started] = eventsOf(sprint, "session_triggered");
  expect(Object.keys(started?.["run_summary"] as object)).toEqual(["uuid", "flow", "contact", "status", "results"]);
});

it("sends mail on one line, without empty parts", () => {
  const mail = {
    type: "send_email",
    addresses: ["mailto:a@example.org", '@("")'],
    subject: "Hello\n  there",
    body: "Hi",
  };
  expect(eventsWith([mail, { ...mail, subject: " " }])).toEqual([
    error("email address evaluated to empty string, skipping"),
    { type: "email_sent", to: ["a@example.org"], subject: "Hello there", body: "Hi" },
    error("email subject evaluated to empty string, skipping"),
  ]);
});

it("broadcasts in each language of the flow, to recipients of templates too", () => {
  const broadcast = {
    type: "send_broadcast",
    text: "Meet @contact.first_name",
    legacy_vars: ["farmers", "+250788999888", "11111111-2222-4333-8444-555555555555"],
  };
  const [sprint] = play({
    nodes: [act("node", [broadcast, { ...broadcast, legacy_vars: [] }])],
    flow: { localization: { kin: { "node-action-0": { text: ["Hura na @contact.first_name"] } } } },
  });
  expect(eventsOf(sprint, "broadcast_created")).toEqual([
    {
      translations: { eng: { text: "Meet Ann" }, kin: { text: "Hura na Ann" } },
      base_language: "eng",
      groups: [{ uuid: "farmers", name: "Farmers" }],
      contacts: [{ uuid: "11111111-2222-4333-8444-555555555555", name: "" }],
      urns: ["tel:+250788999888"],
    },
  ]);
});

it("starts others with this run as their parent, but no groups in a batch", () => {
  const start = { type: "start_session", flow: { uuid: "main", name: "Main" } };
  const contacts = [{ uuid: "bea", name: "Bea" }];
  const groups = [{ uuid: "farmers", name: "Farmers" }];
  const [event] = eventsWith([{ ...start, contacts }]);
  expect(event).toMatchObject({ type: "session_triggered", contacts, history: { ancestors: 1 } });
  expect(eventsWith([{ ...start, groups }], { trigger: { batch: true } })).toEqual([
    error("can't start new sessions for groups or queries during batch starts"),
  ]);
  expect(eventsWith([start])).toEqual([]);
  const history = { parent_uuid: "p", ancestors: 9, ancestors_since_input: 5 };
  expect(eventsWith([{ ...start, contacts }], { trigger: { history } })).toMatchObject([{ type: "error" }]);
});

it("shows the run that started the session as parent", () => {
  const run_summary = {
    uuid: "run",
    flow: { uuid: "other", name: "Intake" },
    contact: { uuid: "bea", name: "Bea", fields: { town: { text: "Huye" } } },
    status: "active",
    results: { colour: { name: "Colour", value: "red", category: "Red", extra: { deep: 1 } } },
  };
  const text =
    "@parent.contact.name @parent.fields.town @parent.results.colour @parent.run.status @parent @legacy_extra.deep";
  const [sprint] = play({
    nodes: [act("node", [{ type: "send_msg", text }])],
    trigger: { type: "flow_action", run_summary },
  });
  expect(eventsOf(sprint, "msg_created")[0]?.["msg"]).toMatchObject({ text: "Bea Huye red active Bea@Intake 1" });
});

it("localizes texts, arguments and categories", () => {
  const nodes = [
    ask("wait", "Answer", {
      cases: [["has_any_word", ["yes"], "Yes"]],
      actions: [{ type: "send_msg", text: "Do you farm?", quick_replies: ["Yes", "No"] }],
    }),
  ];
  const localization = {
    kin: {
      "wait-action-0": { text: ["Urahinga?"], quick_replies: [""] },
      "wait-case-0": { arguments: ["yego"] },
      "wait-Yes": { name: ["Yego"] },
    },
  };
  const [first, second] = play({
    nodes,
    flow: { localization },
    contact: { language: "kin" },
    resumes: [message("yego")],
  });
  expect(eventsOf(first, "msg_created")[0]?.["msg"]).toMatchObject({ text: "Urahinga?", quick_replies: ["Yes", "No"] });
  expect(eventsOf(second, "run_result_changed")).toMatchObject([{ category: "Yes", category_localized: "Yego" }]);
});

it("refuses a flow with an unknown action, router or test, and names it", () => {
  const unknown = (nodes: readonly Readonly<Record<string, unknown>>[]) => () => play({ nodes });
  expect(unknown([act("node", [{ type: "sing" }])])).toThrow(/node node: unknown type of action: 'sing'/);
  expect(unknown([ask("wait", "A", { cases: [["has_joy", [], "Joy"]] })])).toThrow(/unknown type of test: 'has_joy'/);
  expect(() => play({ nodes: [], trigger: { flow: { uuid: "gone", name: "Gone" } } })).toThrow(/gone/);
});

it("skips actions that only the service has, with an error", () => {
  expect(eventsWith([{ type: "call_llm" }])).toEqual([error("action type 'call_llm' is not supported, skipping")]);
  const airtime = { type: "transfer_airtime", amounts: { RWF: 100 }, result_name: "Reward" };
  expect(eventsWith([airtime]).at(-1)).toMatchObject({ name: "Reward", category: "Failure" });
});

it("speaks in voice flows", () => {
  const [sprint] = play({
    nodes: [
      act("node", [
        { type: "say_msg", text: "Hi @contact" },
        { type: "play_audio", audio_url: "https://a.org/b.mp3" },
      ]),
    ],
    flow: { type: "voice" },
  });
  expect(typesOf(sprint)).toEqual(["ivr_created", "ivr_created"]);
  expect(definition([])).toMatchObject({ type: "messaging" });
});

it("sends the attachments and quick replies that only a translation has", () => {
  const localization = {
    kin: { "node-action-0": { attachments: ["image/png:https://example.org/a.png"], quick_replies: ["Yego", "Oya"] } },
  };
  const [event] = eventsWith([{ type: "send_msg", text: "Ready?" }], {
    flow: { localization },
    contact: { language: "kin" },
  });
  expect(event).toMatchObject({
    msg: { text: "Ready?", attachments: ["image/png:https://example.org/a.png"], quick_replies: ["Yego", "Oya"] },
  });
});

it("takes language codes in any case, and says what is wrong with others", () => {
  const language = (code: string) => ({ type: "set_contact_language", language: code });
  expect(eventsWith([language(" KIN "), language("kinya"), language("1ab")])).toMatchObject([
    { type: "contact_language_changed", language: "kin" },
    error("iso-639-3 codes must be 3 characters, got: kinya"),
    error("unrecognized language code: 1ab"),
  ]);
});

it("sends no broadcasts to groups in a batch start", () => {
  const groups = [{ uuid: "farmers", name: "Farmers" }];
  const broadcast = { type: "send_broadcast", text: "Rain tomorrow" };
  const trigger = { batch: true };
  expect(eventsWith([{ ...broadcast, groups }], { trigger })).toEqual([
    error("can't send broadcasts to groups during batch starts"),
  ]);
  expect(eventsWith([{ ...broadcast, urns: ["tel:+250788123123"] }], { trigger })).toMatchObject([
    { type: "broadcast_created" },
  ]);
});

it("takes a variable for a contact only if all of it is a uuid", () => {
  const uuid = "2f5b7c1e-3a44-4d0e-9c35-0b8f6f4a7d21";
  const events = eventsWith([{ type: "send_broadcast", text: "Hi", legacy_vars: [`Mr ${uuid}`, ` ${uuid} `] }]);
  expect(events).toMatchObject([
    error(`'Mr ${uuid}' couldn't be resolved to a contact, group or URN`),
    { type: "broadcast_created", contacts: [{ uuid }] },
  ]);
});

it("calls no webhook at an overlong address", () => {
  const url = `https://example.org/?q=${"x".repeat(2048)}`;
  expect(eventsWith([{ type: "call_webhook", method: "GET", url }])).toEqual([
    error(`webhook URL evaluated to an invalid URL: '${url}'`),
  ]);
});

it.each<[fault: string, action: Readonly<Record<string, unknown>>]>([
  ["text is required", { type: "send_msg", text: "" }],
  ["url is required", { type: "call_webhook", method: "GET" }],
  ["'A b:' is no name of a header", { type: "call_webhook", method: "GET", url: "x", headers: { "A b:": "1" } }],
  ["status must be active, blocked", { type: "set_contact_status", status: "asleep" }],
  [
    "all_groups and groups exclude each other",
    { type: "remove_contact_groups", all_groups: true, groups: [{ uuid: "farmers", name: "Farmers" }] },
  ],
])("plays no native flow that the service refuses: %s", (fault, action) => {
  expect(() => eventsWith([action])).toThrow(fault);
});

it("reads the call as the text of a webhook since 13.3", () => {
  const url = "https://example.org/";
  const events = eventsWith(
    [
      { type: "call_webhook", method: "GET", url },
      { type: "send_msg", text: "@webhook: @webhook.json.ok" },
    ],
    { flow: { spec_version: "13.3.0" }, mocks: { [url]: [{ status: 200, body: '{"ok": true}' }] } },
  );
  expect(events.at(-1)).toMatchObject({ msg: { text: `GET ${url}: true` } });
});

it("plays embedded data, and sessions of an organisation that hides addresses", () => {
  const say = { type: "send_msg", text: "@embed.clinic @urns.tel @contact" };
  const [sent] = eventsWith([say], {
    trigger: { embed: { clinic: "Likoni" } },
    environment: { redaction_policy: "urns" },
    contact: { name: "" },
  });
  expect(sent?.["msg"]).toMatchObject({ text: "Likoni tel:******** 7", urn: ann.urns[0] });
  expect(() => eventsWith([say], { environment: { redaction_policy: "names" } })).toThrow(
    "redaction_policy must be none or urns, got names",
  );
});
