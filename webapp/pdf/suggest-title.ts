import { useAtomValue } from "jotai/react";
import { atom } from "jotai/vanilla";
import { Failure } from "#shared/contract/failure.ts";
import { t } from "#shared/messages/translate.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { store } from "#webapp/app/store.ts";
import { queue } from "#webapp/offline/sync.ts";

/** The title that a document was given since it was opened. */
const newTitleAtom = atom<{ componentId: string; title: string } | null>(null);

/** The document's current title. */
export function useDisplayedTitle({ componentId, name }: { componentId: string; name: string }): string {
  const renamed = useAtomValue(newTitleAtom);
  return renamed?.componentId === componentId ? renamed.title : name;
}

/** Saves a title; resolves to the earlier one, or undefined if it is the same. */
async function saveTitle(componentId: string, title: string): Promise<string | undefined> {
  // The version that the server knows is the base of the change.
  await queue().flush();
  const { component } = await client.pages.getComponent({ id: componentId });
  if (component.type !== "image") return undefined;
  const { content, version } = component;
  const earlier = content.title || content.file.name;
  if (earlier === title) return undefined;
  await queue().enqueue(
    "component_content_update",
    componentId,
    { newContent: { ...content, title } },
    { baseVersion: version },
  );
  store.set(newTitleAtom, { componentId, title });
  return earlier;
}

async function restoreTitle(componentId: string, earlier: string): Promise<void> {
  try {
    await saveTitle(componentId, earlier);
  } catch (error) {
    if (!(error instanceof Failure)) logWarning("Could not restore a title", error);
    notify({ message: t("pdf.title_not_restored"), type: "error" });
  }
}

/** Gives a document the title that its text suggests, with a notice that offers undo. */
export async function suggestTitle(componentId: string): Promise<void> {
  try {
    const { name: title } = await client.pdf.generateName({ id: componentId });
    const earlier = await saveTitle(componentId, title);
    if (earlier === undefined) return notify({ message: t("pdf.title_unchanged"), type: "info" });
    return notify({
      message: t("pdf.title_changed", { title }),
      type: "success",
      action: { label: t("common.undo"), run: () => void restoreTitle(componentId, earlier) },
    });
  } catch (error) {
    if (!(error instanceof Failure)) logWarning("Could not suggest a title", error);
    return notify({ message: t("pdf.title_failed"), type: "error" });
  }
}
