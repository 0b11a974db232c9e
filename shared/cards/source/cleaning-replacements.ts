/** Short brackets are an aside, but not those of "Var(X)" and "$O(n)$", nor a set after its name. */
export const PARENTHESIS =
  /(?<![\p{L}\p{N}_$\\])\s*\([^()]{0,160}\)|\s+\([^()]{0,160}\)|\s*\[[^[\]]{0,80}\]|(?<=\p{Ll}{3}) \{[^{}]{1,40}\}/gu;
/** "proposed in [3]": without its reference this isn't a sentence, so the reference stays and the sentence is rejected. */
const NEEDS_REFERENCE = /\b(?:in|by|from|of|to|with|see|and|e\.g\.,?)$/i;
/** "When a boat leaves (and it is not Sunday), it": a condition in brackets must stay. */
const CONDITION = /^\s*\(((?:and|but|if|unless|except|provided) [^()]{6,60})\)$/;

export function replaceAside(parenthesis: string, at: number, text: string): string {
  const isNeededReference =
    /^\s*\[\s*\d/.test(parenthesis) && NEEDS_REFERENCE.test(text.slice(Math.max(0, at - 12), at));
  if (isNeededReference) return parenthesis;
  const condition = CONDITION.exec(parenthesis)?.[1];
  return condition === undefined
    ? ""
    : `, ${condition}${text.slice(at + parenthesis.length).startsWith(",") ? "" : ","}`;
}

/** After such an opening the comma stays if "however" is removed. */
const INTRODUCTORY_OPENING =
  /^(?:when|if|after|before|once|during|in|on|at|within|unlike|because|although|while|as|for|by|with|without|under|to)\b/i;

export const replaceConnective = (_: string, at: number, text: string): string =>
  INTRODUCTORY_OPENING.test(text) && !text.slice(0, at).includes(",") ? "," : "";

/** "It closes the file then opens another": "then" joins two verbs. */
const joinsVerbs = (filler: string, before: string) =>
  filler === " then " &&
  before.split(" ").length > 5 &&
  !/ (?:is|are|was|were|be|been|can|will|must|may|has|have)$/.test(before);

export const replaceFiller = (filler: string, at: number, text: string): string =>
  joinsVerbs(filler, text.slice(0, at)) ? filler : " ";
