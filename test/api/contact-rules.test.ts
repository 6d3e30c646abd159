import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectConforming } from "./conforms.js";
import { Rig } from "./rig.js";

const nobody = "7b0c4b1e-4a2f-4f0e-9d55-0a1de3f7b201";

describe("a new contact", () => {
  // Each test leaves the account without contacts and with one field.
  let rig: Rig;
  beforeAll(async () => {
    rig = await Rig.open();
    await rig.post("fields.json", { label: "Age", value_type: "text" });
  });
  afterAll(() => rig.close());

  it.each([
    ["name", 5, null],
    ["name", true, "Not a valid string."],
    ["name", ["9c4e2d11-7b6a-4f2e-8d3c-1a2b3c4d5e6f"], "Not a valid string."],
    ["name", { a: 1 }, "Not a valid string."],
    ["name", "", "This field may not be blank."],
    ["name", "x".repeat(65), "Ensure this field has no more than 64 characters."],
    ["name", "💧".repeat(64), null],
    ["name", "a\0b", "Null characters are not allowed."],
    ["name", "\ud800", "Not a valid string."],
    ["name", null, null],
    ["language", "en", "Ensure this field has at least 3 characters."],
    ["language", "engl", "Ensure this field has no more than 3 characters."],
    ["language", "ENG", null],
    ["language", "123", "Not a language code: 123. Give the three letters of ISO 639-3, such as eng."],
    ["language", null, null],
    ["language", ["eng"], "Not a valid string."],
    ["urns", "tel:+254711000222", 'Expected a list of items but got type "str".'],
    ["urns", null, "This field may not be null."],
    ["urns", [null], "This field may not be null."],
    ["urns", [{}], "Not a valid string."],
    ["urns", ["tel:0788123123"], "Invalid URN: tel:0788123123. Phone numbers need their country code."],
    [
      "urns",
      ["fax:+254711000222"],
      "Invalid URN: fax:+254711000222. The scheme must be one of: tel, facebook, twitter, twitterid, viber, line, telegram, mailto, ext, jiochat, fcm, whatsapp, ws.",
    ],
    [
      "urns",
      ["whatsapp:+12065550142"],
      "Invalid URN: whatsapp:+12065550142. A whatsapp path is a number with its country code, in digits only, without +.",
    ],
    ["urns", ["whatsapp:12065550142"], null],
    ["urns", ["twitterid:123#a#b"], "Invalid URN: twitterid:123#a#b. Only one # may occur, before the display part."],
    [
      "urns",
      [`twitterid:123#${"b".repeat(242)}`],
      `Invalid URN: twitterid:123#${"b".repeat(86)}…. A URN has at most 255 characters.`,
    ],
    ["urns", ["mailto:nobody"], "Invalid URN: mailto:nobody. The path is not valid for the scheme mailto."],
    ["urns", ["+254711000222"], "Invalid URN: +254711000222. Phone numbers need their country code."],
    ["urns", ["tel:+254711000222\0"], "Null characters are not allowed."],
    ["urns", Array.from({ length: 101 }, (_, i) => `ext:${i}`), "At most 100 items are allowed here."],
    ["urns", Array.from({ length: 100 }, (_, i) => `ext:${i}`), null],
    ["groups", ["Nobody"], "No such object: Nobody"],
    ["groups", [""], "This field may not be null."],
    ["groups", [{ uuid: nobody }], "Must be a string or integer"],
    ["groups", [7], "No such object: 7"],
    ["groups", {}, 'Expected a list of items but got type "dict".'],
    ["groups", [], null],
    ["fields", ["age"], 'Expected a dictionary of items but got type "list".'],
    ["fields", "age", 'Expected a dictionary of items but got type "str".'],
    ["fields", { nothing: "x" }, "Unknown contact field: nothing"],
    ["fields", { Age: "x" }, "Unknown contact field: Age"],
    ["fields", { constructor: "x" }, "Unknown contact field: constructor"],
    ["fields", { age: ["x"] }, "Not a valid string."],
    ["fields", { age: { a: 1 } }, "Not a valid string."],
    ["fields", { age: "a\0" }, "Null characters are not allowed."],
    ["fields", { age: "\udfff" }, "Not a valid string."],
    ["fields", null, "This field may not be null."],
    ["fields", {}, null],
    ["unknown", ["whatever"], null],
  ])("with %s %j is held to the rules", async (field, value, message) => {
    const answer = await rig.post("contacts.json", { [field]: value });
    expectConforming(rig, "POST contacts.json", answer);
    if (message === null) {
      expect(answer.status).toBe(201);
      return void (await rig.delete(`contacts.json?uuid=${answer.body.uuid}`));
    }
    expect(answer).toMatchObject({ status: 400, body: { [field]: [message] } });
    expect((await rig.get("contacts.json")).body.results).toEqual([]);
  });
});
