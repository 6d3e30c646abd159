import { useEffect, useRef, useState } from "preact/hooks";
import { moment } from "../connection/moment.js";
import { pictureMs } from "../connection/past-state.js";
import { lab } from "../connection/state.js";
import { RepeatNotice } from "../story/repeat-notice.jsx";
import { StoryStrip } from "../story/story-strip.jsx";
import { TimeBar } from "../time/time-bar.jsx";
import { FieldLogDrop } from "../field-log/field-log-drop.jsx";
import { GivenFile } from "../field-log/given-file.jsx";
import { ConnectionNote } from "./connection-note.jsx";
import { Nav } from "./nav.jsx";
import { QuickJump } from "./quick-jump.jsx";
import { besideOf, goTo, linkTo, route } from "../navigation/routes.js";
import { ShortcutsHelp } from "./shortcuts-help.jsx";
import { useShortcuts } from "./shortcuts.js";
import { SidePanel } from "./side-panel.jsx";
import { TopBar } from "./top-bar.jsx";
import { useMedia } from "./use-media.js";
import { viewTitles } from "./views.js";
import { ViewSlot } from "./view-slot.jsx";
import "./frame.css";
import "./presenter.css";
import { ClockControl } from "./clock-control.jsx";
import { isPresenting } from "../navigation/presenting.js";
import { LiveTotals } from "./live-totals.jsx";
import { PresenterTotals } from "./presenter-totals.jsx";
import "./status-bar.css";

/** From this width, a side panel fits beside a view. */
const WIDE = "(min-width: 1100px)";

/** The frame of every view: bars, navigation, side panel. */
export function Frame() {
  const [open, setOpen] = useState<"jump" | "help" | "log">();
  const isWide = useMedia(WIDE);
  const current = route.value;
  const beside = besideOf(current);
  const close = (): void => setOpen(undefined);
  useShortcuts({ onJump: () => setOpen("jump"), onHelp: () => setOpen("help") });
  useTitle();
  useEffect(() => {
    if (beside !== undefined && !isWide) location.replace(linkTo(beside.view, beside.words));
  }, [beside?.view, beside?.words.join("/"), isWide]);
  return (
    <div class="shell-frame" data-awaits={moment.value !== undefined && pictureMs.value === undefined ? "" : undefined}>
      <a
        class="shell-skip"
        href="#content"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById("content")?.focus();
        }}
      >
        Skip to the view
      </a>
      <TopBar onJump={() => setOpen("jump")} onHelp={() => setOpen("help")} />
      <StatusBar />
      <div class="shell-notes">
        <StoryStrip />
        <ConnectionNote />
        <RepeatNotice />
        <TimeBar />
      </div>
      <Nav />
      <main id="content" class="shell-main" tabIndex={-1}>
        <ViewSlot route={current} />
      </main>
      {beside !== undefined && isWide && <SidePanel route={beside} />}
      {open === "jump" && <QuickJump onClose={close} onGo={goTo} />}
      {open === "help" && <ShortcutsHelp onClose={close} onLog={() => setOpen("log")} />}
      {open === "log" && <GivenFile file={undefined} onClose={close} />}
      <FieldLogDrop />
    </div>
  );
}

/** Names the window after the view, and moves the focus to the content when another view is shown. */
function useTitle(): void {
  const { view, words } = route.value;
  const name = lab.value?.name ?? "Handset Lab";
  const shown = useRef(view);
  document.title = `${[viewTitles[view], ...words].join(" ")} · ${name}`;
  useEffect(() => {
    if (shown.current === view) return;
    shown.current = view;
    const content = document.getElementById("content");
    content?.scrollTo(0, 0);
    content?.focus({ preventScroll: true });
  }, [view]);
}

/** The page's second line: the clock and what the lab does right now. */
function StatusBar() {
  return (
    <div class="shell-status design-row">
      <ClockControl />
      {isPresenting.value ? <PresenterTotals /> : <LiveTotals />}
    </div>
  );
}
