import type { TopicHeading } from "../schema.ts";

/** What follows "X is" where the sentence says what happened to X, or how many there are, and not what X is. */
const NO_DEFINITION = String.raw`(?!\s+(?:not\s+)?(?:(?:\p{L}+ly|also|often|only|once|first|too|very|more|most|less)\s+)?(?:\p{L}{2,}ed|made|found|known|seen|built|given|taken|kept|held|used|shown|thought|born|drawn|sent|set|done|\p{L}{3,}ing|\p{N}[\p{N}.,]*|able|too|very|more|less|not|ge\p{L}{3,}[tn])(?!\p{L}))`;

/** What a sentence has to look like to stand under one of our headings. */
export const cues: Readonly<Record<TopicHeading, RegExp>> = {
  definition: new RegExp(
    String.raw`^(?:an?|the|ein|eine|der|die|das)?\s*[\p{L}\p{N}][\p{L}\p{N}\s(),’'-]{1,60}?\s(?:(?:is|are|was|were|ist|sind|war|waren)${NO_DEFINITION}|means|refers to|(?:is|are) (?:called|known as|defined as)|bezeichnet|nennt man)(?!\p{L})`,
    "iu",
  ),
  kinds:
    /(?:^|[^\p{L}])(?:types?|kinds?|stages?|phases?|classes|consists? of|composed of|made (?:up )?of|parts?|contains?|includes?|divided|arten|typen|besteht|bestehen|teile|umfasst|enthält)(?!\p{L})/iu,
  workings:
    /(?:^|[^\p{L}])(?:because|by|through|when|therefore|so that|causes?|leads? to|results? in|allows?|enables?|requires?|weil|durch|indem|damit|dadurch|führt|ermöglicht|bewirkt)(?!\p{L})/iu,
  figures: /\d/,
  limits:
    /(?:^|[^\p{L}])(?:however|but|although|except|exceptions?|limit(?:s|ed|ation)?|cannot|unlike|despite|problem|disadvantages?|only|rarely|loses?|lacks?|jedoch|aber|obwohl|außer|ausnahmen?|grenzen?|nicht|nur|selten)(?!\p{L})/iu,
  more: /./,
};

/** What a question of the student asks for, by its words. The first that fits counts. */
const QUESTION_KINDS: readonly (readonly [RegExp, TopicHeading])[] = [
  [/(?<!\p{L})(?:made (?:up )?of|consists? of|composed of|parts|kinds|types|stages|components|besteh(?:t|en)|arten|typen|bestandteile)(?!\p{L})/iu, "kinds"],
  [/(?<!\p{L})(?:limit(?:s|ed|ations?)?|disadvantages?|drawbacks?|problems?|exceptions?|grenzen|nachteile?|ausnahmen?)(?!\p{L})/iu, "limits"],
  [/(?<!\p{L})(?:when|how (?:many|much|long|old|tall|high|large|far|often|fast)|years?|figures|wann|wie (?:viele?|lange|alt|hoch|groß|weit|oft|schnell))(?!\p{L})/iu, "figures"],
  [/^\s*(?:what|who|was|wer)(?:['’]s|\s+(?:is|are|was|were|ist|sind|war|waren))(?!\p{L})/iu, "definition"],
  [/(?<!\p{L})(?:how|why|causes?|wie|warum|wieso|weshalb|wodurch)(?!\p{L})/iu, "workings"],
];

/** The kind of sentence that answers a question of the student; null where it does not show. */
export const kindOfQuestion = (question: string): TopicHeading | null =>
  QUESTION_KINDS.find(([pattern]) => pattern.test(question))?.[1] ?? null;
