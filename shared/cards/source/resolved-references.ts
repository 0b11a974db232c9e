import { textOf } from "#shared/text/clauses.ts";
import { type Fact, partOf } from "./facts.ts";
import { isNamed, type Lexicon, upperFirst } from "./lexicon.ts";
import { isPluralWord } from "./noun-phrases.ts";
import { nounPhrases } from "./terms.ts";
import { type Token, wordAt } from "#shared/text/tokens.ts";
import { bareName, contentStems, phraseKey, singular } from "#shared/text/words.ts";

/** The subject of the previous sentence, if it is a term of the source and the only candidate. */
function topicOf({ clause, text }: Fact, lexicon: Lexicon): { named: string; isPlural: boolean } | undefined {
  if (!clause || clause.lead.length > 0 || clause.subject.length > 5) return undefined;
  const named = textOf(clause.subject, text);
  const term = lexicon.terms.get(bareName(named));
  if (!term || !isNamed(clause.subject, lexicon)) return undefined;
  const verb = wordAt(clause.verbs, 0);
  const isPlural =
    /^(?:are|were|have|do)$/.test(verb) ||
    (isPluralWord(clause.subject.at(-1)?.lower ?? "") && !/^(?:is|was|has|does)$/.test(verb));
  return { named, isPlural };
}

/** "It is the driver that needs the fonts": "it" refers to nothing in earlier sentences. */
const CLEFT_SENTENCE = /^It (?:is|was) the (?:\p{L}+ ){1,4}(?:that|who)\b/u;

/** "It is able to", "It is ready to": here "it" is a thing. */
const PREDICATE_ADJECTIVE = /^(?:un)?(?:able|likely|ready|free|eager|quick|slow|willing|due|sure)$/;

/** "It is quite common and useful to have …", "It is odd that …": "it" stands for what follows. */
export function isAnticipatory({ tokens }: Pick<Fact, "tokens">): boolean {
  if (wordAt(tokens, 0) !== "it" || !/^(?:is|was|becomes|remains|seems)$/.test(wordAt(tokens, 1))) return false;
  const words = tokens.slice(2);
  const end = words.findIndex(({ pos, lower }) => !/^(?:ADV|ADJ)$/.test(pos) && !/^(?:and|or|but)$/.test(lower));
  const adjective = words[end - 1];
  if (adjective?.pos !== "ADJ" || PREDICATE_ADJECTIVE.test(adjective.lower)) return false;
  const [next, after] = [wordAt(words, end), words[end + 1]];
  return next === "that" || (next === "to" && after?.pos === "VERB");
}

/** "T is a …. It does that": T does that. */
function withTopic(fact: Fact, previous: Fact, lexicon: Lexicon): string | undefined {
  const [, pronoun = "", rest = ""] =
    /^(It|They) (?:also |then )?((?!is (?:important|possible|likely|clear|thought|known|called|said|believed)\b).+)$/.exec(
      fact.text,
    ) ?? [];
  const topic =
    rest === "" || CLEFT_SENTENCE.test(fact.text) || isAnticipatory(fact) ? undefined : topicOf(previous, lexicon);
  return topic && topic.isPlural === (pronoun === "They") ? `${upperFirst(topic.named)} ${rest}` : undefined;
}

/** "The pairs", "this reaction": a subject of a single noun. */
function nounAlone({ clause }: Fact, lexicon: Lexicon): Token | undefined {
  const [the, noun, ...more] = clause?.subject ?? [];
  if (!the || !noun || more.length > 0 || !/^(?:the|this|these)$/.test(the.lower)) return undefined;
  return the.lower === "the" && isNamed([the, noun], lexicon) ? undefined : noun;
}

/** "homologous pairs …. The pairs are": the homologous pairs are, unless the previous sentence mentions other pairs. */
function withFullName(fact: Fact, previous: Fact, lexicon: Lexicon): string | undefined {
  const { text } = fact;
  const noun = nounAlone(fact, lexicon);
  if (!noun) return undefined;
  const found = new Map(
    nounPhrases(previous.tokens)
      .filter((phrase) => phrase.length > 1 && endsWithNoun(phrase, noun))
      .map((phrase) => [phraseKey(textOf(phrase, previous.text)), textOf(phrase, previous.text)]),
  );
  const [full] = found.values();
  if (found.size !== 1 || full === undefined) return undefined;
  const modifiers = full.split(" ").slice(0, -1).join(" ");
  // "two haploid cells …. The cells are haploid because": the sentence explains the adjective.
  const textStems = new Set(contentStems(text));
  if (contentStems(modifiers).some((stem) => textStems.has(stem))) return undefined;
  // "Natural Questions": a name of several words keeps its capitals.
  const isTitle = /^\p{Lu}\S* (?:\S+ )*\p{Lu}/u.test(full);
  const name = isTitle ? modifiers : modifiers.charAt(0).toLowerCase() + modifiers.slice(1);
  const opening = text
    .slice(0, noun.start)
    .replace(/\bth(?:is|ese) $/, "the ")
    .replace(/\bTh(?:is|ese) $/, "The ");
  const rest = isTitle ? upperFirst(text.slice(noun.start)) : text.slice(noun.start);
  return `${opening}${previous.text.startsWith(full) ? name : modifiers} ${rest}`;
}

const endsWithNoun = (phrase: readonly Token[], noun: Token) => {
  const last = phrase.at(-1)?.lower ?? "";
  return singular(last) === singular(noun.lower) && isPluralWord(last) === isPluralWord(noun.lower);
};

/** "They have …. They are …": both refer to the sentence before the first. */
function antecedentOf(fact: Fact): Fact | undefined {
  const { previous } = fact;
  const [pronoun] = /^(?:It|They)(?= )/.exec(fact.text) ?? [];
  const repeatsPronoun =
    pronoun !== undefined && previous?.needsContext === true && previous.text.startsWith(`${pronoun} `);
  return repeatsPronoun ? previous.previous : previous;
}

/** A sentence with its reference to the previous one resolved; the quote has both sentences. */
export function resolveReferences(fact: Fact, lexicon: Lexicon): Fact[] {
  const previous = antecedentOf(fact);
  if (!previous?.isSelfContained || fact.isPart) return [];
  const text = withTopic(fact, previous, lexicon) ?? withFullName(fact, previous, lexicon);
  if (text === undefined) return [];
  const resolved = partOf(fact, text);
  return resolved.isSelfContained ? [{ ...resolved, start: previous.start, original: fact.original }] : [];
}
