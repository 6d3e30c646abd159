import { expect, it } from "vitest";
import { allowedHosts, isLoopback } from "../../src/http/index.js";

it.each([
  "http://localhost/",
  "https://LOCALHOST:8443/a?b",
  "http://app.localhost:3000/",
  "http://a.b.LOCALHOST/",
  "http://127.0.0.1:8080/events?key=secret",
  "http://127.255.0.3/",
  "http://2130706433/",
  "http://[::1]:80/",
])("%s is loopback", (url) => {
  expect(isLoopback(url)).toBe(true);
  expect(allowedHosts([])(url)).toBe(true);
});

it.each([
  "http://example.org/",
  "http://localhost.example.org/",
  "http://notlocalhost/",
  "http://.localhost.example.org/",
  "http://127.0.0.1.example.org/",
  "http://127.0.0.1@example.org/",
  "http://example.org/#@localhost",
  "http://10.0.0.1/",
  "http://[::2]/",
  "ftp://localhost/",
  "localhost",
])("%s is not loopback", (url) => {
  expect(isLoopback(url)).toBe(false);
  expect(allowedHosts([])(url)).toBe(false);
});

it("a host is allowed by name, or by name and port", () => {
  const isAllowed = allowedHosts(["Staging.Example.org", "10.0.0.1:8080", "[fd00::1]:81"]);
  expect(isAllowed("https://staging.example.org/x")).toBe(true);
  expect(isAllowed("http://staging.example.org:9999/")).toBe(true);
  expect(isAllowed("http://10.0.0.1:8080/")).toBe(true);
  expect(isAllowed("http://10.0.0.1/")).toBe(false);
  expect(isAllowed("http://[fd00::1]:81/")).toBe(true);
  expect(isAllowed("http://[fd00::1]/")).toBe(false);
  expect(isAllowed("http://other.staging.example.org/")).toBe(false);
});
