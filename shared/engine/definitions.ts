import { isTermLabel } from "#shared/engine/labels.ts";
import { pointsBack, refuseSentence } from "#shared/engine/refusals.ts";
import { asAnswer, asQuestion, type Candidate, isShort, wordCount } from "#shared/engine/candidates.ts";
import { isBe, mainVerb, isFinite, RELATIVES, textOf } from "#shared/engine/clauses.ts";
import { cutSecondFact } from "#shared/engine/second-facts.ts";
import { type Fact } from "#shared/engine/facts.ts";
import { isNamed, type Lexicon, lowerFirst } from "#shared/engine/naming.ts";
import { isVerbal, type Token } from "#shared/engine/tokens.ts";
import { isGeneralWord, trimMarked } from "#shared/engine/terms.ts";
import { phraseKey } from "#shared/engine/words.ts";

const isNoun = (t: Token | undefined) => t !== undefined && /^(?:NOUN|PROPN)$/.test(t.pos);

/** "a small organ that …", "proteins made of …": the head of the phrase is a noun. */
function isNounPhrase(tokens: readonly Token[]): boolean {
  let i = /^(?:DET|NUM)$/.test(tokens[0]?.pos ?? "") ? 1 : 0;
  let last: Token | undefined;
  while (i < tokens.length && /^(?:ADJ|NOUN|PROPN|NUM|ADV|VERB)$/.test(tokens[i]?.pos ?? "")) {
    last = tokens[i];
    i++;
    if (isNoun(last) && tokens[i]?.pos === "VERB" && /(?:ed|en|ing)$/.test(tokens[i]?.lower ?? "")) break;
    if (
      /^(?:,|and|or)$/.test(tokens[i]?.text ?? "") &&
      /^(?:ADJ|VERB)$/.test(tokens[i + 1]?.pos ?? "") &&
      !isNoun(last)
    )
      i++;
  }
  return isNoun(last) && i > 0;
}

const withoutArticle = (tokens: readonly Token[]) =>
  /^(?:a|an|the)$/.test(tokens[0]?.lower ?? "") ? tokens.slice(1) : [...tokens];

const VAGUE_HEAD =
  /^(?:example|result|reason|difference|way|type|kind|case|one|exception|part|fact|problem|answer|point|idea|question|advantage|disadvantage|step|number|goal|key|most|majority|rest|others|all|some|many|each)s?$/;

/** "One X is", "Examples of": says what is so of something, not what something is. */
const isDefinable = (subject: readonly Token[]) =>
  !subject.some((t, i) => VAGUE_HEAD.test(t.lower) && (i < 2 || subject[i + 1]?.lower === "of")) &&
  !subject.some((t) => t.pos === "VERB" || t.text === ",");

const DEFINES = /^(?:a|an|the|any|one|\p{Ll}+s|\p{Ll}+ \p{Ll}+s)\b/u;
const COMPARES =
  /^(?:the (?:same|most|first|only|next|last|other|main|best|result|case|reason|key|largest|smallest)|one of|a (?:good|great|better|common|result|matter|part|lot|few|little|major|key|great deal|number|form|type|kind) |an (?:example|important|essential|excellent|integral))\b/i;

function copular(fact: Fact, lexicon: Lexicon): Candidate[] {
  const clause = fact.clause;
  if (!clause || clause.verbs.length !== 1 || !isBe(clause.verbs[0]) || clause.lead.length > 0) return [];
  const be = clause.verbs[0]?.lower ?? "is";
  const rest = cutSecondFact(clause.rest);
  const said = textOf(rest, fact.text);
  const named = textOf(clause.subject, fact.text);
  const isGeneric = /^(?:a|an)$/.test(clause.subject[0]?.lower ?? "") && clause.subject.length < 5;
  if (!isShort(clause.subject, 6) || wordCount(said) < 3 || !isNounPhrase(rest)) return [];
  if (!isGeneric && !isNamed(clause.subject, lexicon)) return [];
  if ((rest[0]?.pos === "ADV" && rest[1]?.pos !== "ADJ") || said.includes("respectively")) return [];
  if (/^(?:was|were)$/.test(be) || !isDefinable(clause.subject)) return [];
  const found: Candidate[] = [];
  const bare = textOf(withoutArticle(clause.subject), fact.text);
  const term = lexicon.terms.get(bare);
  const isTerm = term !== undefined || clause.subject.length <= 3;
  const style = COMPARES.test(said) || clause.subject.some((t) => t.lower === "of") ? "fact" : "definition";
  if (!isTerm && style === "definition") return [];
  const about = term ? { termKey: term.key } : {};
  found.push({
    style,
    question: asQuestion("What", be, lowerFirst(named, lexicon)),
    answer: asAnswer(said),
    fact,
    ...about,
  });
  if (term && style === "definition" && DEFINES.test(said) && wordCount(said) > 5)
    found.push({
      style: "term",
      question: asQuestion("What is the term for", said),
      answer: asAnswer(bare),
      fact,
      termKey: term.key,
    });
  return found;
}

const matterOf = (tokens: readonly Token[]) =>
  tokens.filter((t) => /^(?:NOUN|PROPN|ADJ|VERB)$/.test(t.pos) && !isGeneralWord(t.lower)).length;

const CALLS = /^(?:called|termed|named|dubbed|known|defined|referred|designated)$/;

/** "S is called T": asks for the name. */
function called(fact: Fact, lexicon: Lexicon): Candidate[] {
  const clause = fact.clause;
  const verb = clause?.verbs.at(-1);
  if (!clause || !verb || clause.verbs.length < 2 || !CALLS.test(verb.lower)) return [];
  const rest = clause.rest;
  const skip = rest[0]?.lower === "as" ? 1 : rest[0]?.lower === "to" && rest[1]?.lower === "as" ? 2 : 0;
  const name = withoutArticle(cutSecondFact(rest.slice(skip)));
  const named = textOf(name, fact.text);
  // "These nucleotide triplets are called": the words after "these" say enough, when they do.
  const points = /^(?:this|these)$/.test(clause.subject[0]?.lower ?? "");
  const unpointed = points ? clause.subject.slice(1) : clause.subject;
  const isPlural = clause.subject[0]?.lower === "these";
  const subject = (points && !isPlural ? "the " : "") + textOf(unpointed, fact.text);
  const described = wordCount(subject);
  if (
    (points && matterOf(unpointed) < 2 && unpointed.filter((t) => /^(?:NOUN|PROPN|ADJ)$/.test(t.pos)).length < 4) ||
    (points && matterOf(unpointed) < 3 && !isPlural && unpointed.length < 4)
  )
    return [];
  if (!isNamed(unpointed, lexicon) || !isShort(name, 5) || !isNounPhrase(name) || name.some((t) => t.pos === "ADP"))
    return [];
  if (described < 2 || described > 20) return [];
  const lead = clause.lead.length > 0 ? `${textOf(clause.lead, fact.text)}, ` : "";
  const group = textOf(clause.verbs, fact.text);
  const be = clause.verbs[0]?.lower ?? "is";
  const asks =
    verb.lower === "defined"
      ? undefined
      : asQuestion(
          lead + (lead ? "what" : "What"),
          be,
          lowerFirst(subject, lexicon),
          group.slice(be.length).trim(),
          textOf(rest.slice(0, skip), fact.text),
        );
  if (asks === undefined)
    return [
      {
        style: "definition",
        question: asQuestion("How", be, lowerFirst(subject, lexicon), "defined"),
        answer: asAnswer(textOf(rest, fact.text)),
        fact,
      },
    ];
  return [{ style: "term", question: asks, answer: asAnswer(named), fact, termKey: phraseKey(named) }];
}

/** "an area within the nucleus called the T": asks for the name where a noun phrase of some length carries it. */
function calledInline(fact: Fact, lexicon: Lexicon): Candidate[] {
  const tokens = fact.tokens;
  const at = tokens.findIndex((t, i) => i > 3 && CALLS.test(t.lower) && !isBe(tokens[i - 1]) && t.lower !== "defined");
  if (at === -1) return [];
  const skip = tokens[at + 1]?.lower === "as" ? 2 : 1;
  const after = fact.text.slice(tokens[at + skip]?.start ?? fact.text.length).replace(/^(?:the|a|an) /, "");
  const name = fact.marked.map(trimMarked).find((m) => after.toLowerCase().startsWith(m.toLowerCase()));
  const end = tokens[at - 1]?.text === "," ? at - 1 : at;
  const from = phraseStart(tokens, end);
  const described = tokens.slice(from, end);
  if (name === undefined || matterOf(described) < 3 || !isNamed(described, lexicon) || !isNounPhrase(described))
    return [];
  const head = described[Math.max(0, described.findIndex((t) => t.pos === "ADP") - 1)] ?? described.at(-1);
  const be = /[^sui]s$/.test(head?.lower ?? "") && !/^(?:a|an)$/.test(described[0]?.lower ?? "") ? "are" : "is";
  const question = asQuestion("What", be, lowerFirst(textOf(described, fact.text), lexicon), "called");
  return [
    {
      style: "term",
      question,
      answer: asAnswer(
        fact.text
          .slice(fact.text.toLowerCase().indexOf(name.toLowerCase(), tokens[at]?.end ?? 0))
          .slice(0, name.length),
      ),
      fact,
      termKey: phraseKey(name),
    },
  ];
}

/** Back over nouns, adjectives and "of" to where the noun phrase begins. */
function phraseStart(tokens: readonly Token[], end: number): number {
  let from = end;
  while (from > 0 && end - from < 12) {
    const token = tokens[from - 1];
    if (
      !token ||
      !/^(?:NOUN|PROPN|ADJ|ADP|NUM|DET)$/.test(token.pos) ||
      /^(?:this|these|those|its|their|by|as|through|into|to|from)$/.test(token.lower)
    )
      break;
    from--;
    if (/^(?:a|an)$/.test(token.lower) && !/^(?:ADP)$/.test(tokens[from - 1]?.pos ?? "")) break;
  }
  while (from < end && tokens[from]?.pos === "ADP") from++;
  return from;
}

/** "T, a membrane that …, does": the words between the commas say what T is. */
function apposition(fact: Fact, lexicon: Lexicon): Candidate[] {
  const tokens = fact.tokens;
  for (let i = 1; i < tokens.length - 4; i++) {
    if (!/^[,—–]$/.test(tokens[i]?.text ?? "") || !/^(?:a|an|the)$/.test(tokens[i + 1]?.lower ?? "")) continue;
    const close = tokens.findIndex((t, j) => j > i + 1 && /^[,.;:—–]$/.test(t.text));
    const gloss = tokens.slice(i + 1, close === -1 ? tokens.length : close);
    if (isLeadComma(tokens, i)) continue;
    const name = nameBefore(fact, i, lexicon);
    if (!name || gloss.length < 5 || !isNounPhrase(gloss) || hasLooseVerb(gloss) || isListed(tokens, i, close))
      continue;
    const term = lexicon.terms.get(name);
    if (!term?.isMarked) continue;
    const be = /[^su]s$/.test(name) && !/^(?:a|an) /.test(textOf(gloss, fact.text)) ? "are" : "is";
    return [
      {
        style: "definition",
        question: asQuestion("What", be, lowerFirst(articled(name, fact, be), lexicon)),
        answer: asAnswer(textOf(gloss, fact.text)),
        fact,
        termKey: term.key,
      },
    ];
  }
  return [];
}

/** The comma that closes "In the first stage," opens no apposition. */
const isLeadComma = (tokens: readonly Token[], comma: number) =>
  /^(?:ADP|SCONJ|ADV)$/.test(tokens[0]?.pos ?? "") && !tokens.slice(0, comma).some((t) => t.text === ",");

/** The marked term that ends right before the comma. */
function nameBefore(fact: Fact, comma: number, lexicon: Lexicon): string | undefined {
  for (let size = Math.min(5, comma); size > 0; size--) {
    const name = textOf(fact.tokens.slice(comma - size, comma), fact.text);
    if (!lexicon.terms.get(name)?.isMarked || /^(?:the|a|an) /i.test(name)) continue;
    // "the wall of the cell, a layer that": it is the wall that is explained.
    const before = fact.tokens.slice(Math.max(0, comma - size - 2), comma - size);
    return before.some((t) => t.lower === "of") ? undefined : name;
  }
  return undefined;
}

function articled(name: string, fact: Fact, be: string): string {
  const at = fact.text.toLowerCase().indexOf(name.toLowerCase());
  const article = /\b(a|an|the)\s+$/i.exec(fact.text.slice(0, at))?.[1]?.toLowerCase();
  return article && be === "is" ? `${article} ${name}` : name;
}

/** A verb of its own that no "that" or "which" introduces: then this was no apposition. */
function hasLooseVerb(tokens: readonly Token[]): boolean {
  const verbs = tokens.filter((t, i) => isFinite(tokens, i) && !/(?:ed|en)$/.test(t.lower) && !isVerbal(tokens[i - 1]));
  return verbs.length > tokens.filter((t) => RELATIVES.has(t.lower)).length;
}

const isListed = (tokens: readonly Token[], comma: number, close: number) =>
  /^(?:and|or)$/.test(tokens[close + 1]?.lower ?? "") ||
  tokens.slice(0, comma).some((t, i) => t.text === "," && i > comma - 6);

/** "Isthmus: a narrow strip of land": how notes define. */
function labelled(fact: Fact, lexicon: Lexicon): Candidate[] {
  const label = fact.label;
  const said = fact.text.replace(/[.;]$/, "");
  const count = wordCount(said);
  if (label === undefined || !isTermLabel(label) || count < 3 || count > 22) return [];
  if (mainVerb(fact.tokens) > 0 || (fact.tokens.length > 0 && !isNounPhrase(fact.tokens))) return [];
  const isRefused = refuseSentence(said.length < 40 ? `${said} and so it is.` : `${said}.`) !== undefined;
  if (isRefused || pointsBack(said)) return [];
  const bare = label.replace(/^(?:the|an?) /i, "");
  const term = { termKey: phraseKey(bare) };
  const be = /[^sui]s$/i.test(label) && !/^an? /i.test(said) ? "are" : "is";
  const definition = {
    style: "definition" as const,
    question: asQuestion("What", be, lowerFirst(label, lexicon)),
    answer: asAnswer(said),
    fact,
    ...term,
  };
  const question = asQuestion("What is the term for", said.charAt(0).toLowerCase() + said.slice(1));
  return [definition, { style: "term", question, answer: asAnswer(bare), fact, ...term }];
}

const SHORT_FORM = /((?:[\p{L}][\p{L}'’/-]*[\s-]+){1,6})\(([\p{L}\d-]{2,8})\)/gu;

/** "carbon dioxide (CO)": asked only when the letters of the short form open the words before it. */
function shortForms(fact: Fact): Candidate[] {
  const found: Candidate[] = [];
  for (const [, before = "", short = ""] of fact.raw.matchAll(SHORT_FORM)) {
    if (!/\p{Lu}.*\p{Lu}/u.test(short)) continue;
    const letters = short
      .replace(/s$/, "")
      .replace(/[^\p{L}]/gu, "")
      .toLowerCase();
    const words = before.trim().split(/[\s-]+/);
    const used = words.slice(-letters.length);
    if (used.length !== letters.length || used.some((w, i) => w[0]?.toLowerCase() !== letters[i])) continue;
    const at = before.trimEnd().lastIndexOf(used[0] ?? "");
    found.push({
      style: "short_form",
      question: asQuestion("What does", short, "stand for"),
      answer: asAnswer(before.trim().slice(Math.max(0, at))),
      fact,
      termKey: phraseKey(short),
    });
  }
  return found;
}

/** What is it, what is it called, what does it stand for. */
export function askDefinitions(fact: Fact, lexicon: Lexicon): Candidate[] {
  const labels = labelled(fact, lexicon);
  if (labels.length > 0) return labels;
  if (!fact.isSound) return fact.isLeaning ? called(fact, lexicon) : [];
  return [
    ...copular(fact, lexicon),
    ...called(fact, lexicon),
    ...calledInline(fact, lexicon),
    ...apposition(fact, lexicon),
    ...shortForms(fact),
  ];
}
