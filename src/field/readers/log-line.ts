/** What a line of an access log says, each as the line has it; absent: it does not say. */
export interface LogLine {
  /** `POST /hook?x=1 HTTP/1.1`. */
  request?: string;
  method?: string;
  path?: string;
  query?: string;
  body?: string;
  status?: string;
  /** `10/Oct/2000:13:55:36 -0700`. */
  clf?: string;
  /** ISO 8601. */
  iso?: string;
  /** Seconds since 1970, with a fraction. */
  seconds?: string;
  /** Milliseconds that the request took. */
  tookMs?: number;
  answer?: string;
  /** The line's time is that of the request's begin, as Apache writes it. */
  isBegin?: boolean;
}

/** Sets one value of a line. */
export type SetValue = (line: LogLine, value: string) => void;

const took =
  (unit: number): SetValue =>
  (line, value) => {
    const number = Number(value.split(/[,:] /).at(-1));
    if (value !== "" && Number.isFinite(number)) line.tookMs = Math.round(number * unit * 1000) / 1000;
  };

const setRequest: SetValue = (line, value) => (line.request = value);
const setMethod: SetValue = (line, value) => (line.method = value);
const setPath: SetValue = (line, value) => (line.path = value);
const setWeakPath: SetValue = (line, value) => (line.path ??= value);
const setQuery: SetValue = (line, value) => (line.query = value.replace(/^\?/, ""));
const setBody: SetValue = (line, value) => (line.body = value);
const setStatus: SetValue = (line, value) => (line.status = value);
const setClf: SetValue = (line, value) => (line.clf = value);
const setIso: SetValue = (line, value) => (line.iso = value);
const setSeconds: SetValue = (line, value) => (line.seconds = value);
const setAnswer: SetValue = (line, value) => (line.answer = value);
const setWeakTook: SetValue = (line, value) => {
  if (line.tookMs === undefined) took(1000)(line, value);
};

/** Variables of nginx (ngx_http_core_module, ngx_http_log_module), and names that JSON logs give them. */
export const logVariables: Readonly<Record<string, SetValue>> = {
  request: setRequest,
  request_method: setMethod,
  method: setMethod,
  verb: setMethod,
  request_uri: setPath,
  uri: setWeakPath,
  document_uri: setWeakPath,
  url: setPath,
  path: setPath,
  args: setQuery,
  query_string: setQuery,
  query: setQuery,
  request_body: setBody,
  req_body: setBody,
  body: setBody,
  post_data: setBody,
  status: setStatus,
  status_code: setStatus,
  response_status: setStatus,
  time_local: setClf,
  time_iso8601: setIso,
  "@timestamp": setIso,
  timestamp: setIso,
  time: setIso,
  ts: setIso,
  msec: setSeconds,
  request_time: took(1000),
  rt: took(1000),
  duration: took(1000),
  request_time_ms: took(1),
  duration_ms: took(1),
  upstream_response_time: setWeakTook,
  urt: setWeakTook,
  resp_body: setAnswer,
  response_body: setAnswer,
  answer: setAnswer,
};

/** A directive of Apache's LogFormat (mod_log_config); undefined: its value is not needed. */
export function apacheDirective(argument: string | undefined, letter: string): SetValue | undefined {
  switch (letter) {
    case "r":
      return setRequest;
    case "m":
      return setMethod;
    case "U":
      return setWeakPath;
    case "q":
      return setQuery;
    case "s":
      return setStatus;
    case "D":
      return took(0.001);
    case "T":
      return took(argument === "us" ? 0.001 : argument === "ms" ? 1 : 1000);
    case "t":
      return apacheTime(argument);
    case "n":
    case "i":
    case "e":
    case "o":
      return argument !== undefined && /body|dump/i.test(argument) ? (letter === "o" ? setAnswer : setBody) : undefined;
    default:
      return undefined;
  }
}

/** `%t` is when the request came; `%{end:…}t` when it was answered. */
function apacheTime(argument = ""): SetValue {
  const isBegin = !argument.startsWith("end:");
  const form = argument.replace(/^(?:begin|end):/, "");
  const unit = { sec: 1, msec: 1e3, usec: 1e6 }[form];
  return (line, value) => {
    line.isBegin = isBegin;
    if (unit !== undefined) line.seconds = String(Number(value) / unit);
    else if (value.includes("/")) line.clf = value;
    else line.iso = value;
  };
}
