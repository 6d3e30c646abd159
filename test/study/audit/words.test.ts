import { expect, it } from "vitest";
import { auditReceiver } from "../../../src/study/index.js";
import { wordsIn } from "../../../src/study/audit/words.js";
import { plain, type RightReceiver } from "./right-receivers.js";

/** Members by their person, reports by their id; any other text is answered with the words that it knows. */
function hotline({ isBuggy }: { readonly isBuggy: boolean }): Promise<RightReceiver> {
  const members: Record<string, string> = {};
  const groups: Record<string, string[]> = {};
  const reports: Record<string, string>[] = [];
  const known = new Set<string>();
  return plain(
    (form, response) => {
      const get = (name: string): string => form.get(name) ?? "";
      const [word = "", ...rest] = get("text").trim().split(/\s+/);
      const reply = (text: string): void => void response.end(JSON.stringify({ urn: [`tel:${get("phone")}`], text }));
      if (get("event") !== "mo_sms") return void response.end("{}");
      const key = `${get("relayer")} ${get("sms")}`;
      if (!isBuggy && known.has(key)) return void response.end("{}");
      known.add(key);
      if (word.toLowerCase() === "report") {
        reports.push({ phone: get("phone"), text: rest.join(" ") });
        return reply("Noted.");
      }
      if (word.toLowerCase() !== "join") return reply("Sorry? Send JOIN or REPORT.");
      members[get("phone")] = rest.join(" ");
      // A group is a key of a plain object: what each object has is no list.
      const group = groups[rest[0] ?? "all"] ?? [];
      if (!isBuggy || Array.isArray(group)) return reply("Welcome.");
      response.statusCode = 500;
      response.end("push is not a function");
    },
    () => ({ members, reports }),
  );
}

const only = ["duplicate-acts-twice", "duplicate-parallel", "word-property", "word-number", "same-second"];

it("finds the words in replies, and with them a text that acts twice and one that fails", async () => {
  const receiver = await hotline({ isBuggy: true });
  const { findings, words } = await auditReceiver(receiver.url, { effects: receiver.effects ?? "", only });
  await receiver.close();
  expect(words).toEqual(["REPORT (named in its reply)", "JOIN (named in its reply)"]);
  expect(new Set(findings.map(({ id }) => id))).toEqual(
    new Set(["duplicate-acts-twice", "duplicate-parallel", "word-property"]),
  );
});

it("accuses no right receiver that acts on words alone", async () => {
  const receiver = await hotline({ isBuggy: false });
  const { findings, untested } = await auditReceiver(receiver.url, { effects: receiver.effects ?? "", only });
  await receiver.close();
  expect(findings).toEqual([]);
  expect(untested).toEqual([]);
});

it("takes words in capitals and in quotes from a reply, and no others", () => {
  expect(wordsIn("Sorry? Send JOIN, LEAVE or 'report' to 8080. A day.")).toEqual(["report", "JOIN", "LEAVE"]);
});
