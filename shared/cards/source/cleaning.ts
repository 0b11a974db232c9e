import { applySteps } from "./apply-cleaning.ts";
import { stepsAfterOpening, stepsBeforeOpening } from "./cleaning-steps.ts";

const DISCOURSE =
  /^(?:however|therefore|thus|hence|moreover|furthermore|in addition|additionally|consequently|nevertheless|nonetheless|in fact|indeed|instead|finally|similarly|likewise|in general|generally|in other words|as a result|for this reason|of course|interestingly|importantly|notably|also|again|overall|on the other hand|in contrast|by contrast|conversely|meanwhile|then|next|first|second|third|for (?:example|instance)|specifically|in particular|typically|usually|basically|essentially|clearly|obviously|today|more specifically|strictly speaking|simply put|(?:please )?note that|recall that|it is important to note that|it should be noted that|remember that|yet|but|and|so|still|now|ultimately|eventually|subsequently|in turn|at first|in short|in brief|in summary|to summarize(?: [^,]{3,60})?|rather|accordingly|alternatively|besides),?\s+(?=\S)/i;

const BARE_DISCOURSE =
  /^(?:first|second|third|then|next|again|generally|typically|usually|today|now|still|rather|so|indeed|also|overall|instead)\s+[^,]/i;

/** Removes up to three connectives from the beginning: "And so, for example, the lamp" becomes "the lamp". */
function dropOpening(text: string): string {
  let remaining = text;
  for (let i = 0; i < 3; i++) {
    const match = BARE_DISCOURSE.test(remaining) ? null : DISCOURSE.exec(remaining);
    const needsComma = match && !match[0].includes(",") && !/^(?:please|note|recall|remember|it) /i.test(match[0]);
    if (!match || (needsComma && !/^(?:but|and|yet|so) /i.test(match[0]))) break;
    remaining = remaining.slice(match[0].length);
  }
  return remaining;
}

/** A sentence without asides, escapes and opening connectives, for the card. The quote stays unchanged. */
export function cleanSentence(original: string, isPrinted = false): string {
  const sentence = { original, isPrinted };
  const cleaned = applySteps(
    dropOpening(applySteps(original, stepsBeforeOpening, sentence)),
    stepsAfterOpening,
    sentence,
  );
  return /^\p{Ll}+(?:\s|,)/u.test(cleaned) && /^\p{Lu}|^(?:as|like) /u.test(original)
    ? cleaned.charAt(0).toUpperCase() + cleaned.slice(1)
    : cleaned;
}

export function isExample(original: string): boolean {
  return /^(?:for (?:example|instance)|suppose|imagine|consider)\b/i.test(original);
}
