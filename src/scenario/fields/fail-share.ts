import * as z from "zod";
import { networkTypes, type NetworkType, type SendFailShare } from "../../world/index.js";
import { type Field, field } from "../sheet/field.js";
import { isMap, type Read } from "../sheet/raw-value.js";
import { formShape } from "./fields.js";
import { spelled, whole } from "./spelling.js";
import { readShare } from "./values/share.js";
import { readWord } from "./values/word.js";

/** A share of segments that the radio refuses: `10%`, or one for each data link, `{ GPRS: 30%, LTE: 1% }`. */
export function failShare(
  about: string,
): Field<SendFailShare, string | Readonly<Partial<Record<NetworkType, string>>>> {
  const one = formShape(whole(spelled.percent), "10%");
  const shape = z.union([
    one,
    z.partialRecord(z.enum(networkTypes), one).meta({ minProperties: 1, description: "Shares by data link." }),
  ]);
  return field(shape, readFailShare, about);
}

const readFailShare: Read<SendFailShare> = (value, report) => {
  if (!isMap(value)) return readShare()(value, report);
  const shares: Partial<Record<NetworkType, number>> = {};
  for (const [key, written] of Object.entries(value)) {
    const at = (problem: Parameters<typeof report>[0]): void => report({ ...problem, path: [key] });
    const link = readWord(networkTypes, { noun: "a data link such as GPRS or LTE" })(key, (problem) =>
      at({ ...problem, on: "key" }),
    );
    const share = readShare()(written, at);
    if (link === undefined || share === undefined) return undefined;
    shares[link] = share;
  }
  if (Object.keys(shares).length > 0) return shares;
  report({ code: "bad-value", message: "must name at least one data link", hint: "write { GPRS: 30%, LTE: 1% }" });
  return undefined;
};
