import { connection } from "../connection/state.js";
import { ConnectionNote } from "./connection-note.jsx";
import { BrandMark } from "./top-bar.jsx";
import "./token-page.css";

/** The page before the first snapshot. */
export function ConnectingPage() {
  return (
    <main class="token-page">
      <div class="token-card design-stack design-frame">
        <div class="token-brand design-line">
          <BrandMark />
          <h1>Handset Lab</h1>
        </div>
        {connection.value === "lost" ? (
          <>
            <ConnectionNote />
            <p class="design-muted">
              The server does not answer. It may still be starting; if it has ended, start it again and use its new
              link.
            </p>
          </>
        ) : (
          <p role="status">Connecting to the lab…</p>
        )}
      </div>
    </main>
  );
}
