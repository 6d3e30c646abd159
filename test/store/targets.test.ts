import { join } from "node:path";
import { expect, it } from "vitest";
import { joinRecordings, openRecording, Recording } from "../../src/store/index.js";
import { handset } from "../cli/terminal.js";
import { temporaryFolder } from "../support/folder.js";
import { attemptRow, channelRow, eventRow, meta } from "./samples.js";

/** Writes a recording whose channel changes its delivery URL twice. */
function writeMovedChannel(path: string, before: string, after: string): void {
  const recording = Recording.create(path, meta);
  recording.channel(channelRow({ id: 1, url: before }));
  [before, after, before].forEach((url, index) => {
    const number = index + 1;
    recording.event(eventRow({ row: number, number, atMs: number }));
    recording.attempt(attemptRow({ number, url, effectAtMs: number }));
  });
  recording.channel(channelRow({ id: 1, url: after }));
  recording.finish({ digest: "", resultJson: "{}", endedWallMs: 1 });
  recording.close();
}

async function harUrls(path: string): Promise<string[]> {
  const { stdout } = await handset(["report", path, "--format", "har"]);
  const har = JSON.parse(stdout) as { log: { entries: { request: { url: string } }[] } };
  return har.log.entries.map(({ request }) => request.url);
}

it("an attempt keeps the URL that it was sent to, without the password, after its channel has changed it", async () => {
  const path = join(temporaryFolder(), "run.db");
  writeMovedChannel(path, "http://me:pass@one.example/hook?key=1", "http://two.example/hook");
  const [one, two] = ["http://one.example/hook?key=1", "http://two.example/hook"];
  expect(await harUrls(path)).toEqual([one, two, one]);
  const { stdout } = await handset(["events", path]);
  const events = stdout.trim().split("\n");
  expect(events.map((line) => (JSON.parse(line) as { attempts: unknown[] }).attempts)).toMatchObject([
    [{ status: 200, url: "http://one.example/hook?…" }],
    [{ status: 200, url: two }],
    [{ status: 200, url: "http://one.example/hook?…" }],
  ]);
  // A URL is stored once, and a reopened recording finds it.
  const recording = Recording.reopen(path);
  recording.event(eventRow({ row: 4, number: 4, atMs: 4 }));
  recording.attempt(attemptRow({ number: 4, url: one }));
  expect([...recording.reader().attempts()].map(({ url }) => url)).toEqual([one, two, one, one]);
  recording.close();
});

it("joined recordings keep the URLs of each part", () => {
  const folder = temporaryFolder();
  const parts = ["a", "b"].map((name) => join(folder, `${name}.db`));
  parts.forEach((path, index) => writeMovedChannel(path, `http://part${index}.example/`, "http://both.example/"));
  const path = join(folder, "all.db");
  joinRecordings(
    parts.map((part) => ({ path: part, wallOffsetMs: 0 })),
    path,
    { meta, overwrite: false },
  );
  const reader = openRecording(path);
  expect([...reader.attempts()].map(({ url }) => url)).toEqual([
    "http://part0.example/",
    "http://part1.example/",
    "http://both.example/",
    "http://both.example/",
    "http://part0.example/",
    "http://part1.example/",
  ]);
  reader.close();
});
