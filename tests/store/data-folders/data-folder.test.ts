import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { getNewestVersion, migrations } from "#api/store/migrations.ts";
import { restoreBackup } from "#api/store/restore-backup.ts";
import { startApi } from "#tests/kit/api.ts";
import { PASSWORD } from "#tests/kit/account.ts";
import { fakeClock } from "#tests/kit/fake-clock.ts";
import { readEverything } from "./read-everything.ts";
import { ownFolder } from "../own-folder.ts";

const folder = import.meta.dirname;
const recorded = readdirSync(folder).flatMap((name) => /^version-(\d+)\.backup$/.exec(name)?.[1] ?? []);

interface Recording {
  madeAt: number;
  email: string;
  token: string;
  everything: Awaited<ReturnType<typeof readEverything>>;
}

/** Fields that are computed from a page's decks on every read, so stored values do not matter. */
const DERIVED = new Set(["isFlashcardPage", "flashcardTitle", "flashcardLastOpenedAt"]);
const withoutDerived = (key: string, value: unknown) => (DERIVED.has(key) ? undefined : value);

test("every earlier data version has a recorded data folder", () => {
  const versions = recorded.map(Number).toSorted((a, b) => a - b);
  expect(versions.length).toBeGreaterThan(0);
  for (let version = 1; version < getNewestVersion(migrations); version += 1) expect(versions).toContain(version);
});

test.each(recorded)("a data folder of version %s opens with all its data", async (version) => {
  const dataDir = join(ownFolder(), "data");
  await restoreBackup(dataDir, join(folder, `version-${version}.backup`), { replace: false });
  const recording = JSON.parse(
    readFileSync(join(folder, `version-${version}.json`), "utf8"),
    withoutDerived,
  ) as Recording;
  const { madeAt, email, token, everything } = recording;
  const api = await startApi({ dataDir, clock: fakeClock(madeAt) });
  expect(await readEverything(api.clientFor(token))).toMatchObject(everything);

  const { token: fresh } = await api.clientFor().auth.login({ email, password: PASSWORD });
  const { sources, pages } = await readEverything(api.clientFor(fresh));
  expect({ sources, pages }).toMatchObject({ sources: everything.sources, pages: everything.pages });
  expect((await api.clientFor(fresh).library.search({ q: "codon" })).found.length).toBeGreaterThan(0);
  await api.stop();
});
