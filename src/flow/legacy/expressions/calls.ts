/**
 * Writes the native form of a call.
 *
 * @param operands - native expressions
 * @returns undefined when the number of operands does not fit
 */
type CallForm = (operands: readonly string[], name: string) => string | undefined;

const call = (name: string, operands: readonly string[]): string => `${name}(${operands.join(", ")})`;

const unchanged: CallForm = (operands, name) => call(name, operands);

const renamed =
  (native: string): CallForm =>
  (operands) =>
    call(native, operands);

const joined =
  (operator: string): CallForm =>
  (operands) =>
    operands.join(` ${operator} `);

/** A form that needs the first `count` operands. */
const written =
  (count: number, write: (a: string, b: string, c: string) => string): CallForm =>
  (operands) => {
    const [a = "", b = "", c = ""] = operands;
    return operands.length < count ? undefined : write(a, b, c);
  };

type OperandForm = (operand: string) => string;

const same: OperandForm = (operand) => operand;

/** Legacy positions count from 1, native ones from 0. */
const fromZero: OperandForm = (operand) => (isInteger(operand) ? String(Number(operand) - 1) : `${operand} - 1`);

/** Legacy `by_spaces`; natively the characters that separate words. */
const separators: OperandForm = (operand) => (operand.trim().toLowerCase() === "true" ? '" \\t"' : "NULL");

/** A call with a form for each operand; more operands than forms do not fit. */
const formed =
  (native: string, forms: readonly OperandForm[], defaults: readonly string[] = []): CallForm =>
  (operands) => {
    if (operands.length > forms.length) return undefined;
    const given = [...operands, ...defaults.slice(operands.length)];
    return call(
      native,
      given.map((operand, place) => forms[place]?.(operand) ?? operand),
    );
  };

const datePart = (letters: string): CallForm => written(1, (date) => `format_date(${date}, "${letters}")`);

const timePart = (letters: string): CallForm => written(1, (date) => `format_datetime(${date}, "${letters}")`);

/** The functions of the legacy language that have another name or form (docs/reference/flows.md#legacy-expressions). */
const forms: ReadonlyMap<string, CallForm> = new Map<string, CallForm>([
  ["average", renamed("mean")],
  ["concatenate", joined("&")],
  ["date", renamed("date_from_parts")],
  ["datedif", renamed("datetime_diff")],
  ["datevalue", renamed("date")],
  ["day", datePart("D")],
  ["days", written(2, (end, start) => `datetime_diff(${start}, ${end}, "D")`)],
  ["edate", written(2, (date, months) => `datetime_add(${date}, ${months}, "M")`)],
  ["exp", written(1, (power) => `2.718281828459045 ^ ${power}`)],
  ["false", () => "false"],
  ["field", formed("field", [same, fromZero, same])],
  ["first_word", written(1, (text) => `word(${text}, 0)`)],
  ["fixed", formed("format_number", [same, same, same], ["", "2"])],
  ["format_date", renamed("format_datetime")],
  ["hour", timePart("tt")],
  ["int", renamed("round_down")],
  ["left", written(2, (text, count) => `text_slice(${text}, 0, ${count})`)],
  ["len", renamed("text_length")],
  ["minute", timePart("m")],
  ["month", datePart("M")],
  ["power", written(2, (base, power) => `${base} ^ ${power}`)],
  ["proper", renamed("title")],
  ["randbetween", renamed("rand_between")],
  ["read_digits", renamed("read_chars")],
  ["regex_group", renamed("regex_match")],
  ["rept", renamed("repeat")],
  ["right", written(2, (text, count) => `text_slice(${text}, -${count})`)],
  ["rounddown", renamed("round_down")],
  ["roundup", renamed("round_up")],
  ["second", timePart("s")],
  ["substitute", renamed("replace")],
  ["sum", joined("+")],
  ["time", written(3, (hour, minute, second) => `time_from_parts(${hour}, ${minute}, ${second})`)],
  ["timevalue", written(1, (text) => `time(${text})`)],
  ["true", () => "true"],
  ["trunc", renamed("round_down")],
  ["unichar", renamed("char")],
  ["unicode", renamed("code")],
  ["weekday", written(1, (date) => `weekday(${date}) + 1`)],
  ["word", formed("word", [same, fromZero, separators])],
  ["word_count", formed("word_count", [same, separators])],
  ["word_slice", formed("word_slice", [same, fromZero, fromZero, separators])],
  ["year", datePart("YYYY")],
]);

/**
 * The native form of a call of the legacy language; a function without another form keeps its name.
 *
 * @param name - in lower case
 * @returns undefined when the number of operands does not fit
 */
export function migrateCall(name: string, operands: readonly string[]): string | undefined {
  return (forms.get(name) ?? unchanged)(operands, name);
}

/** Whether an expression is an integer, perhaps with a sign. */
export function isInteger(expression: string): boolean {
  return /^[-+]?\d{1,15}$/.test(expression);
}
