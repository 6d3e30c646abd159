import { readContact } from "../contact/contact-json.js";
import type { SessionContact } from "../contact-state.js";
import { answerCalls, resumeSession, SessionError, startSession } from "../engine/sessions.js";
import type { SprintEvent } from "../events.js";
import type { Host, OrgEnvironment } from "../host.js";
import { isRecord } from "../read/json-object.js";
import type { Sprint } from "../session.js";
import { HttpMocks } from "./http-mocks.js";
import { type Membership, readAssets } from "./play-assets.js";
import { readEnvironment, readResume, readTrigger } from "./play-input.js";
import { eventJson, type PlayedSprint, playedSprint } from "./play-output.js";

/** What varies between two plays of the same input. */
export interface PlaySources {
  now(): number;
  random(): number;
  uuid(): string;
  /** Membership in groups with a query, under the settings and fields of the input. */
  membership(environment: OrgEnvironment, assets: unknown): Membership;
}

/**
 * Plays a session of plain JSON: a trigger, then resumes. HTTP is answered by the mocks of the input.
 *
 * @param json - `assets, environment, contact, trigger, resumes, http_mocks`
 * @returns a sprint for the trigger and one for each resume
 * @throws Error when the input cannot be played
 */
export function playSession(json: unknown, sources: PlaySources): { readonly sprints: readonly PlayedSprint[] } {
  if (!isRecord(json)) throw new Error("a line must be an object");
  const environment = readEnvironment(json["environment"]);
  const assets = readAssets(json["assets"], sources.membership(environment, json["assets"]));
  const trigger = readTrigger(json["trigger"], sources.now());
  const fault = assets.faultOf(trigger.flow.uuid);
  if (fault !== undefined) throw new Error(fault);
  const player = new Player({ ...sources, environment, assets }, new HttpMocks(json["http_mocks"]));
  const sprints = [player.answer(startSession(player.host, readContact(json["contact"]), trigger))];
  const resumes: unknown = json["resumes"];
  for (const resume of Array.isArray(resumes) ? resumes : []) sprints.push(player.resume(resume, sources.now()));
  return { sprints };
}

class Player {
  host: Host;
  readonly #mocks: HttpMocks;
  #last: Sprint | undefined;

  constructor(host: Host, mocks: HttpMocks) {
    this.host = host;
    this.#mocks = mocks;
  }

  /** Answers the calls of a sprint until it needs none. */
  answer(first: Sprint): PlayedSprint {
    const events: SprintEvent[] = [...first.events];
    let sprint = first;
    while (sprint.calls !== undefined) {
      const { session, contact, calls } = sprint;
      sprint = answerCalls(this.host, session, contact, this.#mocks.answer(calls));
      events.push(...sprint.events);
    }
    this.#last = sprint;
    return playedSprint(sprint.session, events.map(eventJson));
  }

  /** @param json - a resume; it may carry a contact or an environment that replaces the session's */
  resume(json: unknown, nowMs: number): PlayedSprint {
    const last = this.#last;
    if (last === undefined) throw new Error("nothing was started");
    const { session } = last;
    const resume = readResume(json, nowMs);
    const record = isRecord(json) ? json : {};
    if (isRecord(record["environment"])) {
      this.host = { ...this.host, environment: readEnvironment(record["environment"]) };
    }
    const contact: SessionContact = isRecord(record["contact"]) ? readContact(record["contact"]) : last.contact;
    try {
      return this.answer(resumeSession(this.host, session, contact, resume));
    } catch (error) {
      if (!(error instanceof SessionError)) throw error;
      return playedSprint(session, [{ type: "error", text: error.message }]);
    }
  }
}
