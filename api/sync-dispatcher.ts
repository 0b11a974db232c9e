import type { SyncType } from "#shared/sync/schema.ts";
import { cardMoveTable } from "#api/flashcards/apply-card-move.ts";
import { folderTable } from "#api/library/apply-folder.ts";
import { removeFromLists } from "#api/library/remove-from-lists.ts";
import { pageTable } from "#api/pages/sync/page-table.ts";
import { uploadTable } from "#api/uploads/apply-upload.ts";
import { annotationTable } from "#api/pdf/annotations.ts";
import { reviewTable } from "#api/study/apply-reviews.ts";
import { createDispatcher } from "#api/sync/apply.ts";
import type { SyncTable } from "#api/sync/sync-table.ts";

/** How each type of queued change is applied: the tables of all features. */
const syncTable: SyncTable<SyncType> = {
  ...pageTable,
  ...uploadTable,
  ...cardMoveTable,
  ...folderTable,
  ...reviewTable,
  ...annotationTable,
};

/** Applies queued changes of every type. */
export const applyChanges = createDispatcher({ table: syncTable, onRemoved: removeFromLists });
