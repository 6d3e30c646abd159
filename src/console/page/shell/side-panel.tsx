import { useEffect, useRef } from "preact/hooks";
import { Icon, IconButton } from "../design/index.js";
import { goTo, linkTo, linkToBeside, type Route } from "../navigation/routes.js";
import { viewTitles } from "./views.js";
import { ViewSlot } from "./view-slot.jsx";
import "./side-panel.css";

/** The panel beside the view, such as a handset beside the fleet. Escape closes it. */
export function SidePanel({ route }: { readonly route: Route }) {
  const panel = useRef<HTMLElement>(null);
  const place = [route.view, ...route.words].join("/");
  const close = (): void => goTo(linkToBeside(undefined));
  useEffect(() => {
    panel.current?.scrollTo(0, 0);
  }, [place]);
  return (
    <aside
      ref={panel}
      class="shell-side"
      aria-label={`${viewTitles[route.view]} ${route.words.join("/")}`}
      onKeyDown={(event) => {
        if (event.key === "Escape" && !event.defaultPrevented) close();
      }}
    >
      <div class="shell-side-tools">
        <a class="shell-side-full design-inline" href={linkTo(route.view, route.words)}>
          <Icon name="sideOpen" /> Open alone
        </a>
        <IconButton icon="cross" label="Close" size="small" onPress={close} />
      </div>
      <ViewSlot key={place} route={route} />
    </aside>
  );
}
