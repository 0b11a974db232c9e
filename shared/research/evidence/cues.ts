import { tagSentence } from "#shared/text/tagging.ts";
import { isNominal } from "#shared/text/tokens.ts";
import type { TopicHeading } from "../schema.ts";

/** The kind of sentence that answers a question: that of a standard heading, or a comparison. */
type AnswerKind = TopicHeading | "comparison";

/** After "X is": what happened to X, where it is or how many there are, which is not a definition. */
const STATES_NO_DEFINITION =
  /^(?!defined (?:by|as)\s)(?:(?:not|also|often|only|once|first|too|very|much|far|even|more|most|less|both|\p{L}+ly)\s+)*(?:\p{L}{2,}ed|made|found|known|seen|built|given|taken|kept|held|shown|thought|born|drawn|sent|set|done|\p{L}{3,}ing|\p{N}[\p{N}.,]*|able|likely|similar|different|important|essential|necessary|possible|common|present|dependent|responsible|similarly|in|at|on|from|to|for|with|by|under|between|among|ge\p{L}{3,}[tn])(?!\p{L})/iu;
const SUBJECT_IS_COMPLEMENT =
  /^(?!(?:there|if|because|when|while|since|although|as|once|after|before|during|in|for)(?!\p{L}))([\p{L}\p{N}][\p{L}\p{N}\s()’'-]{1,70}?)\s(is|are|was|were|means|refers to|occurs when|involves(?= an? )|ist|sind|war|waren|bezeichnet|nennt man)\s+(.*)$/iu;
const ENGLISH_VERB = /^(?:is|are|was|were)$/iu;
/** The rest of a noun phrase after its head: "the mechanics of meiosis". */
const AFTER_HEAD = /\s(?:of|in|from|for|with|by|at|on|to|that|which|who|der|des|von|in|aus|die|das)\s.*$/iu;
/** "plasmids, which are shorter circular molecules", "plasmids (loops of DNA)", "chlorophyll, a pigment that …". */
const EXPLAINED_TERM =
  /(?<=^|[\s(])(?<!\b(?:in|of|from|with|by|at|on|to|between|and|or) (?:\p{L}+ )?)(\p{L}[\p{L}-]*(?: \p{L}[\p{L}-]*)?)(?:, which (?:is|are|was|were) (?=(?:an?|the|\p{Ll}+)\s)| \((?=\p{Ll}{3,}s? (?:of|that|in|for|which) \p{L})|, an? (?=\p{Ll}+ (?:that|which|of|in|for|composed|made)\s))/gu;
const TERM_AFTER_CALLED =
  /(?<![\p{L}-])(?:called|known as|termed|defined as|genannt|bezeichnet als)\s+(?:an?\s|the\s|eine?\s)?(\p{L}+(?:\s\p{L}+)?)/iu;

type TermMatcher = (text: string) => boolean;

/**
 * Whether a text names a thing: "A protein that …" does, "easily recognizable under …" and "so named because …" do not.
 */
function namesThing(text: string, rest: string): boolean {
  const start = text.length - rest.length;
  for (const token of tagSentence(text).filter((one) => one.start >= start)) {
    if (isNominal(token) || token.pos === "DET") return true;
    if (!/^(?:ADJ|ADV|NUM)$/.test(token.pos)) return false;
  }
  return false;
}

/** Whether a sentence defines one of the things: "Enzymes are proteins that …", "… a division called meiosis". */
function isDefinition(text: string, matchers: readonly TermMatcher[]): boolean {
  const containsNamed = (part: string) => matchers.some((isIn) => isIn(part));
  const [, subject = "", verb = "", rest = ""] = SUBJECT_IS_COMPLEMENT.exec(text) ?? [];
  const isThing = () => !ENGLISH_VERB.test(verb) || /^defined (?:by|as)\s/iu.test(rest) || namesThing(text, rest);
  if (subject !== "" && !STATES_NO_DEFINITION.test(rest) && containsNamed(subject.replace(AFTER_HEAD, "")) && isThing())
    return true;
  if (containsNamed(TERM_AFTER_CALLED.exec(text)?.[1] ?? "")) return true;
  return [...text.matchAll(EXPLAINED_TERM)].some(
    ({ index, 0: whole, 1: name = "" }) =>
      containsNamed(name) && !STATES_NO_DEFINITION.test(text.slice(index + whole.length)),
  );
}

const CUES: Readonly<Record<Exclude<AnswerKind, "definition">, RegExp>> = {
  kinds:
    /(?:^|[^\p{L}])(?:types?|kinds?|stages?|phases?|classes|consists? of|composed of|made (?:up )?of|parts|contains?|includes?|divided|arten|typen|besteht|bestehen|teile|umfasst|enthält)(?!\p{L})/iu,
  workings:
    /(?:^|[^\p{L}])(?:because|by \p{L}+ing|(?<!(?:is|are|was|were|be|been|being) (?:\p{L}+ly )?\p{L}+ )by|through|therefore|so that|in order to|causes?|caused|leads? to|led to|result(?:s|ed)? (?:in|from)|lets?|allows?|enables?|reasons?|requires?|convert(?:s|ed)?|transform(?:s|ed)?|derived from|generat(?:es?|ed)|produc(?:es?|ed) (?:by|from|when|in)|broken? down|process(?:es)?|mechanisms?|driv(?:es?|en)|weil|durch|indem|damit|dadurch|führt|ermöglicht|bewirkt)(?!\p{L})/iu,
  // Figures, except those in formulas and names, such as CO2, the 5' end and 7-methylguanosine.
  figures: /(?<![\p{L}\p{N}.,+−-])\p{N}[\p{N}.,]*(?![\p{N}]|[.,]\p{N}|-\p{L}|\\*['’′])/u,
  limits:
    /(?:^|[^\p{L}])(?:however|but|although|except|exceptions?|limit(?:s|ed|ation)?|cannot|unlike|despite|problem|disadvantages?|only|rarely|loses?|lacks?|insufficient|jedoch|aber|obwohl|außer|ausnahmen?|grenzen?|nicht|nur|selten)(?!\p{L})/iu,
  comparison:
    /(?:^|[^\p{L}])(?:whereas|while|unlike|than|differ(?:s|ed|ent|ence|ences)?|similar(?:ly)?|both|contrast|same|but|während|anders|als|unterscheid\p{L}*|unterschiede?|beide)(?!\p{L})/iu,
  more: /./,
};

/** Whether a sentence has the form that a heading or a question asks for. */
export function hasCue(text: string, kind: AnswerKind, matchers: readonly TermMatcher[]): boolean {
  if (kind === "definition") return isDefinition(text, matchers);
  // A sentence that names only one of the things does not compare them.
  if (kind === "comparison" && matchers.length > 1 && matchers.filter((isIn) => isIn(text)).length < 2) return false;
  return CUES[kind].test(text);
}

/** The kind of answer that a question of the student asks for, by its words; the first match counts. */
const QUESTION_KINDS: readonly (readonly [RegExp, AnswerKind])[] = [
  [
    /(?<!\p{L})(?:differ(?:s|ent|ence|ences)?|compare[ds]?|versus|vs|unterschied\p{L}*|unterscheid\p{L}*|vergleiche?)(?!\p{L})/iu,
    "comparison",
  ],
  [
    /(?<!\p{L})(?:made (?:up )?of|consists? of|composed of|parts|kinds|types|stages|components|besteh(?:t|en)|arten|typen|bestandteile)(?!\p{L})/iu,
    "kinds",
  ],
  [
    /(?<!\p{L})(?:limit(?:s|ed|ations?)?|disadvantages?|drawbacks?|problems?|exceptions?|grenzen|nachteile?|ausnahmen?)(?!\p{L})/iu,
    "limits",
  ],
  [
    /(?<!\p{L})(?:when|how (?:many|much|long|old|tall|high|large|far|often|fast)|years?|figures|wann|wie (?:viele?|lange|alt|hoch|groß|weit|oft|schnell))(?!\p{L})/iu,
    "figures",
  ],
  [/(?<!\p{L})(?:consequences?|effects?|impacts?|outcomes?|results? of|folgen|auswirkungen)(?!\p{L})/iu, "workings"],
  [/^\s*(?:what|who|was|wer)(?:['’]s|\s+(?:is|are|was|were|ist|sind|war|waren))(?!\p{L})/iu, "definition"],
  [
    /(?<!\p{L})(?:how|why|what happens|causes?|was passiert|was geschieht|wie|warum|wieso|weshalb|wodurch)(?!\p{L})/iu,
    "workings",
  ],
];

/** The kind of sentence that answers a question of the student; null if its words do not show it. */
export const kindOfQuestion = (question: string): AnswerKind | null =>
  QUESTION_KINDS.find(([pattern]) => pattern.test(question))?.[1] ?? null;
