import { asAnswer, asQuestion, type Candidate, isShort, wordCount } from "#shared/engine/candidates.ts";
import { type Clause, textOf } from "#shared/engine/clauses.ts";
import type { Fact } from "#shared/engine/facts.ts";
import { isTermLabel } from "#shared/engine/labels.ts";
import { askInlineName, askNames } from "#shared/engine/names.ts";
import { isNamed, type Lexicon, lowerFirst } from "#shared/engine/naming.ts";
import { isNounPhrase, isPluralWord, withoutArticle } from "#shared/engine/noun-phrases.ts";
import { pointsBack, refuseSentence } from "#shared/engine/refusals.ts";
import { cutSecondFact } from "#shared/engine/second-facts.ts";
import { isVerbal, posAt, type Token, wordAt } from "#shared/engine/tokens.ts";
import { isFinite, mainVerb, RELATIVES } from "#shared/engine/verbs.ts";
import { phraseKey } from "#shared/engine/words.ts";

const VAGUE_HEAD =
  /^(?:example|result|reason|difference|way|type|kind|case|one|exception|part|fact|problem|answer|point|idea|question|advantage|disadvantage|step|number|goal|key|most|majority|rest|others|all|some|many|each)s?$/;

/** "One X is", "Examples of": says what is so of something, not what something is. */
const isDefinable = (subject: readonly Token[]) =>
  !subject.some((t, i) => VAGUE_HEAD.test(t.lower) && (i < 2 || subject[i + 1]?.lower === "of")) &&
  !subject.some((t) => t.pos === "VERB" || t.text === ",");

const DEFINES = /^(?:a|an|the|any|one|\p{Ll}+s|\p{Ll}+ \p{Ll}+s)\b/u;
const COMPARES =
  /^(?:the (?:same|most|first|only|next|last|other|main|best|result|case|reason|key|largest|smallest)|one of|a (?:good|great|better|common|result|matter|part|lot|few|little|major|key|great deal|number|form|type|kind) |an (?:example|important|essential|excellent|integral))\b/i;

const isGeneric = (subject: readonly Token[]) => /^(?:a|an)$/.test(wordAt(subject, 0)) && subject.length < 5;

/** "X is a Y that …", and nothing before it: what X is can be asked. */
function isIdentity(clause: Clause, rest: readonly Token[], lexicon: Lexicon): boolean {
  const { subject, verbs, lead } = clause;
  if (verbs.length !== 1 || !/^(?:is|are)$/.test(wordAt(verbs, 0)) || lead.length > 0) return false;
  if (!isShort(subject, 6) || !isNounPhrase(rest) || !isDefinable(subject)) return false;
  if (posAt(rest, 0) === "ADV" && posAt(rest, 1) !== "ADJ") return false;
  return isGeneric(subject) || isNamed(subject, lexicon);
}

/** What X is said to be; "" when it is not said in so many words. */
function identityText(fact: Fact, lexicon: Lexicon): string {
  const rest = fact.clause ? cutSecondFact(fact.clause.rest) : [];
  const said = textOf(rest, fact.text);
  const isSaid = wordCount(said) > 2 && !said.includes("respectively");
  return fact.clause && isSaid && isIdentity(fact.clause, rest, lexicon) ? said : "";
}

function identity(fact: Fact, lexicon: Lexicon): Candidate[] {
  const said = identityText(fact, lexicon);
  const { subject, verbs } = fact.clause ?? { subject: [], verbs: [] };
  const bare = textOf(withoutArticle(subject), fact.text);
  const term = lexicon.terms.get(bare);
  const isFact = COMPARES.test(said) || subject.some((t) => t.lower === "of");
  if (said === "" || (!isFact && !term && subject.length > 3)) return [];
  const about = term ? { termKey: term.key } : {};
  const what = asQuestion("What", wordAt(verbs, 0), lowerFirst(textOf(subject, fact.text), lexicon));
  const style = isFact ? "fact" : "definition";
  const found: Candidate = { style, question: what, answer: asAnswer(said), fact, ...about };
  return [found, ...(term && !isFact ? askTermFor(said, bare, found) : [])];
}

/** The definition asked the other way round, when it is long enough to find the word by. */
function askTermFor(said: string, bare: string, { fact, termKey }: Candidate): Candidate[] {
  if (!DEFINES.test(said) || wordCount(said) < 6 || termKey === undefined) return [];
  return [{ style: "term", question: asQuestion("What is the term for", said), answer: asAnswer(bare), fact, termKey }];
}

/** "T, a membrane that …, does": the words between the commas say what T is. */
function apposition(fact: Fact, lexicon: Lexicon): Candidate[] {
  for (let i = 1; i < fact.tokens.length - 4; i++) {
    const gloss = glossAfter(fact.tokens, i);
    const name = gloss ? nameBefore(fact, i, lexicon) : undefined;
    const term = name === undefined ? undefined : lexicon.terms.get(name);
    if (!gloss || name === undefined || !term) continue;
    const said = textOf(gloss, fact.text);
    const be = isPluralWord(name) && !/^an? /.test(said) ? "are" : "is";
    const question = asQuestion("What", be, lowerFirst(be === "is" ? withArticle(name, fact) : name, lexicon));
    return [{ style: "definition", question, answer: asAnswer(said), fact, termKey: term.key }];
  }
  return [];
}

/** What stands between this comma or dash and the next, when it can only explain the name before it. */
function glossAfter(tokens: readonly Token[], at: number): readonly Token[] | undefined {
  const opens = /^[,—–]$/.test(wordAt(tokens, at)) && /^(?:a|an|the)$/.test(wordAt(tokens, at + 1));
  if (!opens || isLeadComma(tokens, at)) return undefined;
  const close = tokens.findIndex((t, j) => j > at + 1 && /^[,.;:—–]$/.test(t.text));
  const gloss = tokens.slice(at + 1, close === -1 ? tokens.length : close);
  const isGloss = gloss.length > 4 && isNounPhrase(gloss) && !hasLooseVerb(gloss) && !isListed(tokens, at, close);
  return isGloss ? gloss : undefined;
}

/** The comma that closes "In the first stage," opens no apposition. */
const isLeadComma = (tokens: readonly Token[], comma: number) =>
  /^(?:ADP|SCONJ|ADV)$/.test(tokens[0]?.pos ?? "") && !tokens.slice(0, comma).some((t) => t.text === ",");

/** A verb of its own that no "that" or "which" introduces: then this was no apposition. */
function hasLooseVerb(tokens: readonly Token[]): boolean {
  const verbs = tokens.filter((t, i) => isFinite(tokens, i) && !/(?:ed|en)$/.test(t.lower) && !isVerbal(tokens[i - 1]));
  return verbs.length > tokens.filter((t) => RELATIVES.has(t.lower)).length;
}

const isListed = (tokens: readonly Token[], comma: number, close: number) =>
  /^(?:and|or)$/.test(tokens[close + 1]?.lower ?? "") ||
  tokens.slice(0, comma).some((t, i) => t.text === "," && i > comma - 6);

/** The marked term that ends right before the comma. */
function nameBefore(fact: Fact, comma: number, lexicon: Lexicon): string | undefined {
  for (let size = Math.min(5, comma); size > 0; size--) {
    const name = textOf(fact.tokens.slice(comma - size, comma), fact.text);
    if (!lexicon.terms.get(name)?.isMarked || /^(?:the|a|an) /i.test(name)) continue;
    // "messenger RNA, a copy that": it is not all of RNA that is explained.
    if (/^(?:ADJ|NOUN|PROPN)$/.test(posAt(fact.tokens, comma - size - 1))) return undefined;
    // "the wall of the cell, a layer that": it is the wall that is explained.
    const before = fact.tokens.slice(Math.max(0, comma - size - 2), comma - size);
    return before.some((t) => t.lower === "of") ? undefined : name;
  }
  return undefined;
}

function withArticle(name: string, fact: Fact): string {
  const at = fact.text.toLowerCase().indexOf(name.toLowerCase());
  const article = /\b(a|an|the)\s+$/i.exec(fact.text.slice(0, at))?.[1]?.toLowerCase();
  return article === undefined ? name : `${article} ${name}`;
}

/** Whether the words after a label explain it and stand alone. */
function explainsLabel(fact: Fact, said: string): boolean {
  const count = wordCount(said);
  if (count < 3 || count > 22 || mainVerb(fact.tokens) > 0) return false;
  if (fact.tokens.length > 0 && !isNounPhrase(fact.tokens)) return false;
  // Short explanations are no sentences; they are judged as part of one.
  const isRefused = refuseSentence(count < 6 ? `${said} and so it is.` : `${said}.`) !== undefined;
  return !isRefused && !pointsBack(said);
}

/** "Isthmus: a narrow strip of land": how notes define. */
function labelled(fact: Fact, lexicon: Lexicon): Candidate[] {
  const label = fact.label;
  const said = fact.text.replace(/[.;]$/, "");
  if (label === undefined || !isTermLabel(label) || !explainsLabel(fact, said)) return [];
  const bare = label.replace(/^(?:the|an?) /i, "");
  const termKey = phraseKey(bare);
  const be = isPluralWord(label) && !/^an? /i.test(said) ? "are" : "is";
  const what = asQuestion("What", be, lowerFirst(label, lexicon));
  const which = asQuestion("What is the term for", lowerFirst(said, lexicon));
  return [
    { style: "definition", question: what, answer: asAnswer(said), fact, termKey },
    { style: "term", question: which, answer: asAnswer(bare), fact, termKey },
  ];
}

const SHORT_FORM = /((?:\p{L}[\p{L}'’/]{0,40}[\s-]{1,3}){1,6})\((\p{Lu}[\p{L}\d-]{1,7})\)/gu;

/** "deoxyribonucleic acid (DNA)": asked only when the letters of the short form open the words before it. */
function shortForms(fact: Fact): Candidate[] {
  return [...fact.raw.matchAll(SHORT_FORM)].flatMap(([, before = "", short = ""]): Candidate[] => {
    const letters = short
      .replace(/s$/, "")
      .replace(/[^\p{L}]/gu, "")
      .toLowerCase();
    const words = before
      .trim()
      .split(/[\s-]+/)
      .slice(-letters.length);
    const spells = words.length === letters.length && words.every((w, i) => w[0]?.toLowerCase() === letters[i]);
    if (!spells || letters.length < 2 || !/\p{Lu}.*\p{Lu}/u.test(short)) return [];
    const from = before.lastIndexOf(words[0] ?? "", before.length - words.join(" ").length);
    const answer = asAnswer(before.slice(Math.max(0, from)).trim());
    return [
      {
        style: "short_form",
        question: asQuestion("What does", short, "stand for"),
        answer,
        fact,
        termKey: phraseKey(short),
      },
    ];
  });
}

/** What is it, what is it called, what does it stand for. */
export function askDefinitions(fact: Fact, lexicon: Lexicon): Candidate[] {
  const labels = labelled(fact, lexicon);
  if (labels.length > 0) return labels;
  if (!fact.isSound) return fact.isLeaning ? askNames(fact, lexicon) : [];
  const names = [...askNames(fact, lexicon), ...askInlineName(fact, lexicon)];
  return [...identity(fact, lexicon), ...names, ...apposition(fact, lexicon), ...shortForms(fact)];
}
