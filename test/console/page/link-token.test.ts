import { expect, it } from "vitest";
import { tokenInLink } from "../../../src/console/page/connection/token.js";

const link = "http://127.0.0.1:8000/console/#token=";
const made = "0123456789abcdef0123456789abcdef01234567";

it.each([
  ["of a link", `${link}${made}`, made],
  ["of an address alone", "#token=demo.token-1", "demo.token-1"],
  ["of a link that was pasted twice", `${link}${made}${link}${made}`, made],
  ["of a chosen token, pasted twice", `${link}demo${link}demo`, "demo"],
  ["of a link after another place of the page", `#/fleet${link}${made}`, made],
  ["of a link in a sentence", `Open ${link}${made}, please`, made],
  ["nowhere", "#/fleet", undefined],
])("takes the token %s", (_where, text, token) => {
  expect(tokenInLink(text)).toBe(token);
});
