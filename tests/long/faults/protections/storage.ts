import type { Protection } from "./protection.ts";

const DAMAGE = "tests/store/faults/damaged-data.test.ts";

/** Protections of the database, its backups and files. */
export const storage: readonly Protection[] = [
  {
    id: "R-F2",
    what: "a backup checks what it copied",
    edits: [
      { file: "api/store/create-backup.ts", from: "const damage = findDamage(copy);", to: "const damage = undefined;" },
    ],
    tests: DAMAGE,
    title: "backing up a damaged",
  },
  {
    id: "R-F3",
    what: "a refused restore leaves no folder behind",
    edits: [
      {
        file: "api/store/restore-backup.ts",
        from: "    if (isNew && !isRestored) await rm(folder, { recursive: true, force: true });\n",
        to: "",
      },
    ],
    tests: DAMAGE,
    title: "one flipped byte",
  },
  {
    id: "R-F7",
    what: "SQLite never waits for a lock in the event loop",
    edits: [{ file: "api/store/sqlite/sqlite-store.ts", from: '  db.exec("PRAGMA busy_timeout = 0");\n', to: "" }],
    tests: "tests/store/faults/store-busy.test.ts",
  },
  {
    id: "R-F7b",
    what: "a write that does not get the lock fails in time",
    edits: [
      { file: "api/store/store-failures.ts", from: "STORE_TIMEOUT_MS = 1_500;", to: "STORE_TIMEOUT_MS = 30_000;" },
    ],
    tests: "tests/store/faults/store-busy.test.ts",
    title: "return 503 within two seconds",
  },
  {
    id: "R-F7c",
    what: "a MongoDB that stopped is noticed by pings",
    edits: [
      {
        file: "api/store/mongo-watchdog.ts",
        from: '        reject(toStoreUnavailable(new Error("MongoDB does not answer")));\n',
        to: "",
      },
    ],
    tests: "tests/store/faults/mongo-stopped.test.ts",
  },
  {
    id: "R-F8",
    what: "a table is made in the transaction of its first document",
    edits: [
      {
        file: "api/store/sqlite/sqlite-store.ts",
        from: "    const result = await this.#writes.write(() => {\n      this.#table.create();\n      return work();\n    });",
        to: "    this.#table.create();\n    const result = await this.#writes.write(work);",
      },
    ],
    tests: "tests/store/store-full.test.ts",
  },
  {
    id: "R-F9",
    what: "a database is checked at the start",
    edits: [
      {
        file: "api/store/data-folder.ts",
        from: "const check = await checkAtStart(path);",
        to: "const check: IntegrityCheck = { damage: undefined, outcome: Promise.resolve(undefined) };\n  void checkAtStart;",
      },
    ],
    tests: DAMAGE,
    title: "served read-only",
  },
  {
    id: "R-F14",
    what: "a file that is gone is 404",
    edits: [{ file: "api/blobs/port.ts", from: 'new Failure("not_found", "file_lost")', to: "new Error()" }],
    tests: "tests/store/faults/lost-file.test.ts",
  },
  {
    id: "R-F15",
    what: "an older program refuses newer data",
    edits: [{ file: "api/store/data-folder.ts", from: "stored !== undefined && stored > newest", to: "false" }],
    tests: "tests/store/store-open.test.ts",
    title: "newer data folder",
  },
  {
    id: "R20",
    what: "a restored database must match its checksum",
    edits: [
      {
        file: "api/store/restore-backup.ts",
        from: "if (manifest.databaseSha256 !== undefined && ",
        to: "if (manifest.databaseSha256 === null && ",
      },
    ],
    tests: "tests/store/store-backup.test.ts",
    title: "damaged and foreign",
  },
  {
    id: "R18",
    what: "a use is counted in one step with its limit",
    edits: [
      {
        file: "api/user/store.ts",
        from: "Number.isFinite(limit) ? { [counter]: { lte: limit - by } } : {}",
        to: "limit > 0 ? {} : { [counter]: { lte: limit - by } }",
      },
    ],
    tests: "tests/user/api.test.ts",
    title: "a hundred concurrent uses",
  },
  {
    id: "R18b",
    what: "uses that exceed a limit together are retried one at a time",
    edits: [
      {
        file: "api/store/insert-within-limit.ts",
        from: "      if ((await limited.count()) < limited.max && (await tryInsert(limited))) return true;\n",
        to: "      if (limited.max < 0) return true;\n",
      },
    ],
    tests: "tests/website/limits.test.ts",
    title: "exactly one succeeds",
  },
  {
    id: "R18c",
    what: "an insertion is counted after it was made",
    edits: [
      {
        file: "api/store/insert-within-limit.ts",
        from: "  if ((await count()) <= max) return true;\n",
        to: "  if ((await count()) <= max * 2) return true;\n",
      },
    ],
    tests: "tests/website/limits.test.ts",
    title: "exactly one succeeds",
  },
  {
    id: "R18d",
    what: "the lock of a crashed process is taken over when it has expired",
    edits: [
      {
        file: "api/store/insert-within-limit.ts",
        from: "return expiresAt < this.#now() || ",
        to: "return ",
      },
    ],
    tests: "tests/store/faults/insert-within-limit.test.ts",
    title: "after a crash with the lock",
  },
  {
    id: "R18e",
    what: "a lock from before the clock was set back is taken over",
    edits: [
      {
        file: "api/store/insert-within-limit.ts",
        from: " || expiresAt > this.#now() + 2 * LOCK_MS;",
        to: ";",
      },
    ],
    tests: "tests/store/faults/insert-within-limit.test.ts",
    title: "set back by a day",
  },
  {
    id: "R18f",
    what: "a call that waits too long for a lock fails with a time to try again",
    edits: [
      {
        file: "api/store/insert-within-limit.ts",
        from: "if (this.#now() > this.#waitUntil)\n",
        to: "if (this.#now() > this.#waitUntil * 2)\n",
      },
    ],
    tests: "tests/store/faults/insert-within-limit.test.ts",
    title: "a time to try again",
  },
  {
    id: "R18g",
    what: "two calls that both removed their document try again",
    edits: [
      {
        file: "api/store/insert-within-limit.ts",
        from: "    if (wasAlone) return false;\n",
        to: "    return false;\n",
      },
    ],
    tests: "tests/store/faults/insert-within-limit.test.ts",
    title: "both removed their document",
  },
  {
    id: "R14",
    what: "a file that does not fit is removed",
    edits: [
      {
        file: "api/blobs/folder-blobs.ts",
        from: "      await rm(temporary, { force: true });\n      throw cause;",
        to: "      throw cause;",
      },
    ],
    tests: "tests/store/store-full.test.ts",
    title: "leaves nothing behind",
  },
  {
    id: "R14b",
    what: "an upload that nobody finishes is removed after a week",
    edits: [
      {
        file: "api/uploads/sweep-uploads.ts",
        from: "await removeStaleUploads(store, now - UPLOAD_RETENTION_MS)",
        to: "await removeStaleUploads(store, now - 10 * UPLOAD_RETENTION_MS)",
      },
    ],
    tests: "tests/uploads/sweeping.test.ts",
    title: "removed after a week",
  },
  {
    id: "R15",
    what: "a capture that is sent again is stored once",
    edits: [
      {
        file: "api/capture/store.ts",
        from: "insert({ ...record, savedAt })",
        to: "insert({ ...record, _id: `${record._id}-${Math.random()}`, savedAt })",
      },
    ],
    tests: "tests/capture/api.test.ts",
    title: "even if sent repeatedly",
  },
  {
    id: "R-F7d",
    what: "an answer that came while the event loop was blocked counts",
    edits: [
      {
        file: "api/store/mongo-watchdog.ts",
        from: "isInTime || (await isAnsweredByNow(answer))",
        to: "isInTime",
      },
    ],
    tests: "tests/store/faults/mongo-watchdog.test.ts",
    title: "event loop is blocked",
  },
];
