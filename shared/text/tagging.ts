import model from "wink-eng-lite-web-model";
import winkNLP, { type ItsFunction, type WinkMethods } from "wink-nlp";
import { correctTags } from "./tagging/pos-corrections.ts";
import type { Token } from "./tokens.ts";

let tagger: WinkMethods | undefined;

const accessor = (name: "pos" | "lemma"): ItsFunction<string> => {
  // The package types these accessors narrower than the call that takes them.
  const its = tagger?.its as unknown as Record<string, ItsFunction<string>>;
  const found = its[name];
  if (!found) throw new Error(`wink-nlp has no accessor ${name}`);
  return found;
};

/** "membrane-bound", "light-dependent": a compound with a participle isn't a verb. */
const compoundPos = (token: Token) =>
  token.pos === "VERB" || /^(?:like|based|free|rich|wide|specific|dependent)$/.test(token.lower) ? "ADJ" : token.pos;

/** Joins hyphenated words, and "'s" with its noun. */
function joinHyphens(tokens: Token[], text: string): Token[] {
  const joined: Token[] = [];
  for (const token of tokens) {
    const last = joined.at(-1);
    const glued = last !== undefined && last.end === token.start;
    const hyphen = /^[-\u2010\u2011]$/.test(token.text) || (last !== undefined && /[-\u2010\u2011]$/.test(last.text));
    const possessive = /^['’]s?$/.test(token.text);
    if (!glued || !(hyphen || possessive)) {
      joined.push(token);
      continue;
    }
    last.end = token.end;
    last.text = text.slice(last.start, last.end);
    last.lower = last.text.toLowerCase();
    last.lemma = last.lower;
    last.pos = possessive ? "DET" : token.pos === "PUNCT" ? last.pos : compoundPos(token);
  }
  return joined;
}

/** The words of an English sentence with part of speech and lemma. */
export function tagSentence(text: string): Token[] {
  tagger ??= winkNLP(model, ["pos"]);
  const words = tagger.readDoc(text).tokens();
  const values = words.out();
  const tags = words.out(accessor("pos"));
  const lemmas = words.out(accessor("lemma"));
  let at = 0;
  const tokens: Token[] = [];
  for (const [i, value] of values.entries()) {
    const start = text.indexOf(value, at);
    if (start === -1) continue;
    at = start + value.length;
    tokens.push({
      text: value,
      lower: value.toLowerCase(),
      pos: tags[i] ?? "X",
      lemma: lemmas[i] ?? value,
      start,
      end: at,
    });
  }
  const joined = joinHyphens(tokens, text);
  correctTags(joined);
  return joined;
}
