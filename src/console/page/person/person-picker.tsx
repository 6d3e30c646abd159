import { useEffect, useState } from "preact/hooks";
import type { FoundPerson, Listed } from "../../protocol/index.js";
import { apiPost, RequestError } from "../connection/lab-client.js";
import { useAction } from "../connection/use-action.js";
import { useRequest } from "../connection/use-request.js";
import {
  Button,
  EmptyState,
  Icon,
  Input,
  Loading,
  Panel,
  RequestNote,
  SearchBox,
  toastFailed,
  ViewHead,
} from "../design/index.js";
import { findPeople } from "../domain/find-people.js";
import { goTo, linkTo } from "../navigation/routes.js";
import { readNumber } from "./typed-number.js";
import "./person-picker.css";

const PAGE = 30;

/** Chooses a person of the lab, or creates one with any number. */
export function PersonPicker({ withHandset }: { readonly withHandset: string | undefined }) {
  const [typed, setTyped] = useState("");
  const [search, setSearch] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed), 200);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <div class="design-stack">
      <ViewHead
        title="People"
        about={
          withHandset === undefined
            ? "Choose a person, then text or call a handset from their phone."
            : `Choose the person who texts ${withHandset}.`
        }
      />
      <div class="person-picker design-grid">
        <Panel title="People of the lab" isFlush>
          <div class="person-picker-search">
            <SearchBox
              label="Search people"
              value={typed}
              onChange={setTyped}
              placeholder="Name, number or farmers/3"
            />
          </div>
          <FoundPeople key={search} search={search} withHandset={withHandset} />
        </Panel>
        <MakePerson withHandset={withHandset} />
      </div>
    </div>
  );
}

function FoundPeople({ search, withHandset }: { readonly search: string; readonly withHandset: string | undefined }) {
  const path = `/people?limit=${PAGE}&search=${encodeURIComponent(search)}` as const;
  const request = useRequest(path);
  const { data } = request;
  const [more, setMore] = useState<Listed<FoundPerson>>({ results: [], next: null });
  const [isBusy, setBusy] = useState(false);
  const [gone] = useState(() => new AbortController());
  useEffect(() => () => gone.abort(), []);
  const searchOn = async (after: string): Promise<void> => {
    setBusy(true);
    try {
      const { results, next } = await findPeople({ search, limit: PAGE, after, signal: gone.signal });
      setMore((before) => ({ results: [...before.results, ...results], next }));
    } catch (failure) {
      if (!gone.signal.aborted) toastFailed(failure);
    } finally {
      setBusy(false);
    }
  };
  useEffect(() => {
    setMore({ results: [], next: data?.next ?? null });
    if (data?.results.length === 0 && data.next !== null) void searchOn(data.next);
  }, [data]);
  if (data === undefined) return <RequestNote request={request} label="Loading people" />;
  const people = [...data.results, ...more.results];
  if (people.length === 0 && (isBusy || more.next !== null)) return <Loading label="Searching all people" />;
  if (people.length === 0) {
    return (
      <EmptyState icon="person" title={search === "" ? "This lab has no people" : "No person found"}>
        Use any number: the first text or call adds the person to the lab.
      </EmptyState>
    );
  }
  const { next } = more;
  return (
    <>
      <ul role="list" class="person-picker-list">
        {people.map(({ selector, phone, name }) => (
          <li key={selector}>
            <a href={linkToStage(selector, withHandset)}>
              <Icon name="person" />
              <bdi class="person-picker-name design-cut">{name ?? selector}</bdi>
              {name !== null && selector !== phone && (
                <span class="person-picker-selector design-fine for-engineers">{selector}</span>
              )}
              <span class="design-muted design-number design-push">{phone}</span>
            </a>
          </li>
        ))}
      </ul>
      {next !== null && (
        <div class="person-picker-more">
          <Button size="small" kind="quiet" isBusy={isBusy} onPress={() => void searchOn(next)}>
            Show more
          </Button>
        </div>
      )}
    </>
  );
}

function MakePerson({ withHandset }: { readonly withHandset: string | undefined }) {
  const [phone, setPhone] = useState("");
  const [name, setName] = useState("");
  const { isBusy, run } = useAction(toastFailed);
  const read = readNumber(phone);
  const number = "number" in read ? read.number : undefined;
  const make = (): void => {
    if (number === undefined) return;
    run(async () => {
      if (name.trim() !== "") await nameContact(number, name.trim());
      goTo(linkToStage(number, withHandset));
    });
  };
  return (
    <Panel title="New person" about="Any number works: the first text or call creates the person.">
      <form
        class="person-picker-form"
        onSubmit={(event) => {
          event.preventDefault();
          make();
        }}
      >
        <Input
          label="Phone number"
          kind="tel"
          value={phone}
          onChange={setPhone}
          placeholder="+250 788 123 456"
          {...("problem" in read && phone !== "" ? { error: read.problem } : { hint: "With + and country code." })}
        />
        <Input
          label="Name (optional)"
          value={name}
          onChange={setName}
          hint="The service knows the contact by this name."
        />
        <Button kind="main" isSubmit isBusy={isBusy} isDisabled={number === undefined}>
          Open their phone
        </Button>
      </form>
    </Panel>
  );
}

/** Names the contact of a number, and creates the contact if there is none. */
async function nameContact(phone: string, name: string): Promise<void> {
  try {
    await apiPost("contacts.json", { name, urns: [`tel:${phone}`] });
  } catch (error) {
    // The number already has a contact.
    if (!(error instanceof RequestError) || error.status !== 400) throw error;
    await apiPost(`contacts.json?urn=${encodeURIComponent(`tel:${phone}`)}`, { name });
  }
}

function linkToStage(who: string, withHandset: string | undefined): string {
  return linkTo("person", [who], withHandset === undefined ? {} : { with: withHandset });
}
