import type { ZipFile } from "yazl";
import { groupBy } from "#shared/pages/rules.ts";
import type { user } from "#shared/user/contract.ts";
import { presentUser } from "#api/http/authenticate.ts";
import type { Handlers, UserCtx } from "#api/http/handler.ts";
import type { Own } from "#api/store/owned-store.ts";
import { addBlob, sanitizeFileName, createZipAnswer } from "#api/http/zip-response.ts";
import { EXPORTED_COLLECTIONS, iterateDocs, canonicalJson, LinesDigest } from "./exported-collections.ts";
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
  const blobs = new Map<string, number>();
  for (const name of EXPORTED_COLLECTIONS) {
    const digest = new LinesDigest();
    const lines: string[] = [];
    for await (const doc of iterateDocs(ctx.own, name)) {
      const line = canonicalJson(doc);
      digest.add(line);
      lines.push(line);
      if (name === "files") blobs.set(String(doc["blobKey"]), Number(doc["sizeBytes"]));
    }
    digests[name] = { count: digest.count, digest: digest.toString() };
    zip.addBuffer(Buffer.from(lines.join("\n")), `documents/${name}.jsonl`);
  }
  addNotes(zip, await readPageTexts(ctx.own));
  const files = await addFiles(ctx, zip, blobs);
  const manifest = { kind: "lamplight export", version: 1, at: ctx.clock.now(), documents: digests, files };
  const account = await findUser(ctx.own);
  zip.addBuffer(
    Buffer.from(
      JSON.stringify({ ...manifest, account: account ? presentUser(ctx.settings, account) : null }, undefined, 2),
    ),
    "lamplight.json",
  );
}

/** Pages as Markdown, for use in other programs. */
function addNotes(zip: ZipFile, texts: readonly { title: string; text: string }[]): void {
  for (const [name, sameNamed] of groupBy(texts, ({ title }) => sanitizeFileName(title)))
    for (const [index, { text }] of sameNamed.entries())
      zip.addBuffer(Buffer.from(text), `notes/${index === 0 ? name : `${name} ${index + 1}`}.md`);
}

/** Opens one file at a time, when the zip needs it. */
async function addFiles({ blobs }: UserCtx, zip: ZipFile, blobSizes: ReadonlyMap<string, number>): Promise<number> {
  let added = 0;
  for (const [key, sizeBytes] of blobSizes)
    if (await addBlob(zip, blobs, { path: `files/${key}`, key, sizeBytes })) added += 1;
  return added;
}
