import { asAnswer, asQuestion, type Candidate } from "../candidates.ts";
import type { Fact } from "../../source/facts.ts";
import { phraseKey } from "#shared/text/words.ts";

const SHORT_FORM = /((?:\p{L}[\p{L}'’/]{0,40}[\s-]{1,3}){1,6})\((\p{Lu}[\p{L}\d-]{1,7})\)/gu;

export interface ShortForm {
  short: string;
  long: string;
}

/** "deoxyribonucleic acid (DNA)": accepted only if the initials match. */
export function shortFormsIn(original: string): ShortForm[] {
  return [...original.matchAll(SHORT_FORM)].flatMap(([, before = "", short = ""]): ShortForm[] => {
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
    return [{ short, long: before.slice(Math.max(0, from)).trim() }];
  });
}

/** "photosystem II (PSII)" with the name emphasised: the initials needn't match. */
export function shortFormsOf(original: string, emphasised: readonly string[]): ShortForm[] {
  const found = shortFormsIn(original);
  for (const long of emphasised) {
    const at = original.indexOf(`${long} (`);
    const short =
      at === -1 ? undefined : /^\((\p{Lu}[\p{L}\d-]{1,7})\)/u.exec(original.slice(at + long.length + 1))?.[1];
    const isShort = short !== undefined && /\p{Lu}.*\p{Lu}/u.test(short) && short.length < long.length;
    const isFirst = isShort && short.charAt(0).toLowerCase() === long.charAt(0).toLowerCase();
    if (isFirst && !found.some((form) => form.short === short)) found.push({ short, long });
  }
  return found;
}

/** Asks what an abbreviation stands for. */
export const askShortForms = (fact: Fact): Candidate[] =>
  shortFormsIn(fact.original).map(({ short, long }) => ({
    style: "short_form",
    question: asQuestion(`What ${short.endsWith("s") ? "do" : "does"}`, short, "stand for"),
    answer: asAnswer(long),
    fact,
    termKey: phraseKey(short),
  }));
