import { NoResponseError } from "#shared/client/client.ts";
import { writeMarkdown } from "#shared/pages/markdown-write.ts";
import type { Component, Page } from "#shared/pages/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { chooseFile } from "#webapp/app/browser/choose-files.ts";
import { client } from "#webapp/app/client.ts";
import { queue } from "#webapp/offline/sync.ts";
import { notify } from "#webapp/app/alerts.ts";
import { logWarning } from "#webapp/app/log.ts";
import { saveFile } from "#webapp/app/browser/save-file.ts";
import type { PageSession } from "./session/page-session.ts";

/** The in-app address of a file; opening it requires signing in. */
function fileUrl({ type, _id, pageId }: Component): string {
  const path = type === "video" ? `/video/${_id}` : `/page/${pageId}?component=${_id}`;
  return `${location.origin}${path}`;
}

function renderMarkdown(page: Page, session: PageSession): string {
  const blocks = session.blocks().map(
    (block) =>
      ({
        ...block,
        pageId: page._id,
        createdAt: 0,
        modifiedAt: 0,
        createdBy: "",
        lastOpenedAt: null,
        version: 1,
      }) as Component,
  );
  const title = [page.emoji, page.title].filter(Boolean).join(" ");
  const body = writeMarkdown(blocks, { addressOf: fileUrl });
  return title === "" ? body : `# ${title.replaceAll(/\s+/g, " ")}\n\n${body}`;
}

/** A file name that is valid on every system. */
const fileName = (title: string) =>
  `${
    title
      .replaceAll(/[\p{C}/\\:*?"<>|]/gu, " ")
      .replaceAll(/\s+/g, " ")
      .trim()
      .slice(0, 100) || t("pages.untitled")
  }.md`;

export function downloadMarkdown(page: Page, session: PageSession): void {
  saveFile(new Blob([renderMarkdown(page, session)], { type: "text/markdown" }), fileName(page.title));
}

/** Downloads the page and its files as one zip. */
export async function downloadZip(page: Page, session: PageSession): Promise<void> {
  try {
    await session.saver.flush();
    await queue().flush();
    const zip = await client.pages.exportPage({ id: page._id }, { idleTimeoutMs: 600_000 });
    saveFile(zip, fileName(page.title).replace(/md$/, "zip"));
  } catch (error) {
    logWarning("Could not export the page as a zip", error);
    notify({ message: t(error instanceof NoResponseError ? "failures.network" : "pages.zip_failed"), type: "error" });
  }
}

export async function copyMarkdown(page: Page, session: PageSession): Promise<void> {
  try {
    await navigator.clipboard.writeText(renderMarkdown(page, session));
    notify({ message: t("pages.markdown_copied"), type: "success" });
  } catch (error) {
    logWarning("Could not copy", error);
    notify({ message: t("pages.copy_failed"), type: "error" });
  }
}

const MAX_TEXT_BYTES = 10_000_000;

/** Appends a Markdown file to the page. */
export function addMarkdownFile(session: PageSession): void {
  const importFile = async (file: File) => {
    const text = file.size <= MAX_TEXT_BYTES ? await file.text() : "\u0000";
    if (text.includes("\u0000")) notify({ message: t("pages.markdown_failed"), type: "error" });
    else session.appendMarkdown(text);
  };
  chooseFile(".md,.markdown,.txt,text/markdown,text/plain", (file) => void importFile(file));
}

/** Renders all off-screen blocks first and waits for their formulas and pictures. */
export function printPage(session: PageSession): void {
  session.mounts.showAll();
  requestAnimationFrame(() => setTimeout(() => window.print(), 300));
}
