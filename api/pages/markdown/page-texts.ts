import { writeMarkdown } from "#shared/pages/markdown-write.ts";
import type { Own } from "#api/store/owned-store.ts";
import { presentComponent } from "../present.ts";
import { listOnPage, listPages } from "../store.ts";

/** Exports every page as Markdown, in list order. */
export async function readPageTexts(own: Own): Promise<{ title: string; text: string }[]> {
  const texts = [];
  for (const page of await listPages(own)) {
    const components = (await listOnPage(own, page)).map(presentComponent);
    const body = writeMarkdown(components, {
      addressOf: ({ type, _id, pageId }) => (type === "video" ? `/video/${_id}` : `/page/${pageId}?component=${_id}`),
    });
    texts.push({ title: page.title, text: page.title === "" ? body : `# ${page.title}\n\n${body}` });
  }
  return texts;
}
