import type { Command } from "@tiptap/pm/state";
import { deleteSelected, listDeletedBlocks } from "../commands.ts";

/** From this many lines of text on, a deletion must be confirmed. */
const CONFIRM_TEXT_COUNT = 3;

export interface DeleteQuestion {
  kinds: string[];
  textCount: number;
  confirm(): void;
}

/** Deletes the selection; asks first if it includes a deck, a file, or many lines of text. */
export const deleteWithConfirmation =
  (ask: (question: DeleteQuestion) => void): Command =>
  (state, dispatch, view) => {
    if (state.selection.empty) return false;
    const deletedBlocks = listDeletedBlocks(state);
    const needsConfirmation =
      deletedBlocks.textCount >= CONFIRM_TEXT_COUNT ||
      deletedBlocks.kinds.some((k) => k === "image" || k === "flash_cards");
    if (!needsConfirmation || !view) return deleteSelected(state, dispatch);
    ask({
      ...deletedBlocks,
      confirm: () => {
        deleteSelected(view.state, view.dispatch);
        view.focus();
      },
    });
    return true;
  };
