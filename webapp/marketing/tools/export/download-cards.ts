import { writeTextDeck } from "#shared/flashcards/text-decks.ts";
import type { ToolCard } from "../tool-cards.ts";

const types = {
  anki: { extension: "apkg", mime: "application/octet-stream" },
  csv: { extension: "csv", mime: "text/csv;charset=utf-8" },
  markdown: { extension: "md", mime: "text/markdown;charset=utf-8" },
} as const;

/** Downloads the cards as a file of this format. */
export async function downloadCards(
  title: string,
  cards: readonly ToolCard[],
  format: keyof typeof types,
): Promise<void> {
  const { extension, mime } = types[format];
  const content = await write(title, cards, format);
  downloadBlob(new Blob([content], { type: mime }), `${toFileName(title)}.${extension}`);
}

async function write(title: string, cards: readonly ToolCard[], format: keyof typeof types): Promise<BlobPart> {
  if (format === "anki") return (await import("./anki-package.ts")).writeAnkiPackage(title, cards);
  const sides = cards.map(({ question, answer }) => ({ question, answer }));
  const text = writeTextDeck(sides, format);
  // Excel reads UTF-8 only with a byte order mark.
  return format === "csv" ? `\uFEFF${text}` : `# ${title}\n\n${text}`;
}

const toFileName = (title: string) =>
  title
    .replaceAll(/[\\/:*?"<>|\p{Cc}]+/gu, " ")
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, 80) || "flashcards";

/** Downloads a file under this name. */
export function downloadBlob(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // By then, the browser has read the file.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
