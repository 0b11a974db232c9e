import type { ZipFile } from "yazl";
import { Failure } from "#shared/contract/failure.ts";
import type { pages } from "#shared/pages/contract.ts";
import { MarkdownWriter } from "#shared/pages/markdown-write.ts";
import type { Component } from "#shared/pages/schema.ts";
import { findFile, type FileRecord } from "#api/blobs/file-records.ts";
import type { Handlers, UserCtx } from "#api/http/handler.ts";
import { addBlob, sanitizeFileName, createZipAnswer, UniqueNames } from "#api/http/zip-response.ts";
import { presentComponent } from "../present.ts";
import { findPage, listPages, type PageDoc, readOnPage } from "../store.ts";

const MEDIA_FOLDER = "media";

/** Collects the files of an archive, each once, however many pages show it. */
class MediaFiles {
  readonly #names = new UniqueNames();
  readonly #reserved = new Map<string, { path: string; file: FileRecord }>();

  async pathFor(own: UserCtx["own"], component: Component): Promise<string | undefined> {
    if (component.type !== "image" && component.type !== "video") return undefined;
    const { file, url } = component.content;
    const existing = this.#reserved.get(file.id);
    if (existing) return existing.path;
    const record = await findFile(own, file.id);
    // A video on another site has no file here; link to its URL.
    if (!record) return url ?? undefined;
    const ending = /\.[a-z0-9]{1,8}$/i.exec(file.id)?.[0] ?? "";
    const baseName = file.name.replace(/\.[a-z0-9]{1,8}$/i, "");
    const path = `${MEDIA_FOLDER}/${this.#names.reserve(sanitizeFileName(baseName), ending)}`;
    this.#reserved.set(file.id, { path, file: record });
    return path;
  }

  async addTo(zip: ZipFile, blobs: UserCtx["blobs"]): Promise<void> {
    for (const { path, file } of this.#reserved.values())
      await addBlob(zip, blobs, { path, key: file.blobKey, sizeBytes: file.sizeBytes });
  }
}

async function writePage({ own }: UserCtx, page: PageDoc, media: MediaFiles): Promise<string> {
  const paths = new Map<string, string>();
  const writer = new MarkdownWriter({ addressOf: ({ _id }) => paths.get(_id) ?? "" });
  for await (const doc of readOnPage(own, page)) {
    const component = presentComponent(doc);
    const path = await media.pathFor(own, component);
    if (path !== undefined) paths.set(component._id, path);
    writer.add(component);
  }
  const body = writer.toString();
  const title = [page.emoji, page.title].filter(Boolean).join(" ").replaceAll(/\s+/g, " ");
  return title === "" ? body : `# ${title}\n\n${body}`;
}

async function addPages(ctx: UserCtx, zip: ZipFile, exportedPages: readonly PageDoc[]): Promise<void> {
  const media = new MediaFiles();
  const names = new UniqueNames();
  for (const page of exportedPages) {
    const text = await writePage(ctx, page, media);
    zip.addBuffer(Buffer.from(text), names.reserve(sanitizeFileName(page.title), ".md"));
  }
  await media.addTo(zip, ctx.blobs);
}

export const markdownHandlers: Pick<Handlers<typeof pages>, "exportPage" | "exportPages"> = {
  async exportPage(ctx, { id }) {
    const page = await findPage(ctx.own, id);
    if (!page) throw new Failure("not_found", "no_page");
    return createZipAnswer(ctx.blobs, `${sanitizeFileName(page.title)}.zip`, (zip) => addPages(ctx, zip, [page]));
  },

  async exportPages(ctx) {
    const exportedPages = (await listPages(ctx.own)).filter((page) => !page.archived);
    const day = new Date(ctx.clock.now()).toISOString().slice(0, 10);
    return createZipAnswer(ctx.blobs, `lamplight-notes-${day}.zip`, (zip) => addPages(ctx, zip, exportedPages));
  },
};
