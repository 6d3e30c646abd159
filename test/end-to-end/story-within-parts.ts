type Arguments = Readonly<Record<string, unknown>>;

/** A random story, as JSON. */
interface Written {
  readonly service: Arguments;
  readonly story: readonly Arguments[];
}

/** A step with an effect across parts, as one without. */
const within: Readonly<Record<string, (args: Arguments) => Arguments>> = {
  text: (args) => ({ ...args, ...atHome({ handsets: "to", people: "from" }, args) }),
  call: (args) => ({ ...args, ...atHome(isOfPeople(args["from"]) ? fromPeople : fromHandsets, args) }),
  send: (args) => ({ ...args, ...atHome({ handsets: "via", people: "to" }, args) }),
  flow: (args) => ({ ...args, ...atHome({ handsets: "of", people: "person" }, args) }),
  // The number may be that of a channel in the other part.
  claim: ({ of, org }) => ({ of, ...(org !== undefined && { org }) }),
  // A SIM of a phone in the other part would move.
  sim: ({ phone, ...args }) =>
    phone === undefined
      ? args
      : { ...args, phone: String(args["of"]).includes("clinic") ? "+2507887{0000}" : "+250788799000" },
  service: ({ "offers-to": to, ...args }) => (to === undefined ? args : { ...args, withholds: true }),
};

const fromPeople = { handsets: "to", people: "from" };
const fromHandsets = { handsets: "from", people: "to" };

/**
 * A random story that can be played in parts: people and handsets have to do with each other at home only, and no step
 * of one part acts on another.
 */
export function storyWithinParts(written: object): object {
  const { story, service, ...rest } = written as Written;
  return { ...rest, service: { ...service, "reply-through": "answered" }, story: story.map(stepWithin) };
}

/** Without its condition, which would have to be on handsets and people of the part in which the step acts. */
function stepWithin(step: Arguments): object {
  return Object.fromEntries(
    Object.entries(step)
      .filter(([key]) => key !== "when" && key !== "within")
      .map(([key, value]) => [key, within[key]?.(value as Arguments) ?? value]),
  );
}

function atHome({ handsets, people }: typeof fromPeople, args: Arguments): Arguments {
  if (args[people] === "hidden") return { [handsets]: "clinic" };
  const isLone = args[handsets] === "lone";
  return { [handsets]: isLone ? "lone" : "clinic", [people]: isLone ? "short" : "farmers" };
}

function isOfPeople(selector: unknown): boolean {
  return ["farmers", "short", "hidden"].some((group) => String(selector).includes(group));
}
