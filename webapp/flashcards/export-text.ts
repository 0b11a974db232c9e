import { fileNameOf } from "#shared/flashcards/truncate-text.ts";
import { writeTextDeck, type TextFormat } from "#shared/flashcards/text-decks.ts";
import { saveFile } from "#webapp/app/browser/save-file.ts";
import type { OpenDeck } from "./deck/deck-state.ts";

const types: Record<TextFormat, [type: string, extension: string]> = {
  csv: ["text/csv", "csv"],
  tsv: ["text/tab-separated-values", "tsv"],
  markdown: ["text/markdown", "md"],
  quizlet: ["text/plain", "txt"],
};

export function exportText({ cards, title }: OpenDeck, format: TextFormat): void {
  const [type, extension] = types[format];
  const blob = new Blob([writeTextDeck(cards, format)], { type: `${type};charset=utf-8` });
  saveFile(blob, `${fileNameOf(title)}.${extension}`);
}
