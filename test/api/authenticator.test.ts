import { expect, it } from "vitest";
import { Authenticator } from "../../src/api/index.js";

const access = new Authenticator([
  { role: "editor", token: "editor-token", isActive: true },
  { role: "surveyor", token: "former-token", isActive: false },
]);

it("recognises a token in every spelling of its header, also repeatedly", () => {
  for (let spaces = 1; spaces <= 250; spaces++) {
    const header = `Token${" ".repeat(spaces)}editor-token`;
    expect([access.authenticate(header), access.authenticate(header)]).toEqual(["editor", "editor"]);
  }
});

it.each([
  ["Token former-token", "User inactive or deleted"],
  ["Token other-token", "Invalid token"],
  ["Token", "Invalid token header. No credentials provided."],
  [undefined, "Authentication credentials were not provided."],
])("refuses %j each time", (header, detail) => {
  for (let time = 0; time < 2; time++) {
    expect(() => access.authenticate(header)).toThrow(expect.objectContaining({ status: 403, body: { detail } }));
  }
});
