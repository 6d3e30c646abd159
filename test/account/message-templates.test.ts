import { describe, expect, it } from "vitest";
import type { OrganisationData } from "../../src/wire/index.js";
import { Service } from "../gateway/service.js";
import { addCountry } from "./add-country.js";

const country = {
  osmId: "R1",
  name: "Kenya",
  aliases: [],
  geometry: null,
  parts: [{ osmId: "R2", name: "Mombasa", aliases: [], geometry: null, parts: [] }],
};

/** What a broadcast of a text sends to Amina, and what it writes to the log. */
function send(
  template: string,
  {
    organisation = {},
    ...given
  }: { organisation?: Partial<OrganisationData>; name?: string | null; dose?: string } = {},
): { text: string | undefined; notes: string[] } {
  const { name = "Amina Otieno", dose = "05-03-2018 23:30" } = given;
  const service = new Service();
  const { account } = service;
  account.organisation.set({ timezone: "Africa/Nairobi", country: "KE", ...organisation });
  addCountry(account.boundaries, country);
  account.fields.add({ key: "gender", label: "Gender", type: "text" });
  account.fields.add({ key: "age", label: "Age", type: "numeric" });
  account.fields.add({ key: "first_dose", label: "First dose", type: "datetime" });
  account.fields.add({ key: "home", label: "Home", type: "state" });
  const contact = account.contacts.add({
    uuid: "a7d2c9f0-0f3b-4a8e-9b7a-2c5e6d7f8091",
    name,
    language: "swa",
    urns: ["tel:+254711000222", "twitterid:77#amina_o", "mailto:amina@example.org"],
    groups: [account.groups.add({ name: "Field staff" }), account.groups.add({ name: "Mothers" })],
    fields: new Map([
      ["gender", "F"],
      ["age", " 34.50 "],
      ["first_dose", dose],
      ["home", "mombasa"],
    ]),
  });
  account.broadcasts.add({
    text: { eng: template },
    baseLanguage: "eng",
    urns: [],
    contacts: [contact.row],
    groups: [],
    channel: null,
  });
  service.passTo(1000);
  return { text: service.messages[0]?.text, notes: service.notes.map(({ text }) => text) };
}

describe("the text of a broadcast", () => {
  it.each([
    ["Hello @contact!", "Hello Amina Otieno!"],
    ["Hello @contact.name.", "Hello Amina Otieno."],
    ["@contact.first_name, @CONTACT.Name", "Amina, Amina Otieno"],
    ["@contact.language @contact.uuid", "swa a7d2c9f0-0f3b-4a8e-9b7a-2c5e6d7f8091"],
    ["@fields.age @fields.gender @contact.fields.age", "34.5 F 34.5"],
    ["@fields.first_dose", "2018-03-05T23:30:00.000000+03:00"],
    ["@fields.home", "Kenya > Mombasa"],
    ["@urns.tel", "tel:+254711000222"],
    ["[@urns.viber]", "[]"],
    ["@(upper(contact.first_name)) is @(fields.age + 1)", "AMINA is 35.5"],
    ['@(join(foreach(contact.groups, extract, "name"), ", "))', "Field staff, Mothers"],
    ["@(format_date(now()))", "04-03-2026"],
    ["a@@b, @@contact", "a@b, @contact"],
  ])("%s gives %s", (template, text) => {
    expect(send(template)).toEqual({ text, notes: [] });
  });

  it.each([
    ["@contact.tel", "0711 000222"],
    ["@contact.tel_e164", "+254711000222"],
    ["@contact.mailto, @contact.twitterid, [@contact.viber]", "amina@example.org, 77, []"],
    ["@contact.gender @contact.age", "F 34.5"],
    ["@contact.first_dose", "05-03-2018 23:30"],
    ["@contact.home", "Mombasa"],
  ])("in the spelling of 2017, %s gives %s", (template, text) => {
    expect(send(template)).toEqual({ text, notes: [] });
  });

  it.each([
    "no reference",
    "write to me@example.org",
    "@",
    "@ contact",
    "@contacts",
    "@flow.answer and @run",
    "@(open",
  ])("'%s' stays as it is", (template) => {
    expect(send(template)).toEqual({ text: template, notes: [] });
  });

  it.each(["@contact.shoe_size", "@contact.constructor", "@fields.shoe_size", "@(1 / 0)"])(
    "has nothing in place of %s, and the log says why",
    (template) => {
      const { text, notes } = send(`[${template}]`);
      expect(text).toBe("[]");
      expect(notes).toEqual([expect.stringMatching(/^a message to contacts: ./)]);
    },
  );

  it("calls a contact without a name by its first address", () => {
    expect(send("@contact/@contact.name/@contact.first_name", { name: null }).text).toBe(
      "0711 000222/0711 000222/0711 000222",
    );
  });

  it("hides addresses that the account hides", () => {
    const template = "@contact @contact.tel @contact.tel_e164 @contact.mailto @urns.tel @(urn_parts(urns.tel).path)";
    const { text } = send(template, { name: null, organisation: { isAnonymous: true } });
    expect(text).toBe("1 ******** ******** ******** tel:******** ********");
  });

  it("has times in the organisation's style where authors wrote the spelling of 2017", () => {
    const { text } = send("@contact.first_dose", {
      organisation: { dateStyle: "year_first" },
      dose: "2018-03-05T20:30Z",
    });
    expect(text).toBe("2018-03-05 23:30");
  });

  it("is at most 10,000 characters long, with or without expressions", () => {
    for (const text of ["💧@contact.name".repeat(2000), "💧".repeat(20_000)])
      expect(Array.from(send(text).text ?? "")).toHaveLength(10_000);
  });
});
