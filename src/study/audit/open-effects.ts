import { randomBytes } from "node:crypto";
import { LabError } from "../../base/index.js";
import type { AccountSource } from "../../control/index.js";
import { refuseUrl } from "../../lab/index.js";
import { AuditService } from "./account/service.js";
import { RELAYER_PHONE, SECOND_PHONE } from "./context.js";
import { EffectsPage, type EffectsSource } from "./effects.js";

/** The emulated service of an audit with `effects: "api"`. */
export interface AuditApi {
  /** Default: any free port, which only a receiver that the audit starts can know. */
  readonly port?: number;
  /** Token of an administrator; default: a random one. */
  readonly token?: string;
  /** Account files with the flows, groups and fields that the receiver expects. */
  readonly accounts?: readonly AccountSource[];
}

/** How effects of events are seen. */
export interface OpenedEffects {
  /** Undefined: nowhere. */
  readonly source: EffectsSource | undefined;
  /** The service at whose API the receiver acts. */
  readonly service: AuditService | undefined;
  /** Whether a reply is an effect. */
  readonly judgesReplies: boolean;
}

/** What `openEffects` needs of an audit's options. */
interface EffectsOptions {
  readonly effects?: string;
  readonly api?: AuditApi;
  readonly command?: readonly string[];
  readonly nowMs: number;
  readonly isAllowed: (url: string) => boolean;
}

/** Opens what `--effects` names. @throws LabError `bad-options`, `host-not-allowed`, `port-taken`, `bad-account` */
export async function openEffects(options: EffectsOptions): Promise<OpenedEffects> {
  const { effects: given, isAllowed } = options;
  if (given === "api") {
    const service = await openService(options);
    return { source: service, service, judgesReplies: false };
  }
  if (options.api !== undefined) {
    throw new LabError("bad-options", "an API is offered, and effects are not seen there", {
      hint: "--api-port, --api-token and --data go with --effects api",
    });
  }
  if (given === undefined || given === "replies")
    return { source: undefined, service: undefined, judgesReplies: given === "replies" };
  const url = /^(?:GET\s+)?(https?:\/\/\S+)$/i.exec(given.trim())?.[1];
  if (url === undefined) {
    throw new LabError("bad-options", `--effects takes api, replies, or "GET URL", got '${given}'`, {
      hint: 'for example --effects "GET http://127.0.0.1:8080/effects"',
    });
  }
  if (!isAllowed(url)) refuseUrl(url);
  return { source: new EffectsPage(url), service: undefined, judgesReplies: false };
}

function openService({ api = {}, command = [], nowMs, isAllowed }: EffectsOptions): Promise<AuditService> {
  if (command.length === 0 && (api.port === undefined || api.token === undefined)) {
    throw new LabError("bad-options", "--effects api: a receiver that runs already must know the address of the API", {
      hint:
        "start it with -- COMMAND, which has HANDSET_API_URL and HANDSET_API_TOKEN; " +
        "or give --api-port and --api-token, and start it with http://127.0.0.1:PORT and that token",
    });
  }
  return AuditService.open({
    port: api.port ?? 0,
    token: api.token ?? randomBytes(20).toString("hex"),
    accounts: api.accounts ?? [],
    nowMs,
    phones: [RELAYER_PHONE, SECOND_PHONE],
    isAllowed,
  });
}
