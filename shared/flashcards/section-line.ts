import { contentStems } from "#shared/text/words.ts";
import type { Flashcard } from "./schema.ts";

interface SectionLine {
  /** The heading above the cited passage; null without one, or if it gives the answer away. */
  section: string | null;
  /** What the stored question begins with and the section repeats, such as "Zygomycota: "; mostly "". */
  prefix: string;
  /** The question without the prefix. */
  question: string;
}

/** "Zygomycota: What is a sporangium?": the name of a topic, and the question about it. */
const PREFIXED = /^([^:?]{2,60}): (.+)$/su;

const repeats = (section: string, prefix: string) => section.toLowerCase().includes(prefix.toLowerCase());

/** The heading to store with a card: the one that its question begins with, otherwise the nearest. */
export function chooseSection(question: string, headings: readonly string[]): string | undefined {
  const [, prefix] = PREFIXED.exec(question) ?? [];
  return (prefix === undefined ? undefined : headings.find((one) => repeats(one, prefix))) ?? headings[0];
}

const SHORT_FORM = /^\p{Lu}{2,6}$/u;
const initialsOf = (text: string) =>
  (text.match(/\p{L}+/gu) ?? []).map((word) => word.charAt(0).toUpperCase()).join("");

/** "Polymerase chain reaction" reveals its words and the short form PCR, and "PCR" what it stands for. */
function revealsAnswer(section: string, answer: string): boolean {
  const answerStems = new Set(contentStems(answer));
  if (contentStems(section).some((stem) => answerStems.has(stem))) return true;
  const shortAnswer = answer.replace(/\W+$/u, "");
  if (SHORT_FORM.test(shortAnswer) && initialsOf(section).includes(shortAnswer)) return true;
  const initials = initialsOf(answer);
  return initials.length > 1 && section.split(/[^\p{L}\p{N}]+/u).includes(initials);
}

/** What to show above a card's question: "Zygomycota: What is a sporangium?" loses the words that the heading has. */
export function splitSectionLine(card: Pick<Flashcard, "question" | "answer" | "citation" | "section">): SectionLine {
  const { question, answer, citation, section } = card;
  if (section === undefined || citation === null || revealsAnswer(section, answer))
    return { section: null, prefix: "", question };
  const [, name, rest] = PREFIXED.exec(question) ?? [];
  if (name === undefined || rest === undefined || !repeats(section, name)) return { section, prefix: "", question };
  return { section, prefix: `${name}: `, question: rest };
}
