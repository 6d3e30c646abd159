import { count, phone, text, word } from "../fields/fields.js";
import { slotOf, slotWord } from "../fields/sim-slot.js";
import { unitBounds } from "../parts/credit.js";
import { checkRoom } from "../parts/phones.js";
import { keyed, keysOf } from "../sheet/field.js";
import { nearest } from "../sheet/nearest.js";
import { describeValue, keyConflict } from "../sheet/raw-value.js";
import { forTime, ofHandsets, toWorld, verb } from "./verb.js";

/** The verb `sim`: swaps SIMs, takes them out, or chooses the one for texts. */
export const sim = verb({
  name: "sim",
  about: "The SIMs of the phones change: another number, a second SIM, a SIM that is taken out, the SIM for texts.",
  example: '{ at: 2h, sim: { of: clinic/3, phone: "+250788700003", credit: 20 } }',
  args: keyed({
    of: ofHandsets,
    slot: slotWord("The slot; default: 1.").optional(),
    phone: phone(
      "A SIM with this number is put into the slot; a counter counts the members of the group. If another phone has it, it moves.",
    ).optional(),
    carrier: text("The carrier of the number; default: as before.").optional(),
    credit: count("Units on the SIM; default: what it had, or no limit.", unitBounds).optional(),
    state: word(["none", "ok"], "none: the SIM of the slot is taken out; ok: it is back.").optional(),
    "sends-with": slotWord("The slot whose SIM texts go out from; without a SIM there, the other one.").optional(),
    for: forTime,
  }).meta(keysOf("anyOf", ["phone", "state", "sends-with"])),
  toInput: ({ of, slot: place, phone: number, carrier, credit, state, "sends-with": sends, for: forMs }, step) => {
    const handsets = step.resolveHandsets(of, "of");
    if (number === undefined && state === undefined && sends === undefined) {
      const message = "needs 'phone', 'state' or 'sends-with'";
      step.reportProblem([], { code: "missing-key", message, on: "key" });
    }
    for (const [key, value] of [
      ["carrier", carrier],
      ["credit", credit],
    ] as const) {
      if (value === undefined || number !== undefined) continue;
      const hint = key === "credit" ? "write the number, or use the verb credit" : "write the number";
      step.reportProblem([key], keyConflict(`'${key}' needs 'phone'`, hint));
    }
    if (forMs !== undefined && state === undefined) {
      step.reportProblem(["for"], keyConflict("'for' needs 'state'", "write state: none"));
    }
    if (carrier !== undefined && !step.carriers.includes(carrier)) {
      const close = nearest(carrier, step.carriers);
      step.reportProblem(["carrier"], {
        code: "unknown-carrier",
        message: `must be a carrier, got ${describeValue(carrier)}`,
        hint: close === undefined ? `the carriers are ${step.carriers.join(", ")}` : `did you mean '${close}'?`,
      });
    }
    if (number !== undefined) checkRoom(number, handsets, (problem) => step.reportProblem(["phone"], problem));
    return toWorld({
      verb: "sim",
      of: handsets,
      slot: slotOf(place),
      phone: number,
      carrier,
      credit,
      state,
      sendsWith: slotOf(sends),
      forMs,
    });
  },
});
