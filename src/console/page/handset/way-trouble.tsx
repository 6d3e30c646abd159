import { useState } from "preact/hooks";
import { Select } from "../design/index.js";

/** What may happen to requests on the way to the receiver, as arguments of the verb `delivery`. */
const troubles = [
  { value: "", label: "Unchanged", words: "" },
  { value: "ok", label: "No trouble", words: "No more trouble on the way to the receiver" },
  { value: "answers-lost", label: "Answers get lost", words: "Answers of the receiver get lost" },
  { value: "requests-lost", label: "Requests get lost", words: "Requests to the receiver get lost" },
  { value: "refused", label: "Connections are refused", words: "Connections to the receiver are refused" },
  { value: "delay", label: "40 s later", words: "Requests leave 40 s later" },
  { value: "copies", label: "Twice at once", words: "Requests are sent twice at once" },
  { value: "cut", label: "Cut in the body", words: "Connections are cut in the body of a request" },
] as const;

type Trouble = (typeof troubles)[number]["value"];

const argumentsOf: Readonly<Record<Exclude<Trouble, "" | "ok">, object>> = {
  "answers-lost": { "answers-lost": true },
  "requests-lost": { "requests-lost": true },
  refused: { refused: true },
  delay: { delay: "40s" },
  copies: { copies: 2 },
  cut: { cut: "body" },
};

/** Trouble between the service and the receiver, for the events of one handset. */
export function WayTrouble({
  act,
  set,
}: {
  readonly act: (verb: string, args: object, words: string) => Promise<void>;
  /** As `act`, for the chosen span. */
  readonly set: (verb: string, args: object, words: string) => void;
}) {
  const [trouble, setTrouble] = useState<Trouble>("");
  return (
    <Select
      label="On the way to the receiver"
      value={trouble}
      options={troubles}
      hint="For the events of this handset"
      onChange={(chosen) => {
        setTrouble(chosen);
        const words = troubles.find(({ value }) => value === chosen)?.words ?? "";
        if (chosen === "ok") void act("delivery", { state: "ok" }, words);
        else if (chosen !== "") set("delivery", argumentsOf[chosen], words);
      }}
    />
  );
}
