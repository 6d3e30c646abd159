import type { ComponentType } from "preact";
import type { Route, ViewName } from "../navigation/routes.js";

export type View = ComponentType<{ readonly route: Route }>;

/** The views. The fleet is in the first bundle, the others are loaded at first use. */
export const views: Readonly<Record<ViewName, () => Promise<View>>> = {
  fleet: async () => (await import("../fleet/fleet-view.jsx")).FleetView,
  district: async () => (await import("../district/district-view.jsx")).DistrictView,
  handset: async () => (await import("../handset/handset-view.jsx")).HandsetView,
  person: async () => (await import("../person/person-view.jsx")).PersonView,
  chain: async () => (await import("../chain/chain-view.jsx")).ChainView,
  events: async () => (await import("../events/events-view.jsx")).EventsView,
  losses: async () => (await import("../events/losses-view.jsx")).LossesView,
  service: async () => (await import("../service/service-view.jsx")).ServiceView,
  story: async () => (await import("../story/story-view.jsx")).StoryView,
  run: async () => (await import("../run/run-view.jsx")).RunView,
};

/** Titles of the views. */
export const viewTitles: Readonly<Record<ViewName, string>> = {
  fleet: "Fleet",
  district: "District",
  handset: "Handset",
  person: "People",
  chain: "What happened",
  events: "Events",
  losses: "Lost texts and calls",
  service: "Service",
  story: "Story",
  run: "Run",
};
