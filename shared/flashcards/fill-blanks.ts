const BLANK = /_{3,}/g;

/** The sentence of a cloze card with its answers in the blanks; undefined if it is unclear which belongs where. */
function fillBlanks(question: string, answer: string): string | undefined {
  const blankCount = question.match(BLANK)?.length ?? 0;
  const parts = blankCount === 1 ? [answer] : answer.split(/[;,|\n]/);
  if (parts.length !== blankCount) return undefined;
  const rest = parts.values();
  return question.replaceAll(BLANK, () => rest.next().value?.trim() ?? "");
}

/** A card as a statement that can be quoted: question and answer, or the filled sentence of a cloze card. */
export function statementOfCard({ question, answer }: { question: string; answer: string }): string | undefined {
  if (question.trim() === "" || answer.trim() === "") return undefined;
  return /_{3,}/.test(question) ? fillBlanks(question.trim(), answer) : `${question.trim()} ${answer.trim()}`;
}
