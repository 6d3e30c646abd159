import { describe, expect, it } from "vitest";
import { freePort } from "../../../src/run/index.js";
import { auditReceiver } from "../../../src/study/index.js";
import { plain, type RightReceiver } from "./right-receivers.js";

const token = "t0ken";

/** Answers at once, then sends a broadcast and counts the texts in a field of the contact, through the REST API. */
function throughApi(api: string, { isBuggy = false, isSilent = false }): Promise<RightReceiver> {
  const known = new Set<string>();
  const counts = new Map<string, number>();
  const post = async (path: string, body: unknown): Promise<void> => {
    const headers = { authorization: `Token ${token}`, "content-type": "application/json" };
    await fetch(`${api}/api/v2/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  };
  return plain((form, response) => {
    response.end();
    const phone = form.get("phone") ?? "";
    if (isSilent || form.get("event") !== "mo_sms" || !phone.startsWith("+")) return;
    const key = `${form.get("relayer")} ${form.get("sms")}`;
    if (!isBuggy && known.has(key)) return;
    known.add(key);
    counts.set(phone, (counts.get(phone) ?? 0) + 1);
    const urn = `tel:${phone}`;
    void post("broadcasts.json", { urns: [urn], text: `Thank you for: ${form.get("text")}` });
    void post(`contacts.json?urn=${encodeURIComponent(urn)}`, { fields: { texts: counts.get(phone) } });
  });
}

async function audited(behaviour: { isBuggy?: boolean; isSilent?: boolean }, only: readonly string[]) {
  const port = await freePort();
  const receiver = await throughApi(`http://127.0.0.1:${port}`, behaviour);
  const text = "account: existing\nfields: { texts: numeric }\n";
  try {
    return await auditReceiver(receiver.url, {
      effects: "api",
      api: { port, token, accounts: [{ kind: "text", file: "fields.yaml", text }] },
      only,
      timeLimitMs: 600_000,
      watchesHost: false,
    });
  } finally {
    await receiver.close();
  }
}

const doubles = ["duplicate-acts-twice", "same-second"];

describe("an audit sees what a receiver does through the REST API", () => {
  it("a copy that sends and counts again", async () => {
    const { findings } = await audited({ isBuggy: true }, doubles);
    expect(findings.map(({ id }) => id)).toEqual(["duplicate-acts-twice"]);
    expect(findings[0]?.seen).toMatch(/^broadcasts\[\*\] has 2 records of it, and had 1|texts went from 1 to 2/);
    expect(findings[0]?.play).toMatch(/ --effects api --api-port \d+ --api-token t0ken --data fields\.yaml$/);
  });

  it("a right one, which is not accused", async () => {
    const { findings, untested } = await audited({}, doubles);
    expect(findings).toEqual([]);
    expect(untested).toEqual([]);
  });

  it("one that never calls it: its effects are untested, with the reason", async () => {
    const { findings, untested } = await audited({ isSilent: true }, ["duplicate-acts-twice"]);
    expect(findings).toEqual([]);
    expect(untested.map(({ id }) => id)).toEqual(["duplicate-acts-twice"]);
    expect(untested[0]?.why).toMatch(/^the receiver never called the API at http:/);
  });

  it("refuses to guess where a receiver that runs already finds the API", async () => {
    await expect(auditReceiver("http://127.0.0.1:9/", { effects: "api" })).rejects.toMatchObject({
      code: "bad-options",
      hint: expect.stringContaining("--api-port") as string,
    });
  });
});
