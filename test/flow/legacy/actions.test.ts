import { expect, it } from "vitest";
import { actionOf, actionSet, flow, migrate } from "./definitions.js";

const village = { uuid: "group-1", name: "Village" };
const survey = { uuid: "flow-2", name: "Survey" };

it.each([
  [
    { type: "reply", msg: { eng: "In @contact.village?" }, media: {} },
    { type: "send_msg", text: "In @fields.village?" },
  ],
  [
    { type: "reply", msg: { eng: "Choose" }, quick_replies: [{ eng: "Yes" }, { eng: "No" }], send_all: true },
    { type: "send_msg", text: "Choose", quick_replies: ["Yes", "No"], all_urns: true },
  ],
  [
    { type: "reply", msg: "plain" },
    { type: "send_msg", text: "plain" },
  ],
  [
    { type: "reply", msg: null },
    { type: "send_msg", text: "" },
  ],
  [
    { type: "reply", msg: { eng: { eng: "twice" } } },
    { type: "send_msg", text: "twice" },
  ],
  [
    {
      type: "send",
      msg: { eng: "Hi" },
      contacts: [{ uuid: "contact-1", name: "Ada", urns: [] }, { uuid: "contact-2" }, { name: "nobody" }],
      groups: [village],
      variables: [{ id: "@flow.phone" }, { id: "+250788123123" }, { id: "" }],
    },
    {
      type: "send_broadcast",
      text: "Hi",
      contacts: [
        { uuid: "contact-1", name: "Ada" },
        { uuid: "contact-2", name: "" },
      ],
      groups: [village],
      legacy_vars: ["@results.phone", "+250788123123"],
    },
  ],
  [
    { type: "add_group", groups: [village, "Staff", { name: "Nurses" }, "@flow.place"] },
    {
      type: "add_contact_groups",
      groups: [village, { name_match: "Staff" }, { name_match: "Nurses" }, { name_match: "@results.place" }],
    },
  ],
  [
    { type: "del_group", groups: [village] },
    { type: "remove_contact_groups", groups: [village] },
  ],
  [{ type: "del_group" }, { type: "remove_contact_groups", all_groups: true }],
  [
    { type: "add_label", labels: [{ uuid: "label-1", name: "Urgent" }, "@step.value"] },
    { type: "add_input_labels", labels: [{ uuid: "label-1", name: "Urgent" }, { name_match: "@input" }] },
  ],
  [
    { type: "save", field: "village", label: "Village", value: "@step.value" },
    { type: "set_contact_field", field: { key: "village", name: "Village" }, value: "@input" },
  ],
  [
    { type: "save", label: "Home Village", value: 12 },
    { type: "set_contact_field", field: { key: "home_village", name: "Home Village" }, value: "12" },
  ],
  [
    { type: "save", field: "name", value: "@(PROPER(step))" },
    { type: "set_contact_name", name: "@(title(input))" },
  ],
  [
    { type: "save", field: "first_name", value: " @step " },
    { type: "set_contact_name", name: "@input @(word_slice(contact.name, 1, -1))" },
  ],
  [
    { type: "save", field: "whatsapp", value: "1" },
    { type: "add_contact_urn", scheme: "whatsapp", path: "1" },
  ],
  [
    { type: "save", field: "tel_e164", value: "1" },
    { type: "add_contact_urn", scheme: "tel", path: "1" },
  ],
  [
    { type: "lang", lang: "fra", name: "French" },
    { type: "set_contact_language", language: "fra" },
  ],
  [
    { type: "channel", channel: "channel-1", name: "Phone" },
    { type: "set_contact_channel", channel: { uuid: "channel-1", name: "Phone" } },
  ],
  [
    { type: "flow", flow: survey },
    { type: "enter_flow", flow: survey, terminal: true },
  ],
  [
    { type: "trigger-flow", flow: survey, contacts: [], groups: [village], variables: [{ id: "@new_contact" }] },
    { type: "start_session", flow: survey, groups: [village], create_contact: true },
  ],
  [
    { type: "email", emails: ["a@b.test", "@contact.boss"], subject: "On @contact", msg: "Said @step" },
    { type: "send_email", addresses: ["a@b.test", "@fields.boss"], subject: "On @contact", body: "Said @input" },
  ],
  [
    { type: "say", msg: { eng: "Welcome" }, recording: null },
    { type: "say_msg", text: "Welcome" },
  ],
  [
    { type: "play", url: "@flow.greeting" },
    { type: "play_audio", audio_url: "@results.greeting" },
  ],
])("writes the action %j natively", (legacy, native) => {
  expect(actionOf(legacy)).toEqual(native);
});

it.each([
  ["maps/clinic.png", "image:https://media.test/maps/clinic.png"],
  ["audio/mp3:/talk.mp3", "audio/mp3:https://media.test/talk.mp3"],
  ["image:https://other.test/a.png", "image:https://other.test/a.png"],
  ["https://other.test/a.png", "image:https://other.test/a.png"],
  ["image/jpeg:http://maps.test/?of=@contact.village", "image/jpeg:http://maps.test/?of=@fields.village"],
])("joins the media %s to the media base", (media, attachment) => {
  const action = actionOf({ type: "reply", msg: "Hi", media: { eng: media } }, { mediaBase: "https://media.test/" });
  expect(action).toEqual({ type: "send_msg", text: "Hi", attachments: [attachment] });
});

it("joins recordings to the media base", () => {
  const action = { type: "say", msg: { eng: "Hi" }, recording: { eng: "hi.wav" } };
  expect(actionOf(action, { mediaBase: "https://media.test" })).toMatchObject({
    audio_url: "https://media.test/hi.wav",
  });
});

it("moves translations to the localization", () => {
  const reply = {
    uuid: "action-1",
    type: "reply",
    msg: { eng: "Hello @contact", fra: "Bonjour @contact.prenom", base: "Hey" },
    media: { eng: "a.png", fra: "b.png" },
    quick_replies: [{ eng: "Yes", fra: "Oui" }, { eng: "Never" }],
  };
  const { nodes, localization } = migrate(flow({ action_sets: [actionSet("one", [reply])] }));
  expect(nodes[0]?.actions?.[0]).toMatchObject({ text: "Hello @contact", attachments: ["image:/a.png"] });
  expect(localization).toEqual({
    fra: {
      "action-1": { text: ["Bonjour @fields.prenom"], attachments: ["image:/b.png"], quick_replies: ["Oui", ""] },
    },
  });
});

it("keeps the UUIDs of actions, and gives new ones where they are missing or used twice", () => {
  const actions = ["action-1", "action-1", undefined].map((uuid) => ({ uuid, type: "lang", lang: "eng" }));
  const definition = flow({ action_sets: [actionSet("one", actions)] });
  const uuids = migrate(definition).nodes[0]?.actions?.map(({ uuid }) => uuid) ?? [];
  expect(uuids[0]).toBe("action-1");
  expect(new Set(uuids).size).toBe(3);
  expect(uuids[2]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(migrate(definition)).toEqual(migrate(structuredClone(definition)));
});

it.each([
  [{ type: "teleport" }, "action set one-set, action action-1: no native form for the action type 'teleport'"],
  [{}, "action set one-set, action action-1: no native form for the action type ''"],
])("refuses the action %j", (action, message) => {
  expect(() => actionOf(action)).toThrow(message);
});
