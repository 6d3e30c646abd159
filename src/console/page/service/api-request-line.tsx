import { apiToken } from "../connection/lab-client.js";
import { serverPath } from "../connection/server-address.js";
import { CopyButton } from "../design/index.js";
import { apiCommand } from "./api-command.js";
import "./api-request-line.css";

/** The API request of a table, with a button that copies it as a curl command with the token. */
export function ApiRequestLine({ path }: { readonly path: string }) {
  const shown = `/api/v2/${path}`;
  return (
    <div class="service-request design-line">
      <span class="design-muted">As an API request:</span>
      <code class="design-cut" title={`GET ${shown}`}>
        GET {shown}
      </code>
      <CopyButton
        label="Copy as curl, with the token"
        text={async () => apiCommand(location.origin + serverPath(shown), await apiToken())}
      />
    </div>
  );
}
