/**
 * Combines two texts that were written from the same base, so that no words are lost: a pure addition is appended,
 * otherwise the whole other text is.
 */
export function combineTexts(base: string, theirs: string, mine: string): string {
  if (mine === base || theirs.includes(mine)) return theirs;
  if (theirs === base || mine.includes(theirs)) return mine;
  const added = base !== "" && mine.startsWith(base) ? mine.slice(base.length).trim() : mine;
  // A repeated request adds nothing.
  return theirs.endsWith(`\n\n${added}`) ? theirs : `${theirs}\n\n${added}`;
}
