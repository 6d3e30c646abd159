import { describe, expect, it } from "vitest";
import { startReceiver } from "../../src/receiver/index.js";
import { expectAudit } from "../../src/testing/index.js";
import { messageOf } from "./support.js";

const options = { only: ["unknown-field"], watchesHost: false };

describe("expectAudit", () => {
  it("fails with each finding: what was sent, what came and why, and passes at a right receiver", async () => {
    const bad = await startReceiver({ logbook: { bugs: ["unknown-field-500"] } });
    const right = await startReceiver({ logbook: {} });
    try {
      const message = await messageOf(() => expectAudit(bad.url, options));
      expect(message).toContain("has 1 finding (grade D)");
      expect(message).toContain("1. A text with an unknown field is not accepted (high)");
      expect(message).toMatch(/sent: .*mo_sms/);
      expect(message).toContain("came: 500");
      expect(message).toContain("why: Services add fields");
      expect((await expectAudit(right.url, options)).grade).toBe("A");
    } finally {
      await bad.close();
      await right.close();
    }
  });
});
