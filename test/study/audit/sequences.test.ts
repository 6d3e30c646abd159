import { describe, expect, it } from "vitest";
import { auditReceiver } from "../../../src/study/index.js";
import { plain } from "./right-receivers.js";

/** Fails where `isWrong` says so; otherwise it accepts. */
async function findingsOf(isWrong: (form: URLSearchParams) => boolean): Promise<readonly string[]> {
  const receiver = await plain((form, response) => {
    response.statusCode = isWrong(form) ? 500 : 200;
    response.end();
  });
  const only = [
    "person-several-texts",
    "person-texts-each-day",
    "person-four-handsets",
    "events-newest-first",
    "one-person-at-once",
  ];
  try {
    const { findings } = await auditReceiver(receiver.url, { only, timeLimitMs: 600_000, watchesHost: false });
    return findings.map(({ id }) => id);
  } finally {
    await receiver.close();
  }
}

describe("a sequence that fails gives one finding, of its own cause", () => {
  it("the third text within an hour, to whichever handset", async () => {
    const times = new Map<string, number[]>();
    const found = await findingsOf((form) => {
      const phone = form.get("phone") ?? "";
      const at = Date.parse(`${form.get("time")}Z`);
      const recent = [...(times.get(phone) ?? []), at].filter((other) => Math.abs(at - other) < 3_600_000);
      times.set(phone, recent);
      return form.get("event") === "mo_sms" && recent.length > 2;
    });
    expect(found).toEqual(["person-several-texts"]);
  });

  it("the third text at all", async () => {
    const counts = new Map<string, number>();
    const found = await findingsOf((form) => {
      const phone = form.get("phone") ?? "";
      if (form.get("event") === "mo_sms") counts.set(phone, (counts.get(phone) ?? 0) + 1);
      return (counts.get(phone) ?? 0) > 2;
    });
    expect(found).toEqual(["person-texts-each-day"]);
  });

  it("a fourth handset", async () => {
    const handsets = new Map<string, Set<string>>();
    const found = await findingsOf((form) => {
      const phone = form.get("phone") ?? "";
      const all = handsets.get(phone) ?? new Set();
      handsets.set(phone, all.add(form.get("relayer") ?? ""));
      return all.size > 3;
    });
    expect(found).toEqual(["person-four-handsets"]);
  });

  it("an event that is older than the one before", async () => {
    const newest = new Map<string, number>();
    const found = await findingsOf((form) => {
      const phone = form.get("phone") ?? "";
      const at = Date.parse(`${form.get("time") ?? form.get("last_seen")}Z`);
      const isOlder = phone !== "" && at < (newest.get(phone) ?? 0);
      newest.set(phone, Math.max(at, newest.get(phone) ?? 0));
      return isOlder;
    });
    expect(found).toEqual(["events-newest-first"]);
  });
});
