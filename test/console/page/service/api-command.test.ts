import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { apiCommand } from "../../../../src/console/page/service/api-command.js";

/** The arguments that sh gives to the command. */
function argumentsOf(command: string): string[] {
  const echo = `curl() { for each in "$@"; do printf '%s\\n' "$each"; done; }\n${command}`;
  return execFileSync("sh", ["-c", echo], { encoding: "utf8" }).trimEnd().split("\n");
}

it.each([
  ["plain", "http://127.0.0.1:1/api/v2/groups.json?name=a", "http://127.0.0.1:1/api/v2/groups.json?name=a"],
  [
    "with a command after an apostrophe",
    "http://h/contacts.json?group=x';echo$IFS$0;'",
    "http://h/contacts.json?group=x%27;echo$IFS$0;%27",
  ],
])("an address %s stays one argument of the shell", (_, url, shown) => {
  expect(argumentsOf(apiCommand(url, "a-token"))).toEqual(["-H", "Authorization: Token a-token", shown]);
});
