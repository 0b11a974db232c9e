const MAX_TITLE = 60;

/** A title from the beginning of the question, cut between words. */
export function titleFromQuestion(question: string): string {
  const text = question.trim().replaceAll(/\s+/g, " ");
  if (text.length <= MAX_TITLE) return text.replace(/[?.\s]+$/, "");
  const cut = text.slice(0, MAX_TITLE);
  return `${cut.slice(0, cut.lastIndexOf(" ") > MAX_TITLE / 2 ? cut.lastIndexOf(" ") : MAX_TITLE)}…`;
}
