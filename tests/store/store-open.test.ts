import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { StorageUnusableError } from "#api/store/storage-unusable.ts";
import type { Migration } from "#api/store/migrations.ts";
import { openStorage } from "#api/open-storage.ts";
import type { CollectionSpec } from "#api/store/port.ts";

interface Note {
  _id: string;
  title?: string;
  name?: string;
}
const spec: CollectionSpec<Note> = { name: "notes", shardKey: "_id", indexes: [{ fields: ["title"] }] };

/** Renames the field `title` to `name`. */
const rename: Migration = {
  version: 2,
  async up(store) {
    const notes = store.collection(spec);
    for (const { _id, title } of await notes.find({ title: { not: null } }))
      await notes.patch({ _id }, { set: { name: title ?? "" }, unset: ["title"] });
  },
};

let parent: string;
let DATA_DIR: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "storage-"));
  DATA_DIR = join(parent, "data");
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

async function withNote(): Promise<void> {
  const { store } = await openStorage({ DATA_DIR }, []);
  await store.collection(spec).insert({ _id: "n1", title: "Genes" });
  await store.close();
}

const fingerprint = () =>
  readdirSync(DATA_DIR, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => [
      name,
      createHash("sha256")
        .update(readFileSync(join(DATA_DIR, name)))
        .digest("hex"),
    ]);

async function refusal(settings: Parameters<typeof openStorage>[0], steps: readonly Migration[] = []): Promise<string> {
  const failure = await openStorage(settings, steps).catch((cause: unknown) => cause);
  expect(failure).toBeInstanceOf(StorageUnusableError);
  const { message } = failure as StorageUnusableError;
  expect(message).not.toContain("\n");
  return message;
}

test("a data folder is created where there is none, and reopened later", async () => {
  await withNote();
  const { store, blobs } = await openStorage({ DATA_DIR }, []);
  expect(await store.collection(spec).get("n1")).toEqual({ _id: "n1", title: "Genes" });
  await blobs.checkHealth();
  await store.close();
});

test("an older data folder is migrated, with a copy of the old database beside it", async () => {
  await withNote();
  const { store } = await openStorage({ DATA_DIR }, [rename]);
  expect(await store.collection(spec).get("n1")).toEqual({ _id: "n1", name: "Genes" });
  await store.close();

  const old = new DatabaseSync(join(DATA_DIR, "lamplight-version-1.db"));
  expect(old.prepare("SELECT doc FROM notes").get()).toMatchObject({ doc: expect.stringContaining("title") });
  old.close();
  const again = await openStorage({ DATA_DIR }, [rename]);
  expect(await again.store.collection(spec).count({})).toBe(1);
  await again.store.close();
});

test("data still in the write-ahead log is migrated too", async () => {
  const script = `
    import { openStorage } from "./api/open-storage.ts";
    const { store } = await openStorage({ DATA_DIR: ${JSON.stringify(DATA_DIR)} }, []);
    await store.collection({ name: "notes", shardKey: "_id", indexes: [] }).insert({ _id: "n1", title: "Genes" });
    process.kill(process.pid, "SIGKILL");`;
  expect(() => execFileSync(process.execPath, ["--input-type=module", "-e", script], { stdio: "ignore" })).toThrow();
  const { store } = await openStorage({ DATA_DIR }, [rename]);
  expect(await store.collection(spec).get("n1")).toEqual({ _id: "n1", name: "Genes" });
  await store.close();
});

test("a failing migration leaves the data folder unchanged", async () => {
  await withNote();
  const before = fingerprint();
  const broken: Migration = {
    version: 2,
    async up(store) {
      await rename.up(store);
      throw new Error("out of luck");
    },
  };
  expect(await refusal({ DATA_DIR }, [broken])).toContain("out of luck");
  expect(fingerprint()).toEqual(before);
  const { store } = await openStorage({ DATA_DIR }, []);
  expect(await store.collection(spec).get("n1")).toMatchObject({ title: "Genes" });
  await store.close();
});

test("a newer data folder is refused with one line and not changed", async () => {
  await withNote();
  await (await openStorage({ DATA_DIR }, [rename])).store.close();
  const before = fingerprint();
  expect(await refusal({ DATA_DIR })).toContain("newer Lamplight");
  expect(fingerprint()).toEqual(before);
});

test("two processes may use one data folder, except during a migration", async () => {
  const first = await openStorage({ DATA_DIR }, []);
  const second = await openStorage({ DATA_DIR }, []);
  await first.store.collection(spec).insert({ _id: "n1", title: "Genes" });
  expect(await second.store.collection(spec).get("n1")).toMatchObject({ title: "Genes" });
  await second.store.close();
  expect(await refusal({ DATA_DIR }, [rename])).toContain("is in use");
  await first.store.close();
});

test("an unusable data folder is refused with one line", async () => {
  mkdirSync(DATA_DIR);
  writeFileSync(join(DATA_DIR, "file"), "");
  expect(await refusal({ DATA_DIR: join(DATA_DIR, "file") })).toContain("DATA_DIR=");
  expect(await refusal({ DATA_DIR: join(DATA_DIR, "file", "inner") })).toContain("DATA_DIR=");
  // A file system to which nobody can write, not even root.
  if (existsSync("/proc/self"))
    expect(await refusal({ DATA_DIR: "/proc/lamplight" })).toContain("cannot be written to");
});

test("a damaged database is refused with one line and not changed", async () => {
  mkdirSync(DATA_DIR);
  writeFileSync(join(DATA_DIR, "lamplight.db"), Buffer.alloc(8192, "not a database "));
  const versionOfGarbage = [{ version: 0xff_ff_ff_ff, up: async () => {} }];
  expect(await refusal({ DATA_DIR }, versionOfGarbage)).toContain("damaged");
  expect(readFileSync(join(DATA_DIR, "lamplight.db")).toString()).toContain("not a database");
});

test("an unreachable database is refused with one line that contains no password", async () => {
  const line = await refusal({
    DATA_DIR,
    MONGODB_URI: "mongodb://ada:s3cret@127.0.0.1:1/?serverSelectionTimeoutMS=200",
  });
  expect(line).toContain("MONGODB_URI");
  expect(line).not.toContain("s3cret");
});
