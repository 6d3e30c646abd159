import { expect, it } from "vitest";
import { auditReceiver } from "../../../src/study/index.js";
import { plain } from "./right-receivers.js";

it("a receiver that ends by a carriage return is found, though its page of effects ends with it", async () => {
  const texts: Record<string, string> = {};
  const receiver = await plain(
    (form, response) => {
      if (form.get("text")?.includes("\r") === true) {
        response.destroy();
        void receiver.close();
        return;
      }
      texts[form.get("phone") ?? ""] = form.get("text") ?? "";
      response.end();
    },
    () => texts,
  );
  const { findings, untested } = await auditReceiver(receiver.url, {
    effects: receiver.effects ?? "",
    only: ["text-160", "text-return", "duplicate-acts-twice"],
    watchesHost: false,
  });
  await receiver.close().catch(() => undefined);
  expect(findings.map(({ id }) => id)).toEqual(["text-return"]);
  expect(findings[0]?.seen).toContain("nothing listens any more");
  expect(untested.map(({ why }) => why)).toEqual(["the receiver no longer listens"]);
});
