import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ZipFile } from "yazl";
import { groupBy } from "#shared/pages/rules.ts";
import type { user } from "#shared/user/contract.ts";
import { presentUser } from "#api/kit/guard.ts";
import type { Handlers, UserCtx } from "#api/kit/handler.ts";
import { readPageTexts } from "#api/pages/service.ts";
import { CARRIED, eachOf, lineOf, LinesDigest } from "./carried.ts";
import { findUser } from "./store.ts";

export const exportHandlers: Pick<Handlers<typeof user>, "exportAccount"> = {
  async exportAccount(ctx) {
    const path = join(ctx.blobs.incoming, randomUUID());
    await writeExport(ctx, path);
    const { size } = await stat(path);
    const day = new Date(ctx.clock.now()).toISOString().slice(0, 10);
    return {
      type: "application/zip",
      sizeBytes: size,
      open(range) {
        const stream = createReadStream(path, range);
        // Made for this one answer: a broken-off one is made anew.
        stream.once("close", () => void rm(path, { force: true }));
        return stream;
      },
      disposition: { kind: "attachment", name: `lamplight-${day}.zip` },
      cacheControl: "no-store",
    };
  },
};

/** Documents as lines of JSON, notes as Markdown for people, files as they are, and last what there should be. */
async function writeExport(ctx: UserCtx, path: string): Promise<void> {
  const zip = new ZipFile();
  const written = pipeline(zip.outputStream, createWriteStream(path, { mode: 0o600 }));
  try {
    const digests: Record<string, { count: number; digest: string }> = {};
    const blobs = new Map<string, number>();
    for (const name of CARRIED) {
      const digest = new LinesDigest();
      const lines: string[] = [];
      for await (const doc of eachOf(ctx.own, name)) {
        const line = lineOf(doc);
        digest.add(line);
        lines.push(line);
        if (name === "files") blobs.set(String(doc["blobKey"]), Number(doc["sizeBytes"]));
      }
      digests[name] = { count: digest.count, digest: digest.toString() };
      zip.addBuffer(Buffer.from(lines.join("\n")), `documents/${name}.jsonl`);
    }
    await addNotes(ctx, zip);
    const files = await addFiles(ctx, zip, blobs);
    const manifest = { kind: "lamplight export", version: 1, at: ctx.clock.now(), documents: digests, files };
    const account = await findUser(ctx.own);
    zip.addBuffer(
      Buffer.from(
        JSON.stringify({ ...manifest, account: account ? presentUser(ctx.settings, account) : null }, undefined, 2),
      ),
      "lamplight.json",
    );
    zip.end();
    await written;
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

/** Pages as Markdown, for any other program. */
async function addNotes({ own }: UserCtx, zip: ZipFile): Promise<void> {
  const texts = await readPageTexts(own);
  for (const [name, same] of groupBy(texts, ({ title }) => fileName(title)))
    for (const [index, { text }] of same.entries())
      zip.addBuffer(Buffer.from(text), `notes/${index === 0 ? name : `${name} ${index + 1}`}.md`);
}

/** A name that every system takes. */
const fileName = (title: string) =>
  title
    .replaceAll(/[\p{C}/\\:*?"<>|]/gu, " ")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/^[. ]+|[. ]+$/g, "")
    .slice(0, 100) || "Untitled";

/** One after the other, as the zip comes to them: no more than one is open. */
async function addFiles({ blobs }: UserCtx, zip: ZipFile, wanted: ReadonlyMap<string, number>): Promise<number> {
  let added = 0;
  for (const [key, size] of wanted) {
    if ((await blobs.size(key)) === undefined) continue;
    // Pictures, films and PDFs are packed already.
    zip.addReadStreamLazy(`files/${key}`, { size, compress: false }, (take) => {
      blobs.open(key).then(
        (stream) => take(null, stream),
        (error: Error) => take(error, Readable.from([])),
      );
    });
    added += 1;
  }
  return added;
}
