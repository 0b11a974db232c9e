import type { SiteItem } from "#shared/website/schema.ts";
import { splitSentences } from "#shared/text/sentences.ts";
import { isStandaloneSentence } from "#shared/text/summary.ts";
import { citeLine, type LoadedSource } from "./read-sources.ts";

const MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December";
const GERMAN_MONTHS = "Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember";
/** A year that a word or a month introduces; a bare number may be a quantity. */
const DATED = new RegExp(
  String.raw`\b(?:(?:(?:\d{1,2}\.? )?(?:${MONTHS}|${GERMAN_MONTHS})(?: \d{1,2},?)? )|(?:[Ii]n|[Ss]ince|[Bb]y|[Ff]rom|[Uu]ntil|[Aa]round|[Aa]bout|[Dd]uring|[Aa]fter|[Bb]efore|[Ii]m Jahr(?:e)?|[Ss]eit|[Uu]m|the year) (?:the )?(?:early |late )?)?((?:1[0-9]|20)\d{2})(s)?\b(?! ?(?:%|percent|kg|km|m|cm|mm|g|°|students|people|words))`,
  "gu",
);
const MAX_EVENTS = 100;
const MAX_WORDS = 60;
/** "In 1900, he": such a sentence needs the sentence before it. */
const REFERS_BACK = /^(?:\S+\s){1,5}?(?:this|these|those|they|it|he|she|them|er|sie|es|dies\p{Ll}*)\b/iu;

/** Whether a sentence can be understood on its own in a list of events. */
const isEvent = (text: string) =>
  text.split(" ").length <= MAX_WORDS && isStandaloneSentence(text.trim()) && !REFERS_BACK.test(text.trim());

interface FoundDate {
  year: number;
  when: string;
}

/** The first date of a sentence; undefined if it has none that a word or a month introduces. */
export function findDate(sentence: string): FoundDate | undefined {
  for (const match of sentence.matchAll(DATED)) {
    const when = match[0].trim();
    const isIntroduced = when.length > (match[1] ?? "").length + 1;
    const isBracketed =
      /[(–—-]$/.test(sentence.slice(0, match.index)) || /^[)–—-]/.test(sentence.slice(match.index + when.length));
    if (!isIntroduced && !isBracketed) continue;
    return {
      year: Number(match[1]),
      when: when.replace(
        /^(?:in|since|by|from|until|around|about|during|after|before|im jahre?|seit|um) (?:the )?/iu,
        "",
      ),
    };
  }
  return undefined;
}

/** Sentences with a date, in the order of their dates. */
export function makeTimeline(sources: readonly LoadedSource[]): SiteItem[] {
  const events = sources.flatMap(({ source, passages }) =>
    passages
      .filter(({ kind }) => kind === "paragraph" || kind === "list_item")
      .flatMap((passage) =>
        splitSentences(passage.text).flatMap(({ text }) => {
          const date = isEvent(text) ? findDate(text) : undefined;
          return date ? [{ year: date.year, item: { ...citeLine(source, passage, text), text, when: date.when } }] : [];
        }),
      ),
  );
  return events
    .toSorted((a, b) => a.year - b.year)
    .slice(0, MAX_EVENTS)
    .map(({ item }) => item);
}
