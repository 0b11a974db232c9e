/**
 * Both of two texts that were written from the same one, so that no words are lost: what one of them only added comes
 * below the other, otherwise the whole text does.
 */
export function combineTexts(base: string, theirs: string, mine: string): string {
  if (mine === base || theirs.includes(mine)) return theirs;
  if (theirs === base || mine.includes(theirs)) return mine;
  const added = base !== "" && mine.startsWith(base) ? mine.slice(base.length).trim() : mine;
  // A repeated request adds nothing.
  return theirs.endsWith(`\n\n${added}`) ? theirs : `${theirs}\n\n${added}`;
}
