import { useEffect, useRef } from "preact/hooks";
import { connection, lab, labNumber, story } from "../connection/state.js";
import { dropToasts, toastDone, Toasts } from "../design/index.js";
import { asking } from "../story/story-actions.js";
import { ConnectingPage } from "./connecting-page.jsx";
import { Frame } from "./frame.jsx";
import { TokenPage } from "./token-page.jsx";

/** The page: without a token how to get one, before the first snapshot that it connects, then the frame. */
export function App() {
  useSayNewLab();
  if (connection.value === "refused") return <TokenPage />;
  if (lab.value === undefined) return <ConnectingPage />;
  return (
    <>
      {/* Another lab is another page: nothing that was typed, fetched or opened is true any more. */}
      <Frame key={labNumber.value} />
      <Toasts />
    </>
  );
}

/** Says that the lab was replaced. What was said of the one before is taken away: its undo would act on the new one. */
function useSayNewLab(): void {
  const shown = useRef<string | undefined>(undefined);
  const number = labNumber.value;
  useEffect(() => {
    const before = shown.current;
    const name = story.peek()?.name ?? lab.peek()?.name;
    shown.current = name;
    if (before === undefined || name === undefined) return;
    dropToasts();
    // A jump back says where it is when it is there.
    if (asking.peek() !== "jump") toastDone(before === name ? `${name} has begun again` : `${name} has begun`);
  }, [number]);
}
