import { Option } from "commander";
import { list } from "./values.js";

/**
 * An option that may be given several times: its values are a list.
 *
 * @param without - what the help names as its default
 */
export function repeatable(flags: string, about: string, without = "none"): Option {
  return new Option(flags, about).argParser(list).default([], without);
}

/** `--allow-host` of the commands that send. */
export function allowHost(): Option {
  return repeatable("--allow-host <name>", "a host beside loopback that may be sent to; repeatable");
}

/** `--set` of the commands that play a scenario. */
export function setValue(): Option {
  return repeatable("--set <path=value>", "override a value of the scenario; repeatable");
}

/** `--ignore` of the commands that compare answers. */
export function ignoreOption(): Option {
  return repeatable(
    "--ignore <parts>",
    "of the answers, separated by commas: id, time, /pattern/ in texts; or status, reply, recipient, latency",
  );
}

/** `--expect` of the commands that judge. */
export function expectOption(): Option {
  return repeatable(
    "--expect <bound>",
    'a bound in addition to the scenario\'s, such as "delivery.p99 < 500ms" or never-twice; repeatable',
  );
}

/** `--check` of the commands that judge. @param when - when it is asked */
export function checkOption(when: string): Option {
  return repeatable(
    "--check <check>",
    `a check of your application, asked ${when}, such as 'http: GET /health, status: 200' or 'command: ./check.sh'; repeatable`,
  );
}
