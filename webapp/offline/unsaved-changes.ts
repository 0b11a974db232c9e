import { t } from "#shared/messages/translate.ts";
import type { SyncRequest, SyncType } from "#shared/sync/schema.ts";
import { saveFile } from "#webapp/app/browser/save-file.ts";
import { store } from "#webapp/app/store.ts";
import { unsavedResearchTextsAtom } from "./sync-status.ts";
import { queue } from "./sync.ts";

type ChangeKind = "pages" | "text" | "files" | "reviews" | "order" | "folders";

/** The kind of change that a request type counts as in descriptions. */
const kindByType: Record<SyncType, ChangeKind> = {
  page_create: "pages",
  page_delete: "pages",
  page_update: "pages",
  page_component_sort: "order",
  component_create: "text",
  component_delete: "text",
  component_content_update: "text",
  card_standing: "text",
  card_move: "order",
  component_move: "order",
  component_image_upload: "files",
  component_video_upload: "files",
  folder_create: "folders",
  folder_update: "folders",
  folder_delete: "folders",
  review_add: "reviews",
  review_undo: "reviews",
  annotation_put: "text",
  annotation_delete: "text",
};

/** Describes unsaved changes by kind and count, such as "3 changes to text". */
export function describeUnsaved(requests: readonly SyncRequest[]): string[] {
  const counts = new Map<ChangeKind, number>();
  for (const { type } of requests) counts.set(kindByType[type], (counts.get(kindByType[type]) ?? 0) + 1);
  return [...counts].map(([kind, count]) => t(`unsaved.${kind}`, { count }));
}

/** Downloads all unsaved changes as a file, with the texts of research that are saved apart from the queue. */
export function downloadUnsaved(): void {
  const exported = queue().exportUnsaved({ research: store.get(unsavedResearchTextsAtom) });
  saveFile(new Blob([exported], { type: "application/json" }), "lamplight-unsaved.json");
}
