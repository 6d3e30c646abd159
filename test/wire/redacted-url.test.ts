import { expect, it } from "vitest";
import { redactedUrl } from "../../src/wire/index.js";

it.each([
  ["http://127.0.0.1:8080/events", "http://127.0.0.1:8080/events"],
  ["http://127.0.0.1:8080/events?key=s/e@c?ret", "http://127.0.0.1:8080/events?…"],
  ["https://ann:word@example.org", "https://…@example.org"],
  ["https://ann@example.org/a@b?key=secret", "https://…@example.org/a@b?…"],
  ["none", "none"],
])("%s is shown as %s", (url, shown) => {
  expect(redactedUrl(url)).toBe(shown);
});
