import { useState } from "preact/hooks";
import { useToken } from "../connection/connect.js";
import { labToken, tokenInLink } from "../connection/token.js";
import { Button, Input } from "../design/index.js";
import { BrandMark } from "./top-bar.jsx";
import "./token-page.css";

/** The page without a token: how to get the link, and a field for the token. */
export function TokenPage() {
  const [token, setToken] = useState("");
  const wasRefused = labToken() !== "";
  return (
    <main class="token-page">
      <form
        class="token-card design-stack design-frame"
        onSubmit={(event) => {
          event.preventDefault();
          const given = tokenIn(token);
          if (given !== "") useToken(given);
        }}
      >
        <div class="token-brand design-line">
          <BrandMark />
          <h1>Handset Lab</h1>
        </div>
        <p>
          {wasRefused
            ? "The lab does not know this token. A lab without a fixed token makes a new one each time it starts."
            : "This page opens with the token of the lab, which is in the link."}
        </p>
        <p class="design-muted">
          Use the link of the console that <code>handset serve</code> prints at its start, or paste the link or its
          token here.
        </p>
        <Input
          label="Link or lab token"
          value={token}
          onChange={setToken}
          isMono
          autofocus
          error={wasRefused && token === "" ? "The last token was refused" : undefined}
        />
        <Button kind="main" isSubmit isDisabled={tokenIn(token) === ""}>
          Open the console
        </Button>
      </form>
    </main>
  );
}

/** A token, or the one in a link `…/console/#token=…`. */
function tokenIn(text: string): string {
  return tokenInLink(text) ?? /^[\w.~-]+$/.exec(text.trim())?.[0] ?? "";
}
