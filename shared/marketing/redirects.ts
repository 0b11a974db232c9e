import { screenPath } from "#shared/screens.ts";

/** Words in the address of a blog post that does not exist, and the page that answers what was looked for. */
const targets: readonly (readonly [word: string, path: string])[] = [
  ["anki", screenPath("featureFlashcards", {})],
  ["flashcard", screenPath("toolFlashcardMaker", {})],
  ["quizlet", screenPath("toolFlashcardMaker", {})],
  ["homework", screenPath("aiHomeworkHelp", {})],
  ["textbook", screenPath("featurePdf", {})],
  ["pdf-edit", screenPath("featurePdf", {})],
  ["autocomplete", screenPath("featureNotes", {})],
];

/** Target of a blog address that no post has. */
export const blogRedirect = (path: string): string | undefined =>
  path.startsWith("/blog/") ? targets.find(([word]) => path.toLowerCase().includes(word))?.[1] : undefined;
