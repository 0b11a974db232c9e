import type { Candidate } from "../generate/candidates.ts";
import { GENERIC_TERM_QUESTION, ALSO_DEFINITION } from "./definition-penalties.ts";
import { PENALTY } from "./penalty-weights.ts";
import type { Fact } from "../source/facts.ts";
import { leaksByQuotation, leaksByPrefix, leaksByApposition, leaksCompoundPart } from "./answer-leak.ts";
import { posAt, wordAt } from "#shared/text/tokens.ts";
import { phraseKey } from "#shared/text/words.ts";

/** "____ and the rest improve", "a tower or ____": one of several things. */
const ONE_OF_SEVERAL =
  /____ (?:and|or) |: ____, \S+, |\bincludes? (?:the |an? |a\/an )?____\.$|____[—–] ?or |____, (?:[\p{L}-]+ ){0,2}[\p{L}-]+,? (?:and|or) |\b(?:and|or|such as|including|like) (?:an? |a\/an |the )?____/u;

/** "The ____ were sent" refers to an earlier sentence; "The ____ is a …" defines its subject. */
const UNSPECIFIED_DEFINITE_BLANK = /(?:^|\. )The ____ (?!(?:is|are|was|were) (?:an?|the|called|known|defined) )/;

/** "In hens, the disease is called ____": which disease? "In a middle layer called ____": of what? */
const NAMES_THING = new RegExp(
  `^(?:[^:?_]{2,60}: )?(?:In [^,]+, )?(?:[Tt]he ${GENERIC_TERM_QUESTION} (?:is|are)|[^_.]*\\ban? \\w+ ${GENERIC_TERM_QUESTION}) (?:often |also |sometimes )?(?:called|termed|known as|referred to as|named) (?:the |a/an )?____\\.$`,
);

/** "____ may play a part in it": many things may. */
const VAGUE_INVOLVEMENT =
  /^(?:[^:?_]{2,60}: )?____ (?:may|might|can|could) (?:also )?(?:be involved|play|have|help)\b|^(?:[^:?_]{2,60}: )?____ (?:plays?|have|has) (?:an? )?(?!no )(?:\w+ )?roles? in\b/;

/** "If both sections are one": which two? */
const UNSPECIFIED_GROUP =
  /\bboth (?:sections|parts|of these|groups|forms|types|cases|processes|sides|kinds|methods|steps)\b(?! (?:of|in))/i;

/** "Although ropes are seen under a ____": a blank in a concession, a comparison or a supposition. */
const CONCESSION =
  /^(?:[^:]{2,60}: )?(?:Although|Though|While|As in|As with|Like|Unlike|Similar to|When|If|Where|Once|(?:In|By|Before|After) \p{L}+ing) [^,]*____[^,]*,/u;

/**
 * "____ set modelling" for "risk", "____ of faults", "____ a file" for "closing": emphasised, but not a complete name.
 */
function isHalfName({ tokens }: Fact, answer: string): boolean {
  const index = tokens.findIndex((t) => t.text === answer);
  const next = posAt(tokens, index + 1);
  const kind = posAt(tokens, index);
  if (index === -1) return false;
  if (/^(?:of|to|set|value|rate)$/.test(wordAt(tokens, index + 1))) return true;
  if (kind === "PROPN") return false;
  return kind === "VERB" ? next === "DET" || next === "PRON" : next === "NOUN" || (next === "ADJ" && kind === "ADV");
}

/** "The room around the ____ is called a gallery": the sentence names something else. */
const NAMES_ANOTHER_TERM =
  /^(?:[^:?_]{2,60}: )?(?!(?:The |An? |A\/an )?____)[^_.]+____[^.]* (?:is|are) (?:called|termed|known as|referred to as) (?!(?:an? |the |a\/an )?____)/;

/** "Two kinds, called ____, for this step": which step? */
const DEPENDS_ON_LATER =
  /____[^.]* (?:this|these) \p{Ll}+|\bthose (?!that|of|who|which|with|in)\p{Ll}+|^(?:[^:?_]{2,60}: )?(?:Because (?:they|it)|Other \p{L}+,?) /u;

/** "Accepted forms of ____ include": the sentence is about the forms. */
const SUBTYPES_OF_BLANK = /\b(?:forms?|kinds?|types?|examples?) of ____ (?:include|are)\b/;

/** "____ is an important step", "the ____ of salt", "____ in the port are 80 percent": true of other things too. */
const NON_UNIQUE_BLANKS = [
  /____ (?:is|are) (?:an? )?(?:necessary|important|key|crucial|vital|essential|critical|major) /,
  /____ (?:is|are) one of (?:the|many|several) |____ is an? (?:[\p{L}-]+ ){0,3}process that requires /u,
  /____ (?:performs?|plays?|serves?|has|have) (?:specific|many|several|different|various|a range of) /,
  /(?<!\b(?:as|called|termed|named) )\bthe ____ of\b/,
  /^(?:[^:?_]{2,60}: )?____ .*\d ?(?:%|percent)/,
];

/** "A lamp does not include a ____": it lacks many things. */
const ABSENCE_STATEMENT = /____ (?:(?:does|do|is|are) not (?:include|involve|contain|require|need)|(?:has|have) no)\b/;

const matchesAny =
  (...patterns: readonly RegExp[]) =>
  ({ question }: Candidate) =>
    patterns.some((pattern) => pattern.test(question));
const leaksAny =
  (...leaks: readonly ((question: string, answer: string) => boolean)[]) =>
  ({ question, answer }: Candidate) =>
    leaks.some((leaksAnswer) => leaksAnswer(question, answer));

/** Whether the author emphasised the blanked words in this sentence. */
export const isEmphasised = ({ fact, answer }: Candidate) =>
  fact.emphasised.some((emphasised) => phraseKey(emphasised) === phraseKey(answer));

/** Penalties for a blank; only the first match counts. */
const BLANK_PENALTIES: readonly (readonly [penalty: number, matches: (candidate: Candidate) => boolean])[] = [
  [PENALTY.ambiguous, matchesAny(UNSPECIFIED_GROUP, CONCESSION, SUBTYPES_OF_BLANK, NAMES_THING)],
  [PENALTY.ambiguous, leaksAny(leaksByPrefix, leaksByQuotation)],
  [PENALTY.ambiguous, ({ fact, answer }) => isHalfName(fact, answer)],
  [PENALTY.sparse, matchesAny(VAGUE_INVOLVEMENT)],
  [PENALTY.offTopic, matchesAny(NAMES_ANOTHER_TERM, DEPENDS_ON_LATER)],
  [PENALTY.partialLeak, matchesAny(...NON_UNIQUE_BLANKS)],
  [PENALTY.partialLeak, leaksAny(leaksByApposition)],
  [PENALTY.ambiguous, leaksAny(leaksCompoundPart)],
  [
    PENALTY.openQuestion,
    ({ question, fact }) => ABSENCE_STATEMENT.test(question) || ALSO_DEFINITION.test(fact.original),
  ],
  [PENALTY.ambiguous, matchesAny(ONE_OF_SEVERAL)],
  [PENALTY.ambiguous, (candidate) => !isEmphasised(candidate) && UNSPECIFIED_DEFINITE_BLANK.test(candidate.question)],
];

export const blankPenalty = (candidate: Candidate): number =>
  BLANK_PENALTIES.find(([, matches]) => matches(candidate))?.[0] ?? 0;
