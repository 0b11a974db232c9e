import type { Language } from "#shared/messages/language.ts";
import type { TopicHeading } from "./schema.ts";

interface Wording {
  headings: Readonly<Record<TopicHeading, string>>;
  /** Words added to a query to a web search engine, to find texts of that kind. */
  searchWords: Readonly<Record<TopicHeading, string>>;
  notFound: (about: string) => string;
  /** Shown for a question for which only the library was searched. */
  notAsked: (about: string) => string;
  notFoundWords: (words: readonly string[]) => string;
  disagree: string;
  /** Shown after a sentence that no source supports. */
  unsupported: string;
  sources: string;
  clarifyTopic: (topic: string) => string;
  clarifyReference: string;
  clarifyEmpty: string;
  modelFailed: string;
  planned: (count: number) => string;
  final: (verified: number, sources: number) => string;
  nothing: string;
  findings: (sentences: number, sources: number) => string;
}

const plural = (count: number, one: string, other: string) => `${count} ${count === 1 ? one : other}`;

/** The session's own texts, in the language of the question; everything else is quoted. */
export const researchWording: Readonly<Record<Language, Wording>> = {
  en: {
    headings: {
      definition: "What it is",
      kinds: "Parts and kinds",
      workings: "How and why it works",
      figures: "Figures and dates",
      limits: "Limits and exceptions",
      more: "Also in the sources",
    },
    searchWords: {
      definition: "definition",
      kinds: "types components",
      workings: "explanation mechanism",
      figures: "figures dates",
      limits: "limitations disadvantages",
      more: "history use",
    },
    notFoundWords: (words) => `Not found in these sources: ${words.map((word) => `“${word}”`).join(", ")}.`,
    notFound: (about) => `Not found: no source here answers “${about}”.`,
    notAsked: (about) => `Not looked up outside the library, because a limit was reached: “${about}”.`,
    disagree: "These two sources disagree",
    unsupported: "(no source supports this)",
    sources: "Sources",
    clarifyTopic: (topic) => `What would you like to know about “${topic}”?`,
    clarifyReference: "What does your question refer to? Name the topic in a few words.",
    clarifyEmpty: "What is the topic? Name it in a few words.",
    modelFailed: "The model stopped answering. What it did not write is quoted from the sources.",
    planned: (count) => `Split into ${plural(count, "question", "questions")}`,
    final: (verified, sources) =>
      `${plural(verified, "sentence", "sentences")} from ${plural(sources, "source", "sources")}, each checked against its source.`,
    nothing: "No source here answers this. Add material on the topic, or turn on more sources.",
    findings: (sentences, sources) =>
      `${plural(sentences, "sentence", "sentences")} from ${plural(sources, "source", "sources")}`,
  },
  de: {
    headings: {
      definition: "Was es ist",
      kinds: "Teile und Arten",
      workings: "Wie und warum es funktioniert",
      figures: "Zahlen und Daten",
      limits: "Grenzen und Ausnahmen",
      more: "Außerdem in den Quellen",
    },
    searchWords: {
      definition: "Definition",
      kinds: "Arten Bestandteile",
      workings: "Erklärung Ursache",
      figures: "Zahlen Daten",
      limits: "Grenzen Nachteile",
      more: "Geschichte Verwendung",
    },
    notFoundWords: (words) => `In diesen Quellen nicht gefunden: ${words.map((word) => `„${word}“`).join(", ")}.`,
    notFound: (about) => `Nicht gefunden: Keine Quelle hier beantwortet „${about}“.`,
    notAsked: (about) => `Außerhalb der Bibliothek nicht nachgeschlagen, weil eine Grenze erreicht war: „${about}“.`,
    disagree: "Diese zwei Quellen widersprechen sich",
    unsupported: "(keine Quelle belegt das)",
    sources: "Quellen",
    clarifyTopic: (topic) => `Was möchtest du über „${topic}“ wissen?`,
    clarifyReference: "Worauf bezieht sich deine Frage? Nenne das Thema in ein paar Wörtern.",
    clarifyEmpty: "Was ist das Thema? Nenne es in ein paar Wörtern.",
    modelFailed: "Das Modell hat nicht mehr geantwortet. Was es nicht geschrieben hat, ist aus den Quellen zitiert.",
    planned: (count) => `In ${plural(count, "Frage", "Fragen")} aufgeteilt`,
    final: (verified, sources) =>
      `${plural(verified, "Satz", "Sätze")} aus ${plural(sources, "Quelle", "Quellen")}, jeder an seiner Quelle geprüft.`,
    nothing: "Keine Quelle hier beantwortet das. Füge Material zum Thema hinzu oder schalte weitere Quellen ein.",
    findings: (sentences, sources) =>
      `${plural(sentences, "Satz", "Sätze")} aus ${plural(sources, "Quelle", "Quellen")}`,
  },
};

const GERMAN_WORDS =
  /(?:^|[^\p{L}])(?:was|wie|warum|wieso|weshalb|wer|welche[rsnm]?|wann|wozu|der|das|und|nicht|ist|sind|ein|eine|wird|werden|zwischen|unterschied)(?!\p{L})/giu;
const ENGLISH_WORDS =
  /(?:^|[^\p{L}])(?:what|how|why|who|which|when|where|the|and|not|is|are|do|does|between|difference|of)(?!\p{L})/giu;

/** The language of a question; `fallback` if it contains no function words. */
export function questionLanguage(question: string, fallback: Language): Language {
  const [german, english] = [GERMAN_WORDS, ENGLISH_WORDS].map((words) => question.match(words)?.length ?? 0);
  if (german === english) return fallback;
  return (german ?? 0) > (english ?? 0) ? "de" : "en";
}
