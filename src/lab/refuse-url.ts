import { LabError } from "../base/index.js";

/** @throws LabError always: why a URL may not be posted to */
export function refuseUrl(url: string): never {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new LabError("bad-options", `'${url}' is not an http or https URL`, {
      hint: "write a whole address such as http://127.0.0.1:8080/events",
    });
  }
  const { hostname } = new URL(url);
  throw new LabError(
    "host-not-allowed",
    `${hostname} is not this machine: load on another host must be allowed by name`,
    {
      hint: `if it is yours, add --allow-host ${hostname}`,
    },
  );
}
