import { ViewHead } from "../design/index.js";
import type { Route } from "../navigation/routes.js";
import { BroadcastPage } from "./details/broadcast-page.jsx";
import { CampaignPage } from "./details/campaign-page.jsx";
import { ContactPage } from "./details/contact-page.jsx";
import { FlowPage } from "./flow/flow-page.jsx";
import { linkToService, type Section, sections } from "./links.js";
import { BroadcastsList } from "./lists/broadcasts-list.jsx";
import { CampaignsList } from "./lists/campaigns-list.jsx";
import { ContactsList } from "./lists/contacts-list.jsx";
import { FlowsList } from "./lists/flows-list.jsx";
import { GroupsList } from "./lists/groups-list.jsx";
import { MessagesList } from "./lists/messages-list.jsx";
import { ResthooksList } from "./lists/resthooks-list.jsx";
import { RunsList } from "./lists/runs-list.jsx";
import { ChannelsList, FieldsList, LabelsList } from "./lists/small-lists.jsx";
import "./service.css";

/** The service view: lists, single records, and the actions that a demo needs. */
export function ServiceView({ route }: { readonly route: Route }) {
  const [word, id] = route.words;
  const section = sections.find((name) => name === word) ?? "contacts";
  return (
    <div class="service design-stack">
      {pageOf(section, id, route.query) ?? <Lists section={section} route={route} />}
    </div>
  );
}

function pageOf(section: Section, id: string | undefined, query: URLSearchParams) {
  if (id === undefined) return undefined;
  switch (section) {
    case "contacts":
      return <ContactPage key={id} uuid={id} />;
    case "broadcasts":
      return <BroadcastPage key={id} id={id} />;
    case "campaigns":
      return <CampaignPage key={id} uuid={id} />;
    case "flows":
      return <FlowPage key={id} uuid={id} query={query} />;
    default:
      return undefined;
  }
}

function Lists({ section, route }: { readonly section: Section; readonly route: Route }) {
  return (
    <>
      <ViewHead title="Service" about="The messaging service that the handsets relay for." />
      <nav class="service-sections" aria-label="Lists of the service">
        {sections.map((name) => (
          <a key={name} href={linkToService(name)} aria-current={name === section ? "page" : undefined}>
            {name[0]?.toUpperCase()}
            {name.slice(1)}
          </a>
        ))}
      </nav>
      {listOf(section, route.query)}
    </>
  );
}

function listOf(section: Section, query: URLSearchParams) {
  switch (section) {
    case "contacts":
      return <ContactsList query={query} />;
    case "groups":
      return <GroupsList />;
    case "messages":
      return <MessagesList query={query} />;
    case "broadcasts":
      return <BroadcastsList />;
    case "flows":
      return <FlowsList />;
    case "runs":
      return <RunsList />;
    case "campaigns":
      return <CampaignsList />;
    case "resthooks":
      return <ResthooksList />;
    case "channels":
      return <ChannelsList />;
    case "labels":
      return <LabelsList />;
    case "fields":
      return <FieldsList />;
    default:
      return section satisfies never;
  }
}
