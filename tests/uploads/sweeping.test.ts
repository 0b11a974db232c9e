import { readdir, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { assert, asyncProperty, array, constantFrom, nat, record } from "fast-check";
import { ulid } from "ulid";
import { expect, test } from "vitest";
import { sweepUploads } from "#api/uploads/sweep-uploads.ts";
import { MIN_PIECE_BYTES } from "#shared/uploads/contract.ts";
import { startApi, type TestApi, type TestUser } from "#tests/kit/api.ts";
import { noise } from "#tests/kit/random.ts";
import { fakeClock } from "#tests/kit/fake-clock.ts";

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** Only a few different pictures, so that uploads often have identical bytes. */
const pictures = [0, 1, 2].map((shade) =>
  Buffer.concat([Buffer.from("GIF89a"), Buffer.alloc(2 * MIN_PIECE_BYTES, shade)]),
);

const begin = async (user: TestUser, bytes: Buffer) => {
  const componentId = ulid();
  const asked = { componentId, family: "image", name: "cell.gif", type: "image/gif", sizeBytes: bytes.length } as const;
  await user.client.uploads.startUpload(asked);
  return componentId;
};

async function append(user: TestUser, id: string, bytes: Buffer): Promise<void> {
  const { offset } = (await user.client.uploads.getUpload({ id })).upload;
  const piece = new Blob([new Uint8Array(bytes.subarray(offset, offset + MIN_PIECE_BYTES))]);
  await user.client.uploads.appendToUpload({ id, offset }, [{ field: "piece", file: piece, name: "piece" }]);
}

async function blobKeys({ deps }: TestApi): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of deps.blobs.list()) keys.push(key);
  return keys;
}

async function age({ dataDir }: TestApi, byMs: number): Promise<void> {
  const folder = join(dataDir, "files");
  for (const name of await readdir(folder, { recursive: true })) {
    const path = join(folder, name);
    const seen = await stat(path).catch(() => undefined);
    const then = seen && new Date(seen.mtimeMs - byMs);
    if (then && seen.isFile()) await utimes(path, then, then);
  }
}

/** File times come from the machine's clock, so the clock of these tests starts at its time. */
const aWorld = () => startApi({ clock: fakeClock(Date.now() + 1000) });

test("the data of an abandoned upload is removed after a week", async () => {
  const api = await aWorld();
  const ada = await api.newUser();
  const picture = pictures[0] ?? Buffer.alloc(0);
  const id = await begin(ada, picture);
  await append(ada, id, picture);
  api.clock.advance(6 * DAY_MS);
  expect(await sweepUploads(api.deps)).toEqual({ uploads: 0, blobs: 0 });
  await append(ada, id, picture);
  api.clock.advance(6 * DAY_MS);
  expect(await sweepUploads(api.deps)).toEqual({ uploads: 0, blobs: 0 });
  api.clock.advance(DAY_MS + 1);
  expect(await sweepUploads(api.deps)).toEqual({ uploads: 1, blobs: 2 });
  expect(await blobKeys(api)).toEqual([]);
  await expect(ada.client.uploads.getUpload({ id })).rejects.toMatchObject({ code: "not_found" });
});

test("the pieces of a cancelled or finished upload are removed an hour later, and the file itself stays", async () => {
  const api = await aWorld();
  const ada = await api.newUser();
  const [referenced, dropped] = [aGif(1), aGif(2)];
  const [one, two] = [await begin(ada, referenced), await begin(ada, dropped)];
  for (let i = 0; i < 3; i += 1) await append(ada, one, referenced);
  await append(ada, two, dropped);
  await ada.client.uploads.cancelUpload({ id: two });
  const { component } = await ada.client.uploads.completeUpload({ id: one });
  expect((await sweepUploads(api.deps)).blobs).toBe(0);
  api.clock.advance(HOUR_MS + 2000);
  expect((await sweepUploads(api.deps)).blobs).toBe(4);
  if (component.type !== "image") throw new Error("not an image");
  const bytes = await (await ada.client.uploads.getFile({ fileId: component.content.file.id })).arrayBuffer();
  expect(Buffer.from(bytes).equals(referenced)).toBe(true);
});

const aGif = (seed: number) => Buffer.concat([Buffer.from("GIF89a"), noise(2 * MIN_PIECE_BYTES, seed)]);

type Step = { does: "begin" | "append" | "complete" | "cancel" | "sweep" | "wait"; at: number };
const steps = array(
  record({
    does: constantFrom<Step["does"][]>(
      "begin",
      "begin",
      "append",
      "append",
      "append",
      "complete",
      "cancel",
      "sweep",
      "wait",
    ),
    at: nat(2),
  }),
  { minLength: 8, maxLength: 20 },
);

/** Runs these steps with sweeps between and during them; fails if a sweep removed bytes that are still needed. */
async function runSteps(api: TestApi, user: TestUser, plannedSteps: readonly Step[]): Promise<void> {
  const open: { id: string; bytes: Buffer }[] = [];
  const made: { fileId: string; bytes: Buffer }[] = [];
  const finish = async (upload: (typeof open)[number]) => {
    const { offset } = (await user.client.uploads.getUpload({ id: upload.id })).upload;
    for (let at = offset; at < upload.bytes.length; at += MIN_PIECE_BYTES) await append(user, upload.id, upload.bytes);
    const { component } = await user.client.uploads.completeUpload({ id: upload.id });
    if (component.type !== "image") throw new Error("not an image");
    made.push({ fileId: component.content.file.id, bytes: upload.bytes });
  };
  const actions = {
    begin: async (at: number) => {
      const bytes = pictures[at] ?? Buffer.alloc(0);
      open.push({ id: await begin(user, bytes), bytes });
    },
    append: async (at: number) => {
      const upload = open[at % open.length];
      const state = upload && (await user.client.uploads.getUpload({ id: upload.id })).upload;
      if (!upload || !state || state.offset >= state.sizeBytes) return;
      // A concurrent sweep must not remove bytes that are just being stored.
      await Promise.all([append(user, upload.id, upload.bytes), sweepUploads(api.deps)]);
    },
    complete: async (at: number) => {
      const [upload] = open.splice(at % open.length, 1);
      if (upload) await Promise.all([finish(upload), sweepUploads(api.deps)]);
    },
    cancel: async (at: number) => {
      const [upload] = open.splice(at % open.length, 1);
      if (upload) await user.client.uploads.cancelUpload({ id: upload.id });
    },
    sweep: () => sweepUploads(api.deps),
    // Makes the files older instead of advancing the clock, because file times come from the real clock.
    wait: async () => {
      await age(api, 2 * HOUR_MS);
      await sweepUploads(api.deps);
    },
  };
  for (const { does, at } of plannedSteps) await actions[does](at);
  for (const upload of open) await finish(upload);
  for (const { fileId, bytes } of made) {
    const stored = Buffer.from(await (await user.client.uploads.getFile({ fileId })).arrayBuffer());
    expect(stored.equals(bytes)).toBe(true);
  }
}

test("a sweep removes exactly what no document and no running upload needs", async () => {
  const api = await startApi({ realClock: true, env: { RATE_LIMIT_FACTOR: "1000" } });
  await assert(
    asyncProperty(steps, async (plannedSteps) => {
      await runSteps(api, await api.newUser(), plannedSteps);
    }),
    { numRuns: 6 },
  );
  await age(api, 2 * HOUR_MS);
  await sweepUploads(api.deps);
  const keys = new Set(await blobKeys(api));
  expect(keys.size).toBeLessThanOrEqual(pictures.length);
}, 120_000);
