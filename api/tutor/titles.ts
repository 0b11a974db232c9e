const MAX_TITLE = 60;

/** A title from the beginning of the question, cut between words. */
export function titleOf(question: string): string {
  const words = question.trim().replaceAll(/\s+/g, " ");
  if (words.length <= MAX_TITLE) return words.replace(/[?.\s]+$/, "");
  const cut = words.slice(0, MAX_TITLE);
  return `${cut.slice(0, cut.lastIndexOf(" ") > MAX_TITLE / 2 ? cut.lastIndexOf(" ") : MAX_TITLE)}…`;
}
