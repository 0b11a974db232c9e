const MAX_TITLE = 60;

/** The first words of what was asked, cut between two of them. */
export function titleOf(question: string): string {
  const words = question.trim().replaceAll(/\s+/g, " ");
  if (words.length <= MAX_TITLE) return words.replace(/[?.\s]+$/, "");
  const cut = words.slice(0, MAX_TITLE);
  return `${cut.slice(0, cut.lastIndexOf(" ") > MAX_TITLE / 2 ? cut.lastIndexOf(" ") : MAX_TITLE)}…`;
}

/** A title as a model wrote it, or undefined where it wrote something else. */
export function readTitle(written: string): string | undefined {
  const line =
    written
      .trim()
      .split("\n")[0]
      ?.replaceAll(/^["“'*#\s]+|["”'*.\s]+$/g, "") ?? "";
  const isTitle =
    line.length >= 2 && line.length <= 80 && line.split(" ").length <= 12 && !/https?:|[<>[\]]/.test(line);
  return isTitle ? line : undefined;
}
