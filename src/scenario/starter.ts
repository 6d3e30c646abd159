/** The path of the JSON Schema from a scenario next to `node_modules`. */
const INSTALLED_SCHEMA = "node_modules/handset-lab/dist/scenario/scenario.schema.json";

/**
 * The commented scenario that `handset new` writes: it is sound and shows the main features.
 *
 * @param schema - where editors find the JSON Schema: a path from the scenario's folder, or a URL
 */
export function newScenarioText(schema: string = INSTALLED_SCHEMA): string {
  return `# yaml-language-server: $schema=${schema}\n${starter}`;
}

const starter = `#
# A health post loses power in the afternoon. Three of its phones live on their batteries and have no data link; texts
# pile up on them. When power comes back, the phones report everything at once. Does the receiver get it all?
#
#   handset check my-scenario.yaml      is it sound?
#   handset run my-scenario.yaml        play it
#   handset run my-scenario.yaml --set handsets.post.count=200     the same, with more phones

name: Power cut at the health post
seed: 7                               # the same seed gives the same run, another seed another one
starts: 2026-03-04T12:00:00.000Z      # or: now
lasts: 3h                             # virtual time; it passes as fast as the receiver answers

# Your application. Without this, events go to the bundled receiver.
# receiver: http://127.0.0.1:8080/events?key=secret

# The mobile network. Every number here may be left out.
carriers:
  mtn: { delay: 1s..6s, loses: 0.5%, reports-delivery: 90% }

# The relayer phones. {0000} counts them: +25078800000, +25078800001, ...
handsets:
  post:
    count: 10
    phone: "+2507880{0000}"
    battery: 55%..100%                # uniform; also { normal: [80%, 10%] }, { pick: [20%, 90%] } ...

# The people who text and call them. The first tenth of them belongs to post/0, the next to post/1, and so on.
people:
  farmers:
    count: 200
    phone: "+2507811{0000}"
    replies: { chance: 60%, after: 20s..10m, with: [yes, no, "12"] }

# Continuous traffic. A rate is that of the whole entry.
traffic:
  - texts: { from: farmers, to: post, body: [join, help, { fake: lorem.sentence }] }
    rate: 6/m
  - calls: { from: farmers, to: post, rings: 5s..30s }
    rate: 10/h

# What happens when. Members count from 0: post/0..2 are the first three.
story:
  - at: 1h
    power: { of: post/0..2, mains: off, for: 40m }
  - at: 1h
    network: { of: post/0..2, type: none, for: 40m }
  - at: 1h5m
    text: { from: farmers/3, to: post, body: "is anybody there?" }
  - at: 2h
    send: { via: post/0, to: farmers/3, body: "we are back" }
  - after: 0s
    expect: { person: farmers/3, hears: /back/, within: 5m }

# What must hold at the end.
expect:
  - failures == 0
  - alarms >= 1
  - events.mo_sms > 100
`;
