import { openRecording, renderSummary, runScenario, scenario, startReceiver } from "handset-lab";

const receiver = await startReceiver({ answers: { answers: "reply" }, reply: "Thank you, we have got: {text}" });

const morning = scenario({
  name: "A morning at the clinic",
  seed: 7,
  starts: "2026-03-04T06:00:00.000Z",
  lasts: "3h",
  receiver: receiver.url,
  handsets: { clinic: { count: 3, phone: "+2507880{00000}", battery: "60%..90%" } },
  people: { farmers: { count: 50, of: "clinic", phone: "+2507811{00000}" } },
  traffic: [{ texts: { from: "farmers", to: "clinic", body: { pick: ["join", "HELP"] } }, rate: "30/h" }],
  story: [
    { at: "1h", network: { of: "clinic/0", type: "none", for: "20m" } },
    { at: "1h5m", text: { from: "farmers/0", to: "clinic/0", body: "are you there?" } },
    { at: "1h20m", expect: { person: "farmers/0", hears: "we have got: are you there?", within: "15m" } },
  ],
  expect: ["unanswered == 0", "failures == 0", "doubles == 0"],
});

const { result, exitCode } = await runScenario(morning, { recording: "morning.db", overwrite: true });
console.log(renderSummary(result, { colour: false, width: 80 }));

const recording = openRecording("morning.db");
for (const event of recording.events()) {
  if (event.attempts.length > 1) console.log(`${event.type} took ${event.attempts.length} attempts`);
}
recording.close();
await receiver.close();
process.exitCode = exitCode;
