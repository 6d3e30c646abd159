import { describe, expect, it } from "vitest";
import "../../src/testing/vitest.js";
import { assertBalance, assertDelivered, assertHears, assertHearsNot } from "../../src/testing/index.js";
import { ADA, answering, BEN, labFor, messageOf } from "./support.js";

describe("matchers and assertions", () => {
  it("hold where they are true, and their opposites where they are false", async () => {
    const lab = await labFor({ receiver: answering() });
    const [ada, ben] = [lab.person(ADA), lab.person(BEN)];
    ada.texts("clinic", "join");
    await expect(ada).toHear(/said join/, { within: "5m" });
    await expect(ben).not.toHear(/./, { within: "1m" });
    expect(lab).toHaveDelivered("mo_sms");
    expect(lab).toHaveDelivered("mo_sms", { times: 1, where: { phone: ADA, text: /JOIN/i } });
    expect(lab).not.toHaveDelivered("alarm");
    expect(lab).toBalance({ settled: true });
    assertDelivered(lab, "mt_sent", { where: { text: "You said join" } });
    assertBalance(lab);
    ada.texts("clinic", "again");
    await assertHears(ada, "said again");
    await assertHearsNot(ben, /./, { within: "1s" });
  });

  it("say what was seen", async () => {
    const lab = await labFor({ receiver: (_, response) => void response.writeHead(500).end("no such page") });
    lab.person(ADA).texts("clinic", "join");
    await lab.advance("1m");
    const delivered = await messageOf(() =>
      expect(lab).toHaveDelivered("mo_sms", { times: 1, where: { text: "join" } }),
    );
    expect(delivered).toContain('your receiver accepted 0 mo_sms with text "join" (expected: 1)');
    expect(delivered).toContain("1 not accepted yet: the service tries again while time passes (lab.advance)");
    expect(delivered).toContain("your receiver answered 500: no such page");
    expect(await messageOf(() => assertDelivered(lab, "mo_miss"))).toContain("The service has made no such event");
    expect(await messageOf(() => assertDelivered(lab, "mo_smss"))).toBe("'mo_smss' is no type of event");
    const settled = await messageOf(() => expect(lab).toBalance({ settled: true }));
    expect(settled).toContain("the lab's accounts are not settled: events");
    expect(settled).toContain("events   1 in, 0 delivered, 1 under way");
    await expect(messageOf(() => expect(lab.person(ADA)).toHear(/x/, { within: "1s" }))).resolves.toContain(
      "+250788123456 did not hear /x/ within 1s",
    );
    expect(await messageOf(() => expect(ADA).toBalance())).toContain("needs a lab");
  });

  it("name the causes of what is lost", async () => {
    const handsets = { clinic: { phone: "+250788000001", carrier: "mtn" } };
    const lab = await labFor({ receiver: answering(), cast: { handsets, carriers: { mtn: { loses: "100%" } } } });
    lab.person(ADA).texts("clinic", "join");
    await lab.advance("10m");
    expect(lab).toBalance();
    expect(await messageOf(() => assertBalance(lab, { settled: true }))).toContain("1 lost (carrier)");
    expect(await messageOf(() => lab.hears(ADA, /./))).toContain('The text "join" was lost: the carrier lost it.');
  });
});
