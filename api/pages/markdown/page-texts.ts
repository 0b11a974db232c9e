import { MarkdownWriter } from "#shared/pages/markdown-write.ts";
import type { Own } from "#api/store/owned-store.ts";
import { presentComponent } from "../present.ts";
import { listPages, readOnPage } from "../store.ts";

/** Exports every page as Markdown, in list order. */
export async function readPageTexts(own: Own): Promise<{ title: string; text: string }[]> {
  const texts = [];
  for (const page of await listPages(own)) {
    const writer = new MarkdownWriter({
      addressOf: ({ type, _id, pageId }) => (type === "video" ? `/video/${_id}` : `/page/${pageId}?component=${_id}`),
    });
    for await (const doc of readOnPage(own, page)) writer.add(presentComponent(doc));
    const body = writer.toString();
    texts.push({ title: page.title, text: page.title === "" ? body : `# ${page.title}\n\n${body}` });
  }
  return texts;
}
