import assert from "node:assert/strict";
import { test } from "node:test";
import { assertBalance, assertDelivered, assertHearsNot, startLab } from "handset-lab/testing";
import { stockReports } from "./stock.js";

/** A lab before a new application; both end with the test. */
async function start(context, options = {}) {
  const application = stockReports();
  const lab = await startLab({ receiver: application.handle, ...options });
  context.after(() => lab.close());
  return { lab, application, nurse: lab.person("+250788123456") };
}

test("notes a stock report and says so", async (context) => {
  const { lab, application, nurse } = await start(context);
  nurse.texts("clinic", "stock 12");
  await nurse.hears("Noted: 12 boxes.");
  assert.equal(application.stock.get("+250788123456").count, 12);
  assertDelivered(lab, "mo_sms", { times: 1, where: { text: "stock 12" } });
});

test("takes the latest report after a day without a data link", async (context) => {
  const { lab, application, nurse } = await start(context);
  lab.network({ of: "clinic", type: "none", for: "1d" });
  nurse.texts("clinic", "stock 12");
  await assertHearsNot(nurse, /Noted/, { within: "20h" });
  nurse.texts("clinic", "stock 9");
  await nurse.hears("Noted: 12", { within: "1d" });
  await nurse.hears("Noted: 9", { within: "1d" });
  assert.equal(application.stock.get("+250788123456").count, 9);
});

test("is not confused by its own failures: the service tries again", async (context) => {
  const { lab, nurse } = await start(context);
  lab.receiver({ answers: 500, for: "4m" });
  nurse.texts("clinic", "stock 7");
  await nurse.hears("Noted: 7", { within: "15m" });
  assert.deepEqual(
    lab.events("mo_sms")[0].attempts.map(({ status }) => status),
    [500, 200],
  );
  await lab.settle();
  assertBalance(lab, { settled: true });
});

test("counts a missed call once, though its event comes twice", async (context) => {
  const { lab, application, nurse } = await start(context, { spelling: "table" });
  lab.delivery({ of: "clinic", types: ["mo_miss"], copies: 2, times: 1 });
  nurse.calls("clinic", { rings: "15s" });
  await lab.settle();
  assert.equal(application.missed.get("+250788123456"), 1);
});
