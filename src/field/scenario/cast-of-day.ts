import { isE164 } from "../../wire/index.js";
import { handsetName } from "../causes/day-row.js";
import type { InferredDay } from "../causes/infer-day.js";
import type { PhoneDay } from "../causes/find-outages.js";

/** A handset of the inferred scenario. */
export interface InferredHandset {
  readonly relayer: number;
  /** Its group in the scenario, which has this one handset. */
  readonly name: string;
  readonly phone: string;
  /** What the log called its number, where that is none. */
  readonly saidPhone: string | undefined;
}

/** A person of the inferred scenario. */
export interface InferredPerson {
  readonly name: string;
  /** As the events spell it: a number, a short code or a name. */
  readonly phone: string;
  /** The handset that has most of the person's texts and calls. */
  readonly home: InferredHandset;
}

export interface InferredCast {
  readonly handsets: ReadonlyMap<number, InferredHandset>;
  /** By what the events call them. */
  readonly people: ReadonlyMap<string, InferredPerson>;
}

/** The cast of a day: its channels, and whom its texts and calls name, each at home where they are named most. */
export function castOf({ phones, day }: InferredDay): InferredCast {
  const handsets = new Map<number, InferredHandset>();
  const taken = new Set<string>();
  for (const relayer of [...day.phones.keys()].sort((one, other) => one - other)) {
    const said = day.phones.get(relayer)?.find((row) => row.relayerPhone !== undefined)?.relayerPhone;
    const isUsable = said !== undefined && isE164(said) && !taken.has(said);
    const phone = isUsable ? said : inventedPhone(relayer, taken);
    taken.add(phone);
    handsets.set(relayer, { relayer, name: handsetName(relayer), phone, saidPhone: isUsable ? undefined : said });
  }
  return { handsets, people: peopleOf(phones, handsets, taken) };
}

/** A number for a handset whose own the log does not tell: of a country code that no country has. */
function inventedPhone(relayer: number, taken: ReadonlySet<string>): string {
  for (let number = Math.abs(relayer) % 10 ** 9; ; number++) {
    const phone = `+210${String(number).padStart(9, "0")}`;
    if (!taken.has(phone)) return phone;
  }
}

function peopleOf(
  phones: ReadonlyMap<number, PhoneDay>,
  handsets: ReadonlyMap<number, InferredHandset>,
  handsetPhones: ReadonlySet<string>,
): Map<string, InferredPerson> {
  const counts = new Map<string, Map<number, number>>();
  for (const { relayer, rows } of phones.values()) {
    for (const { row } of rows) {
      if (row.phone === undefined || row.phone === "" || handsetPhones.has(row.phone)) continue;
      const ofPerson = counts.get(row.phone) ?? new Map<number, number>();
      ofPerson.set(relayer, (ofPerson.get(relayer) ?? 0) + 1);
      counts.set(row.phone, ofPerson);
    }
  }
  const people = new Map<string, InferredPerson>();
  for (const [phone, ofPerson] of counts) {
    const [home] = [...ofPerson].sort((one, other) => other[1] - one[1])[0] ?? [];
    const handset = home === undefined ? undefined : handsets.get(home);
    if (handset !== undefined) people.set(phone, { name: `person-${people.size + 1}`, phone, home: handset });
  }
  return people;
}
