import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Connection } from "../../src/store/sqlite/connection.js";
import { joinRecordings, Recording } from "../../src/store/index.js";
import { temporaryFolder } from "../support/folder.js";
import { meta } from "./samples.js";

/** A recording with rows written as SQL. */
function recordingWith(path: string, sql: string): string {
  Recording.create(path, meta).close();
  const database = new Connection(path);
  database.exec(sql);
  database.close();
  return path;
}

function rowsOf(path: string, select: string): unknown[] {
  const database = new Connection(path, { readonly: true });
  const rows = database.prepare(select, "tuple").all();
  database.close();
  return rows;
}

describe("joinRecordings", () => {
  it("joins a hundred parts, which are more groups than SQLite attaches at once", () => {
    const folder = temporaryFolder();
    const one = recordingWith(join(folder, "1.db"), "INSERT INTO round_trip VALUES (NULL, 1, 1, 'reply', 900, 12.5)");
    const parts = Array.from({ length: 100 }, (_, index) => ({ path: one, wallOffsetMs: index }));
    const path = join(folder, "all.db");
    joinRecordings(parts, path, { meta, overwrite: false });
    expect(readdirSync(folder).toSorted()).toEqual(["1.db", "all.db"]);
    expect(rowsOf(path, "SELECT count(*) FROM round_trip")).toEqual([[100]]);
  });

  it("joins the tables of load runs", () => {
    const folder = temporaryFolder();
    const one = recordingWith(
      join(folder, "1.db"),
      `INSERT INTO sample VALUES (NULL, 1000, 5, 'clinic', 3, 6, 1, 0, 3, 50, 40), (NULL, 2000, 6, 'clinic', 3, 0, 0, 0, 3, 49, 39);
       INSERT INTO round_trip VALUES (NULL, 1, 1, 'reply', 900, 12.5);
       INSERT INTO intent VALUES (NULL, 1, 1, 2);
       INSERT INTO host_second VALUES (NULL, 1000, 0.5, 9), (NULL, 2000, 1, 9);
       INSERT INTO attempt (channel, number, try, due_at_ms, effect_at_ms, sent_wall_ms, duration_ms, latency_ms, outcome, body_bytes, is_repeat, lateness_ms)
         VALUES (1, 1, 1, 800, 800, 10, 1, 2, 'accepted', 0, 0, 1), (1, 1, 2, 900, 900, NULL, 1, 2, 'connection', 0, 0, 0.5);`,
    );
    const two = recordingWith(
      join(folder, "2.db"),
      `INSERT INTO sample VALUES (NULL, 1000, 4, 'clinic', 1, 1, 1, 1, 0, 10, 10), (NULL, 1000, 4, 'school', 2, 0, 0, 0, 0, 80, 70);
       INSERT INTO round_trip VALUES (NULL, 4, 1, 'api', 800, NULL);
       INSERT INTO intent VALUES (NULL, 4, 1, 2);
       INSERT INTO host_second VALUES (NULL, 1000, 1, NULL);
       INSERT INTO attempt (channel, number, try, due_at_ms, effect_at_ms, sent_wall_ms, duration_ms, latency_ms, outcome, body_bytes, is_repeat)
         VALUES (4, 1, 1, 850, 850, 10, 1, 2, 'accepted', 0, 0);`,
    );
    const path = join(folder, "all.db");
    const parts = [
      { path: one, wallOffsetMs: 0 },
      { path: two, wallOffsetMs: 100 },
    ];
    joinRecordings(parts, path, { meta: meta, overwrite: false });
    // A group spans all parts: counts are added, the mean is weighted by phones, the minimum is the smallest.
    expect(rowsOf(path, "SELECT * FROM sample")).toEqual([
      [1, 1000, 5, "clinic", 4, 7, 2, 1, 3, 40, 10],
      [2, 1000, 104, "school", 2, 0, 0, 0, 0, 80, 70],
      [3, 2000, 6, "clinic", 3, 0, 0, 0, 3, 49, 39],
    ]);
    expect(rowsOf(path, "SELECT * FROM round_trip")).toEqual([
      [1, 4, 1, "api", 800, null],
      [2, 1, 1, "reply", 900, 12.5],
    ]);
    expect(rowsOf(path, "SELECT channel, number, try FROM intent")).toEqual([
      [1, 1, 2],
      [4, 1, 2],
    ]);
    expect(rowsOf(path, "SELECT * FROM host_second")).toEqual([
      [1, 1000, 0.5, 9],
      [2, 1100, 1, null],
      [3, 2000, 1, 9],
    ]);
    expect(rowsOf(path, "SELECT row, channel, sent_wall_ms, lateness_ms FROM attempt")).toEqual([
      [1, 1, 10, 1],
      [2, 4, 110, null],
      [3, 1, null, 0.5],
    ]);
  });

  it("leaves no file when a part cannot be read", () => {
    const folder = temporaryFolder();
    const one = recordingWith(join(folder, "1.db"), "");
    const other = recordingWith(join(folder, "2.db"), "DROP TABLE note");
    const path = join(folder, "all.db");
    const parts = [one, other].map((part) => ({ path: part, wallOffsetMs: 0 }));
    expect(() => joinRecordings(parts, path, { meta: meta, overwrite: false })).toThrow(/2\.db: it lacks tables/);
    expect(rowsOf(one, "SELECT count(*) FROM note")).toEqual([[0]]);
    expect(() => Recording.create(path, meta).close()).not.toThrow();
  });
});
