import { useState } from "preact/hooks";
import { useApiRequest } from "../../connection/use-request.js";
import { Badge, Checkbox, RequestNote, SearchBox, Textarea } from "../../design/index.js";
import { formatCounted } from "../../format/index.js";
import type { RecordOf, Reference } from "../../../protocol/index.js";
import { type RecipientCount, recipientCount } from "../recipients.js";
import { urnsOf } from "../urns.js";
import "./recipients-field.css";

/** Number of groups from which the list has a filter. */
const FILTERED_FROM = 8;

/** The recipients of a broadcast or flow start. */
export interface RecipientChoice {
  readonly groups: readonly RecordOf<"groups">[];
  readonly contacts: readonly Reference[];
  /** Typed phone numbers. */
  readonly addresses: string;
}

export const nobody: RecipientChoice = { groups: [], contacts: [], addresses: "" };

export function countOf({ groups, contacts, addresses }: RecipientChoice): RecipientCount {
  return recipientCount(groups, [...contacts.map(({ uuid }) => uuid), ...urnsOf(addresses)]);
}

/** The fields of the request. */
export function bodyOf({ groups, contacts, addresses }: RecipientChoice): {
  readonly groups: readonly string[];
  readonly contacts: readonly string[];
  readonly urns: readonly string[];
} {
  return {
    groups: groups.map(({ uuid }) => uuid),
    contacts: contacts.map(({ uuid }) => uuid),
    urns: urnsOf(addresses),
  };
}

/** Chooses groups, and contacts by their phone numbers. */
export function RecipientsField({
  value,
  onChange,
  error,
}: {
  readonly value: RecipientChoice;
  readonly onChange: (value: RecipientChoice) => void;
  readonly error?: string | undefined;
}) {
  const groups = useApiRequest("groups.json");
  const [filter, setFilter] = useState("");
  const all = groups.data?.results ?? [];
  const shown = all.filter(({ name }) => name.toLowerCase().includes(filter.trim().toLowerCase()));
  const chosen = new Set(value.groups.map(({ uuid }) => uuid));
  return (
    <fieldset class="service-recipients design-stack-tight">
      <legend class="design-field-label">To</legend>
      {value.contacts.length > 0 && (
        <p class="design-row">
          {value.contacts.map(({ uuid, name }) => (
            <Badge key={uuid} icon="person" tone="note">
              {name ?? uuid}
            </Badge>
          ))}
        </p>
      )}
      <RequestNote request={groups} lines={2} label="Loading groups" />
      {all.length >= FILTERED_FROM && <SearchBox label="Filter groups" value={filter} onChange={setFilter} />}
      {all.length > 0 && (
        <div class="service-groups" role="group" aria-label="Groups" tabIndex={0}>
          {shown.map((group) => (
            <Checkbox
              key={group.uuid}
              label={
                <>
                  {group.name} <span class="design-muted">{formatCounted(group.count, "contact")}</span>
                </>
              }
              isOn={chosen.has(group.uuid)}
              onChange={(isOn) =>
                onChange({
                  ...value,
                  groups: isOn ? [...value.groups, group] : value.groups.filter(({ uuid }) => uuid !== group.uuid),
                })
              }
            />
          ))}
          {groups.data?.next !== null && <p class="design-muted">The newest 250 groups.</p>}
        </div>
      )}
      <Textarea
        label="Phone numbers"
        rows={2}
        placeholder="+12065550100, +12065550101"
        value={value.addresses}
        onChange={(addresses) => onChange({ ...value, addresses })}
        error={error}
        hint="With country code, separated by commas. A number that no contact has gets a contact."
      />
    </fieldset>
  );
}
