import { useState } from "preact/hooks";
import { useApiRequest } from "../../connection/use-request.js";
import { Button, EmptyState, Input, Select } from "../../design/index.js";
import { goTo } from "../../navigation/routes.js";
import { IsoTime } from "../../domain/time.jsx";
import { linkToService } from "../links.js";
import { ListPanel } from "../list-panel.jsx";
import { phoneOf } from "../urns.js";
import { StatusBadge } from "../status-badge.jsx";
import { asUrn } from "../urns.js";

/** Contacts, the last changed first: all, the members of a group, or the one with an address. */
export function ContactsList({ query }: { readonly query: URLSearchParams }) {
  const group = query.get("group") ?? "";
  const urn = query.get("urn") ?? "";
  const [typed, setTyped] = useState(urn);
  const groups = useApiRequest("groups.json");
  const search = new URLSearchParams({ ...(group !== "" && { group }), ...(urn !== "" && { urn }) }).toString();
  const find = (): void => goTo(linkToService("contacts", undefined, typed.trim() === "" ? {} : { urn: asUrn(typed) }));
  return (
    <ListPanel
      title="Contacts"
      about="People as the service knows them, the last changed first."
      path={`contacts.json${search === "" ? "" : `?${search}`}`}
      keyOf={({ uuid }) => uuid}
      link={({ uuid }) => linkToService("contacts", uuid)}
      words={({ name, urns, groups: joined }) => [name, ...urns, ...joined.map((one) => one.name)].join(" ")}
      filters={
        <>
          <Select
            label="Group"
            isLabelUnseen
            value={group}
            options={[
              { value: "", label: "All contacts" },
              ...(groups.data?.results ?? []).map(({ uuid, name, count }) => ({
                value: uuid,
                label: `${name} (${count})`,
              })),
            ]}
            onChange={(uuid) => goTo(linkToService("contacts", undefined, uuid === "" ? {} : { group: uuid }))}
          />
          <form
            class="design-row"
            onSubmit={(event) => {
              event.preventDefault();
              find();
            }}
          >
            <Input
              label="Phone number or address"
              isLabelUnseen
              placeholder="Find a phone number"
              value={typed}
              onChange={setTyped}
              kind="tel"
              size={18}
            />
            <Button isSubmit>Find</Button>
          </form>
        </>
      }
      columns={[
        { name: "name", title: "Name", cell: ({ name, urns }) => name ?? phoneOf(urns) ?? "No name" },
        { name: "phone", title: "Phone", cell: ({ urns }) => phoneOf(urns) ?? urns[0] ?? "—" },
        {
          name: "groups",
          title: "Groups",
          isCut: true,
          isWideOnly: true,
          cell: ({ groups: joined }) => joined.map(({ name }) => name).join(", "),
        },
        {
          name: "flow",
          title: "In flow",
          isWideOnly: true,
          cell: ({ flow, status }) =>
            flow === null ? (
              status !== null && status !== "active" && <StatusBadge status={status} />
            ) : (
              <a href={linkToService("flows", flow.uuid)}>{flow.name}</a>
            ),
        },
        { name: "language", title: "Language", isWideOnly: true, cell: ({ language }) => language ?? "" },
        {
          name: "seen",
          title: "Last seen",
          align: "end",
          cell: ({ last_seen_on: seen }) => <IsoTime iso={seen} show="recent" />,
        },
      ]}
      empty={
        <EmptyState icon="person" title={urn === "" ? "No contacts here" : "No contact has this address"}>
          {urn === "" ? (
            <p>A contact comes with the first text of a number, or with an import.</p>
          ) : (
            <p>
              Write the number with its country code, such as +12065550100.{" "}
              <a href={linkToService("contacts")}>All contacts</a>
            </p>
          )}
        </EmptyState>
      }
    />
  );
}
