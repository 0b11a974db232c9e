import { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import type { ZipFile } from "yazl";
import type { user } from "#shared/user/contract.ts";
import { presentUser } from "#api/http/authenticate.ts";
import type { Handlers, UserCtx } from "#api/http/handler.ts";
import type { Own } from "#api/store/owned-store.ts";
import { addBlob, sanitizeFileName, createZipAnswer, UniqueNames } from "#api/http/zip-response.ts";
import {
  ARCHIVE_VERSION,
  EXPORTED_COLLECTIONS,
  type ExportedCollection,
  iterateDocs,
  canonicalJson,
  LinesDigest,
} from "./exported-collections.ts";
import { toArchivedDoc } from "./archived-doc.ts";
import { findUser } from "./store.ts";

/** Every page as Markdown; passed in because pages use this feature. */
type ReadPageTexts = (own: Own) => Promise<{ title: string; text: string }[]>;

export const createExportHandlers = (readPageTexts: ReadPageTexts): Pick<Handlers<typeof user>, "exportAccount"> => ({
  async exportAccount(ctx) {
    const day = new Date(ctx.clock.now()).toISOString().slice(0, 10);
    return createZipAnswer(ctx.blobs, `lamplight-${day}.zip`, (zip) => writeExport(ctx, zip, readPageTexts));
  },
});

/** Writes documents as JSON lines, notes as Markdown, files unchanged, and the manifest last. */
async function writeExport(ctx: UserCtx, zip: ZipFile, readPageTexts: ReadPageTexts): Promise<void> {
  const digests: Record<string, { count: number; digest: string }> = {};
  for (const name of EXPORTED_COLLECTIONS) {
    const lines = Readable.from(readLines(ctx, name, digests), { objectMode: false });
    zip.addReadStream(lines, `documents/${name}.jsonl`);
    // One collection at a time, so that the others are not in memory.
    await finished(lines);
  }
  addNotes(zip, await readPageTexts(ctx.own));
  const files = await addFiles(ctx, zip);
  const manifest = {
    kind: "lamplight export",
    version: ARCHIVE_VERSION,
    at: ctx.clock.now(),
    documents: digests,
    files,
  };
  const account = await findUser(ctx.own);
  zip.addBuffer(
    Buffer.from(
      JSON.stringify({ ...manifest, account: account ? presentUser(ctx.settings, account) : null }, undefined, 2),
    ),
    "lamplight.json",
  );
}

const CHUNK_CHARS = 64 * 1024;

/** The documents of a collection as lines, in chunks; adds their digest to `digests` at the end. */
async function* readLines(
  { own }: UserCtx,
  name: ExportedCollection,
  digests: Record<string, { count: number; digest: string }>,
): AsyncGenerator<Buffer> {
  const digest = new LinesDigest();
  let text = "";
  for await (const doc of iterateDocs(own, name)) {
    const line = canonicalJson(toArchivedDoc(name, doc));
    text += digest.count === 0 ? line : `\n${line}`;
    digest.add(line);
    if (text.length < CHUNK_CHARS) continue;
    yield Buffer.from(text);
    text = "";
  }
  yield Buffer.from(text);
  digests[name] = { count: digest.count, digest: digest.toString() };
}

/** Pages as Markdown, for use in other programs. */
function addNotes(zip: ZipFile, texts: readonly { title: string; text: string }[]): void {
  const names = new UniqueNames();
  for (const { title, text } of texts)
    zip.addBuffer(Buffer.from(text), `notes/${names.reserve(sanitizeFileName(title), ".md")}`);
}

/** Opens one file at a time, when the zip needs it; content that several files share is added once. */
async function addFiles({ own, blobs }: UserCtx, zip: ZipFile): Promise<number> {
  const sizes = new Map<string, number>();
  for await (const doc of iterateDocs(own, "files")) sizes.set(String(doc["blobKey"]), Number(doc["sizeBytes"]));
  let added = 0;
  for (const [key, sizeBytes] of sizes)
    if (await addBlob(zip, blobs, { path: `files/${key}`, key, sizeBytes })) added += 1;
  return added;
}
