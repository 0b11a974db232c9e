import type { EditorView } from "@tiptap/pm/view";
import { screenPath } from "#shared/screens.ts";
import { Failure } from "#shared/contract/failure.ts";
import { NoResponseError } from "#shared/client/client.ts";
import { t } from "#shared/messages/translate.ts";
import { notify } from "#webapp/app/alerts.ts";
import { openDocumentAt } from "#webapp/library/citation-navigation.ts";
import { client } from "#webapp/app/client.ts";
import { contentAtom } from "#webapp/library/content.ts";
import { goTo } from "#webapp/app/navigation.ts";
import type { LibraryItem, LibraryItemKind } from "#webapp/library/library-items.ts";
import { store } from "#webapp/app/store.ts";

/** Reference kinds of inline links, by kind of target. */
const referenceKinds = { page: "page_tag", deck: "flashcard_tag", pdf: "pdf_tag" } as const satisfies Partial<
  Record<LibraryItemKind, string>
>;

/** Inserts an inline reference, shown as a chip, to a page, deck or document. */
export function insertReference(view: EditorView, { id: target, kind, title }: LibraryItem): void {
  const tag = kind === "page" || kind === "deck" || kind === "pdf" ? referenceKinds[kind] : undefined;
  const mark = tag && view.state.schema.marks["reference"]?.create({ kind: tag, target });
  if (!mark) return;
  const { schema, tr } = view.state;
  tr.replaceSelectionWith(schema.text(title || t("pages.untitled"), [mark]), false).insertText(" ");
  view.dispatch(tr.scrollIntoView());
  view.focus();
}

async function findPageId(componentId: string): Promise<string> {
  const content = store.get(contentAtom);
  const known = content.state === "ready" ? content.components.find(({ _id }) => _id === componentId) : undefined;
  return known?.pageId ?? (await client.pages.getComponent({ id: componentId })).component.pageId;
}

/** Opens the target of an inline reference. */
export async function openReference(kind: string, target: string): Promise<void> {
  try {
    if (kind === "page_tag") goTo(screenPath("page", { id: target }));
    else if (kind === "pdf_tag") openDocumentAt(screenPath("pdf", { slug: target }));
    else if (kind === "flashcard_tag") goTo(screenPath("deck", { id: await findPageId(target), slug: target }));
  } catch (error) {
    if (!(error instanceof Failure) && !(error instanceof NoResponseError)) throw error;
    notify({ message: t("pages.reference_missing"), type: "error" });
  }
}
