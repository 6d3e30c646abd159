import type { Gateway } from "../gateway/index.js";
import type { RegistrationInput } from "../scenario/index.js";
import { type Distribution, sampleWhole, type Streams } from "../sim/index.js";
import type { World } from "../world/index.js";

/**
 * Changes the registration of handsets: on the phone, at the service, or at both.
 *
 * @param options - `step`: the step's index, which names the stream that each handset draws from
 * @returns what could not be done, in sentences
 */
export function changeRegistrations(
  input: RegistrationInput,
  { world, gateway, streams, step }: { world: World; gateway: Gateway; streams: Streams; step: number },
): string[] {
  const problems: string[] = [];
  const planClaim = (channel: number, after: Distribution<number> | undefined): void => {
    const stream = streams.get(`handset/${world.population.nameOfHandset(channel)}/step/${step}`);
    gateway.planClaim(channel, after && sampleWhole(after, stream));
  };
  for (const channel of world.population.channelsOf(input.of)) {
    const problem = change(channel);
    if (problem !== undefined) problems.push(problem);
  }
  return problems;

  function change(channel: number): string | undefined {
    switch (input.verb) {
      case "register":
        planClaim(channel, input.claimedAgain);
        world.applyToHandset(channel, { verb: "register", of: input.of });
        return undefined;
      case "reset":
        planClaim(channel, input.claimedAgain);
        world.applyToHandset(channel, { verb: "reset", of: input.of, downMs: input.downMs, releases: true });
        return undefined;
      case "release": {
        const problem = gateway.release(channel);
        if (problem === undefined) planClaim(channel, input.claimedAgain);
        return problem;
      }
      case "claim":
        return gateway.claim(channel, input.phone, input.org);
      default:
        return input satisfies never;
    }
  }
}
