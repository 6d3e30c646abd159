import { connection, lab, labNumber } from "../connection/state.js";
import { Toasts } from "../design/index.js";
import { ConnectingPage } from "./connecting-page.jsx";
import { Frame } from "./frame.jsx";
import { TokenPage } from "./token-page.jsx";

/** The page: without a token how to get one, before the first snapshot that it connects, then the frame. */
export function App() {
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
