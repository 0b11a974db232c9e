import { searchTerms } from "#shared/text/search-terms.ts";
import { type EvidenceCandidate, type EvidenceSentence, withLead } from "./candidates.ts";
import { namingTerms } from "./terms/light-terms.ts";

const PART =
  "(?:\\p{L}+\\s)?(?:sources?|mechanisms?|ways?|reasons?|causes?|types?|kinds?|factors?|methods?|means|effects?)";
const FIRST = new RegExp(String.raw`(?<!\p{L})first\s+${PART}(?!\p{L})`, "iu");
const FURTHER = new RegExp(String.raw`(?<!\p{L})(?:second|third|fourth)\s+${PART}(?!\p{L})`, "iu");

/**
 * What goes on with an answer that names itself the first of several: after "the first source of variation", the sentence
 * of the same source on "the second mechanism that introduces variation". It has to hold a word of the question.
 */
function listFurtherParts(
  candidates: readonly EvidenceCandidate[],
  picked: readonly EvidenceSentence[],
  telling: readonly string[],
): EvidenceCandidate[] {
  const first = picked.filter(({ text }) => FIRST.test(text));
  const asked = new Set(telling);
  return candidates.filter(({ source, text, terms }) => {
    if (!FURTHER.test(text) || picked.some((one) => one.text === text)) return false;
    return first.some(
      (one) => one.source === source && searchTerms(one.text).some((term) => asked.has(term) && terms.has(term)),
    );
  });
}

/** The sentences, with those that go on where one of them names itself the first of several. */
export function withFurtherParts(
  sentences: EvidenceSentence[],
  candidates: readonly EvidenceCandidate[],
  { query, most }: { query: string; most: number },
): EvidenceSentence[] {
  const telling = namingTerms(query);
  const all = [...sentences];
  for (const part of listFurtherParts(candidates, sentences, telling)) {
    const written = withLead(part, all);
    if (all.length + written.length <= most) all.push(...written);
  }
  return all;
}
