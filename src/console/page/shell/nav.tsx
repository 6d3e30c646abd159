import { lab, run } from "../connection/state.js";
import { Icon, type IconName } from "../design/index.js";
import { linkTo, route, type ViewName } from "../navigation/routes.js";
import { viewTitles } from "./views.js";
import "./nav.css";

const places: readonly { readonly view: ViewName; readonly icon: IconName; readonly also?: readonly ViewName[] }[] = [
  { view: "district", icon: "district" },
  { view: "fleet", icon: "fleet", also: ["handset"] },
  { view: "events", icon: "events", also: ["chain", "losses"] },
  { view: "person", icon: "person" },
  { view: "service", icon: "server" },
  { view: "story", icon: "story" },
  { view: "run", icon: "run" },
];

/** The views in the navigation: a served lab has no run view. */
export function offeredViews(): readonly ViewName[] {
  const hasRun = lab.value?.mode === "run" || run.value !== undefined;
  return places.map(({ view }) => view).filter((view) => view !== "run" || hasRun);
}

/** The navigation: a rail at the left, on phones a bar at the bottom. */
export function Nav() {
  const { view: current } = route.value;
  const offered = offeredViews();
  return (
    <nav class="shell-nav" aria-label="Views">
      {places
        .filter(({ view }) => offered.includes(view))
        .map(({ view, icon, also }) => (
          <a
            key={view}
            class={also?.includes(current) === true ? "shell-nav-link shell-nav-within" : "shell-nav-link"}
            href={linkTo(view)}
            aria-current={view === current ? "page" : undefined}
          >
            <Icon name={icon} size="1.25rem" />
            <span>{viewTitles[view]}</span>
          </a>
        ))}
    </nav>
  );
}
