import { useEffect, useMemo, useRef } from "preact/hooks";
import { connection, fleet, lab, labNumber, story } from "../connection/state.js";
import { dropToasts, toastDone, Toasts } from "../design/index.js";
import { openFirstView } from "../navigation/first-view.js";
import { asking } from "../story/story-actions.js";
import { ConnectingPage } from "./connecting-page.jsx";
import { Frame } from "./frame.jsx";
import { TokenPage } from "./token-page.jsx";

/** The page: the token form without a token, a notice before the first snapshot, then the frame. */
export function App() {
  useSayNewLab();
  const facts = lab.value;
  // Before the frame is drawn, so that no other view is loaded first.
  useMemo(() => facts !== undefined && openFirstView(facts, fleet.peek()?.groups ?? []), [facts === undefined]);
  if (connection.value === "refused") return <TokenPage />;
  if (facts === undefined) return <ConnectingPage />;
  return (
    <>
      {/* The key remounts the page for another lab, because typed, loaded and opened state is then invalid. */}
      <Frame key={labNumber.value} />
      <Toasts />
    </>
  );
}

/** Shows a toast when the lab was replaced, and drops earlier ones: their undo would act on the new lab. */
function useSayNewLab(): void {
  const shown = useRef<string | undefined>(undefined);
  const number = labNumber.value;
  useEffect(() => {
    const before = shown.current;
    const name = story.peek()?.name ?? lab.peek()?.name;
    shown.current = name;
    if (before === undefined || name === undefined) return;
    dropToasts();
    // A jump back reports its own arrival.
    if (asking.peek() !== "jump") toastDone(before === name ? `${name} has begun again` : `${name} has begun`);
  }, [number]);
}
