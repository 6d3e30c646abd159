import "handset-lab/testing/vitest";
import { startLab } from "handset-lab/testing";
import { expect, it } from "vitest";
import { clinic } from "./clinic.js";

it("welcomes a new member, once", async () => {
  const app = clinic();
  await using lab = await startLab({ receiver: app, path: "/events" });
  const ada = lab.person("+250788123456");

  ada.texts("clinic", "join");
  await expect(ada).toHear("Welcome! You are member 1.");

  ada.texts("clinic", "JOIN");
  await expect(ada).toHear(/already/);
  expect(lab).toBalance();
});

it("repeats an answer that was lost, and counts the member once", async () => {
  const app = clinic();
  await using lab = await startLab({ receiver: app, path: "/events" });
  const ada = lab.person("+250788123456");

  lab.delivery({ of: "clinic", "answers-lost": true, times: 1 });
  ada.texts("clinic", "join");
  // The service hears nothing and tries again after five minutes.
  await expect(ada).toHear("member 1", { within: "10m" });

  expect(lab).toHaveDelivered("mo_sms", { times: 1 });
  expect((await app.inject("/members")).json()).toMatchObject({ members: ["+250788123456"] });
});

it("answers after an outage of the data link, when the phone has reported what came meanwhile", async () => {
  await using lab = await startLab({ receiver: clinic(), path: "/events" });
  const phone = lab.handset("clinic");
  const [ada, ben] = [lab.person("+250788123456"), lab.person("+250788654321")];

  phone.network({ type: "none", for: "2h" });
  ada.texts(phone, "join");
  await expect(ada).not.toHear(/Welcome/, { within: "1h" });
  ben.texts(phone, "join");

  await expect(ada).toHear(/Welcome/, { within: "2h" });
  await expect(ben).toHear(/Welcome/, { within: "2h" });
});

it("counts missed calls", async () => {
  const app = clinic();
  await using lab = await startLab({ receiver: app, path: "/events" });
  const ada = lab.person("+250788123456");

  ada.calls("clinic", { rings: "20s" });
  await expect(ada).toHear("We have seen your call (1)");
  ada.calls("clinic", { rings: "5s" });
  await expect(ada).toHear("We have seen your call (2)");

  expect((await app.inject("/members")).json()).toMatchObject({ missedCalls: { "+250788123456": 2 } });
});
