import type { AnnotationColor } from "#shared/pdf/annotations.ts";
import type { SelectionAction } from "../document-port.tsx";
import { copyWithCitation, highlightSelection, type DocumentSelection } from "./selection.ts";

const keyColors: Record<string, AnnotationColor> = { 1: "red", 2: "yellow", 3: "green", 4: "blue" };

/** Runs the shortcut of a key for the selected text; returns whether there is one. */
export function runSelectionKey(
  key: string,
  selected: DocumentSelection,
  actions: readonly SelectionAction[],
  addNote: (passage: DocumentSelection) => Promise<void>,
): boolean {
  const color = keyColors[key];
  const action = actions.find((candidate) => candidate.key === key);
  if (action) action.run(selected);
  else if (color !== undefined) void highlightSelection(selected, color);
  else if (key === "n") void addNote(selected);
  else if (key === "C") void copyWithCitation(selected);
  else return false;
  return true;
}
