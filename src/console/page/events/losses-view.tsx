import { useState } from "preact/hooks";
import type { Losses, LossEntry } from "../../protocol/index.js";
import { useRequest } from "../connection/use-request.js";
import { Button, type Column, DataTable, EmptyState, Panel, RequestNote, Select, ViewHead } from "../design/index.js";
import { Time } from "../domain/time.jsx";
import { formatCount } from "../format/index.js";
import { HandsetName } from "../domain/handset-name.jsx";
import { linkTo, linkToChain, linkToHandset, linkToPerson, replaceWith, type Route } from "../navigation/routes.js";

const PAGE = 50;

const columns: readonly Column<LossEntry>[] = [
  { name: "at", title: "Lost", cell: ({ at_ms: atMs }) => <Time atMs={atMs} /> },
  { name: "why", title: "Why", cell: ({ why }) => sentence(why) },
  { name: "what", title: "What", cell: whatWords, isWideOnly: true },
  {
    name: "handset",
    title: "Handset",
    isWideOnly: true,
    cell: ({ handset }) => (
      <a href={linkToHandset(handset)}>
        <HandsetName of={handset} />
      </a>
    ),
  },
  {
    name: "person",
    title: "Person",
    cell: ({ person: { selector, phone, name } }) => (
      <a href={linkToPerson(selector ?? phone)}>
        <bdi>{name ?? selector ?? phone}</bdi>
      </a>
    ),
  },
  {
    name: "text",
    title: "Text",
    isCut: true,
    cell: ({ text, message }) =>
      message === null ? <bdi>{text ?? ""}</bdi> : <a href={linkToChain(message)}>{<bdi>{text ?? ""}</bdi>}</a>,
  },
];

/** All lost texts and calls, with their causes. */
export function LossesView({ route: { query } }: { readonly route: Route }) {
  const [limit, setLimit] = useState(PAGE);
  const [cause, person, of] = ["cause", "person", "of"].map((name) => query.get(name) ?? "");
  const asked = new URLSearchParams({ limit: String(limit), cause: cause ?? "", person: person ?? "", of: of ?? "" });
  const request = useRequest(`/losses?${asked}`, { every: 2500 });
  const { data } = request;
  const choose = (chosen: string): void =>
    replaceWith(
      linkTo("losses", [], { ...(chosen !== "" && { cause: chosen }), ...(of && { of }), ...(person && { person }) }),
    );
  const where = [of, person].filter((word) => word !== undefined && word !== "").join(", ");
  return (
    <div class="design-stack">
      <ViewHead
        title="Lost texts and calls"
        about={where === "" ? "Texts and calls that never arrived, newest first." : `Of ${where}, newest first.`}
        back={{ href: linkTo("events"), label: "Events" }}
      />
      <RequestNote request={request} lines={6} />
      {data !== undefined && (
        <Panel
          title="Losses"
          isFlush
          actions={<CauseChoice counts={data.counts} chosen={cause ?? ""} onChoose={choose} />}
        >
          <DataTable
            caption="Lost texts and calls"
            columns={columns}
            rows={data.results}
            keyOf={({ at_ms: atMs, handset, person: { phone }, text }) => `${atMs} ${handset} ${phone} ${text}`}
            empty={
              <EmptyState icon="check" title="Nothing is lost">
                Every text and call has arrived, is in transit or is queued.
              </EmptyState>
            }
          />
          {data.next !== null && limit < 100 && (
            <Button kind="quiet" onPress={() => setLimit(100)}>
              Show more
            </Button>
          )}
        </Panel>
      )}
    </div>
  );
}

function CauseChoice({
  counts,
  chosen,
  onChoose,
}: {
  readonly counts: Losses["counts"];
  readonly chosen: string;
  readonly onChoose: (cause: string) => void;
}) {
  const all = counts.reduce((sum, { count }) => sum + count, 0);
  const options = [
    { value: "", label: `All causes (${formatCount(all)})` },
    ...counts.map(({ cause, why, count }) => ({ value: cause, label: `${sentence(why)} (${formatCount(count)})` })),
  ];
  return <Select label="Cause" value={chosen} options={options} onChange={onChoose} />;
}

function whatWords({ text, message }: LossEntry): string {
  if (text === null) return "Call";
  return message === null ? "Text of the person" : "Message to the person";
}

/** Makes a sentence of a cause, which is worded for a table of the documentation. */
function sentence(why: string): string {
  const plain = why.replaceAll("`", "");
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}
