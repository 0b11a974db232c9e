const MAX_TITLE = 60;

/** The first words of what was asked, cut between two of them. */
export function titleOf(question: string): string {
  const words = question.trim().replaceAll(/\s+/g, " ");
  if (words.length <= MAX_TITLE) return words.replace(/[?.\s]+$/, "");
  const cut = words.slice(0, MAX_TITLE);
  return `${cut.slice(0, cut.lastIndexOf(" ") > MAX_TITLE / 2 ? cut.lastIndexOf(" ") : MAX_TITLE)}…`;
}
