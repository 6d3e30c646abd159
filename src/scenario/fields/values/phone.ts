import { isE164, phoneKind } from "../../../wire/index.js";
import type { PhonePattern } from "../../../world/index.js";
import { type Read, describeValue } from "../../sheet/raw-value.js";
import { scalar } from "./scalar.js";

const wanted = 'a phone number such as "+250788000001" or "+2507880{00000}"';

/** `+2507880{00000}`: the digits in braces are a counter and its first value; without braces, a single number. */
export function readPhone(): Read<PhonePattern> {
  return scalar(wanted, (text, report) => {
    const bad = (message: string, hint: string): undefined => {
      report({ code: "bad-phone", message, hint });
      return undefined;
    };
    const [, prefix, counter, suffix] = /^([^{}]*)(?:\{([^{}]*)\}([^{}]*))?$/.exec(text) ?? [];
    if (text.split("{").length !== text.split("}").length) {
      return bad(
        `has a counter that is not closed: ${describeValue(text)}`,
        "write as many digits as the counter has: {0000}",
      );
    }
    if (prefix === undefined)
      return bad(`must have at most one counter {000}, got ${describeValue(text)}`, `write ${wanted}`);
    if (counter !== undefined && !/^\d{1,12}$/.test(counter)) {
      return bad(
        `must count by digits in braces, got '{${counter}}'`,
        "write as many digits as the counter has: {0000}",
      );
    }
    const pattern: PhonePattern = {
      prefix,
      first: Number(counter ?? 0),
      digits: counter?.length ?? 0,
      suffix: suffix ?? "",
    };
    const sample = prefix + (counter ?? "") + pattern.suffix;
    if (isE164(sample)) return pattern;
    if (/^\d/.test(text) && isE164(`+${sample}`)) {
      return bad(`must begin with '+' and the country's code, got ${describeValue(text)}`, `write "+${text}"`);
    }
    const cleaned = text.replaceAll(/[\s().-]/g, "").replace(/^00/, "+");
    if (cleaned !== text && isE164(cleaned.replaceAll(/[{}]/g, ""))) {
      return bad(
        `must be a + with the country's code and the number, without spaces, got ${describeValue(text)}`,
        `write "${cleaned}"`,
      );
    }
    if (/^0[1-9]/.test(text)) {
      return bad(
        `must begin with '+' and the country's code, got ${describeValue(text)}`,
        "write + and the country's code in place of the first 0",
      );
    }
    const digits = sample.replaceAll(/\D/g, "").length;
    const why = /^\+[1-9]\d*$/.test(sample)
      ? `has ${digits} digits, E.164 allows 7 to 15`
      : `is not E.164: ${describeValue(text)}`;
    return bad(why, `write ${wanted}`);
  });
}

/** The pattern of people who withhold their number, or have none: the empty text. */
const withheld: PhonePattern = { prefix: "", first: 0, digits: 0, suffix: "" };

/** As `readPhone`, or `withheld`. */
export function readPhoneOrWithheld(): Read<PhonePattern> {
  const read = readPhone();
  return (value, report) => (value === "withheld" ? withheld : read(value, report));
}

/** A short code or name instead of a phone: the same for every member. Empty: texts without a sender. */
export function readSender(): Read<PhonePattern> {
  return scalar("a short code or name such as MTN", (text, report) => {
    if (text === "") return withheld;
    const kind = phoneKind(text);
    if (kind === "short-code" || kind === "name") return { prefix: text, first: 0, digits: 0, suffix: "" };
    report({
      code: "bad-phone",
      message: `must be a short code or a name of at most 11 letters, got ${describeValue(text)}`,
      hint: kind === "e164" ? "a phone number goes under 'phone'" : "write something like 3636 or MTN",
    });
    return undefined;
  });
}
