import { searchTerms } from "#shared/text/search-terms.ts";
import { type EvidenceCandidate, type EvidenceSentence, withPreceding } from "./candidates.ts";
import { namingTerms } from "./terms/low-weight-terms.ts";

const PART =
  "(?:\\p{L}+\\s)?(?:sources?|mechanisms?|ways?|reasons?|causes?|types?|kinds?|factors?|methods?|means|effects?)";
const FIRST = new RegExp(String.raw`(?<!\p{L})first\s+${PART}(?!\p{L})`, "iu");
const FURTHER = new RegExp(String.raw`(?<!\p{L})(?:second|third|fourth)\s+${PART}(?!\p{L})`, "iu");

/**
 * Further parts of an enumeration: if an answer calls itself "the first source of variation", the sentence of the same
 * source about "the second mechanism that introduces variation". It must contain a word of the question.
 */
function listRemainingItems(
  candidates: readonly EvidenceCandidate[],
  picked: readonly EvidenceSentence[],
  contentTerms: readonly string[],
): EvidenceCandidate[] {
  const first = picked.filter(({ text }) => FIRST.test(text));
  const asked = new Set(contentTerms);
  return candidates.filter(({ source, text, terms }) => {
    if (!FURTHER.test(text) || picked.some((one) => one.text === text)) return false;
    return first.some(
      (one) => one.source === source && searchTerms(one.text).some((term) => asked.has(term) && terms.has(term)),
    );
  });
}

/** The sentences, each followed by the further parts of the enumeration that it begins. */
export function withRemainingItems(
  sentences: EvidenceSentence[],
  candidates: readonly EvidenceCandidate[],
  { query, most }: { query: string; most: number },
): EvidenceSentence[] {
  const contentTerms = namingTerms(query);
  const all = [...sentences];
  for (const part of listRemainingItems(candidates, sentences, contentTerms)) {
    const written = withPreceding(part, all);
    if (all.length + written.length <= most) all.push(...written);
  }
  return all;
}
