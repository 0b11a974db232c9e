import type { Spellings } from "#shared/text/capitals.ts";
import { cardinal } from "../../speech/numbers.ts";
import { toSpeech } from "../../speech/to-speech.ts";
import { gapBefore, type ScriptLine, type ScriptOptions } from "../script-line.ts";
import { definitionQuestion, purposeOf, type RunPurpose, subjectOf } from "./subjects.ts";
import { namePart, namesTopic } from "../section-kinds.ts";
import type { ScriptSource } from "../script-source.ts";

/** The host's lines. None of them makes a claim about the subject; only the sources do. */

/**
 * Prompts that fit before any sentence: none claims that the next one is the main point, a next step, or a consequence.
 */
export const PROMPTS: readonly string[] = [
  "What else does your source say?",
  "Tell us more.",
  "What else is there to know?",
  "What does your source add?",
  "And what else should we remember?",
  "What more does it say?",
];

/** Lines that name the heading of what follows, without a claim about it. */
const TRANSITIONS: readonly string[] = [
  "Let us go on to {{topic}}",
  "Next, {{topic}}",
  "And what about {{topic}}?",
  "The next part is {{topic}}",
  "Now, {{topic}}",
  "Tell us about {{topic}}",
];

/** "What Is Light Energy?", "How Memory Functions": a heading that is a question, or the beginning of one. */
const ASKS = /\?$|^(?:what|why|how|when|where|who|which|can|does|do|is|are|might|should|will)\b/iu;
const TRANSITIONS_TO_PART: readonly string[] = [
  "Now we come to {{topic}}",
  "Next, {{topic}}",
  "Let us go on to {{topic}}",
];
const QUOTING_TRANSITIONS: readonly string[] = ["The next part: {{topic}}", "Next: {{topic}}"];
const ASKING_TRANSITIONS: readonly string[] = [
  "The next question: {{topic}}",
  "The next part: {{topic}}",
  "Next: {{topic}}",
];

/** "Understanding Pigments", "Generating an Energy Carrier: ATP": no name of a thing, so that "Tell us about …" does not fit. */
const GERUND_OR_SUBTITLE = /^\p{L}+ing\b|:/u;

/** Names the heading of what follows. */
export function topicTransitionLine(position: number, topic: string): string {
  const part = namePart(topic);
  if (part !== undefined) return nameTopic(pick(TRANSITIONS_TO_PART, position), part);
  if (ASKS.test(topic)) return nameTopic(pick(ASKING_TRANSITIONS, position), topic);
  return nameTopic(pick(GERUND_OR_SUBTITLE.test(topic) ? QUOTING_TRANSITIONS : TRANSITIONS, position), topic);
}

/** What the host says when the guest has spoken for long. */
const TOPIC_PROMPTS: readonly string[] = [
  "What else is there to know about {{topic}}?",
  "Tell us more about {{topic}}.",
  "What else does your source say about {{topic}}?",
  "Let us stay with {{topic}}.",
];
const MAX_PROMPT_CHARS = 40;

/** Asks for more, of the heading if that names a thing. */
export function followUpLine(position: number, topic: string): string {
  const isPlain = namesTopic(topic) && !ASKS.test(topic) && !GERUND_OR_SUBTITLE.test(topic);
  if (!isPlain || topic.length > MAX_PROMPT_CHARS) return pick(PROMPTS, position);
  return nameTopic(pick(TOPIC_PROMPTS, position), topic);
}

/** Questions about the subject of the next sentences, by what these do. None of them makes a claim about the subject. */
const SUBJECT_PROMPTS: Readonly<Record<RunPurpose, readonly string[]>> = {
  research: ["What does research say about {{topic}}?"],
  steps: ["Take us through {{topic}}, step by step."],
  contrast: ["What about {{topic}}, in comparison?"],
  effect: ["What are the effects of {{topic}}?"],
  cause: ["What about {{topic}}, and why?"],
  example: ["Tell us about {{topic}}, with an example."],
  statement: ["What about {{topic}}?", "Tell us about {{topic}}.", "What should we know about {{topic}}?"],
};

/** The host's words before a run: what its term is, or a question about its subject; undefined if it names neither. */
export function askAboutRun(sentences: readonly string[], spellings: Spellings, position: number): string | undefined {
  const [first = ""] = sentences;
  const asked = definitionQuestion(first, spellings);
  if (asked !== undefined) return asked;
  const subject = subjectOf(first, spellings);
  return subject === undefined ? undefined : nameTopic(pick(SUBJECT_PROMPTS[purposeOf(sentences)], position), subject);
}

/** A longer title is spoken without the part behind its colon or its question. */
const MAX_SPOKEN_TITLE_CHARS = 50;

/** A title as the host says it. */
function shortenTitle(title: string): string {
  const [main = "", ...rest] = title.split(/:\s|(?<=[?!])\s/u);
  return title.length > MAX_SPOKEN_TITLE_CHARS && rest.length > 0 && main.trim().includes(" ") ? main.trim() : title;
}

/** Lines that ask the listener to remember a sentence under a heading without a question. */
const REMEMBER_LEADS: readonly string[] = [
  "What do you remember about {{topic}}?",
  "How would you explain {{topic}} to a friend?",
  "What is the most important thing to know about {{topic}}?",
];

/** Asks what the listener remembers about a heading. */
export function askToRemember(position: number, heading: string): string {
  const topic = shortenTitle(heading);
  if (topic.endsWith("?")) return `How would you answer now: ${topic}`;
  return ASKS.test(topic)
    ? nameTopic("What do you remember about this: {{topic}}", topic)
    : nameTopic(pick(REMEMBER_LEADS, position), topic);
}

/** The first break is explained; later ones need only a short reminder. */
const FIRST_BREAK = "Try to answer before you hear it.";
const BREAKS: readonly string[] = [
  "Your turn first.",
  "",
  "",
  "Answer first, then listen.",
  "",
  "",
  "Take a moment.",
  "",
  "",
];

/** The host's words after a question, before the silence; the first break has position 0. */
export const breakLine = (position: number): string => (position === 0 ? FIRST_BREAK : pick(BREAKS, position - 1));

/** Words before a question; most questions have none. */
export const QUESTION_LEADS: readonly string[] = ["", "", "Let me ask you this.", "", "", "", "A question:", "", ""];

export const COMPLETION_LEADS: readonly string[] = [
  "Finish this sentence:",
  "How does this sentence end:",
  "Complete this one:",
  "Fill in the end:",
];

export const RECAP_LEADS: readonly string[] = [
  "Before we stop, answer each of these before you hear it again.",
  "To finish, put each of these into your own words first.",
  "Last, a short recap. Answer before the sentence comes again.",
];

/** Beginnings of the last line, which then lists the chapters. */
export const CLOSINGS: readonly string[] = [
  "That was {{topic}}",
  "We have reached the end of {{topic}}",
  "This brings us to the end of {{topic}}",
];

/** The item at a position; after the last item, the list starts again. */
export const pick = (lines: readonly string[], position: number): string => lines[position % lines.length] ?? "";

/** A line that contains a heading; a heading at its end gets a full stop. */
const nameTopic = (line: string, topic: string): string =>
  line.replace("{{topic}}", () => topic).replace(/(?<![.!?])$/u, ".");

/** Used instead of a title that cannot be read aloud. */
const YOUR_SOURCES = "your own sources";

const toSpokenTitle = (title: string, otherwise: string) => {
  const plain = shortenTitle(title)
    .replace(/\.(?:pdf|docx?|pptx?|mp4|webm|txt|md|html?)$/iu, "")
    .replaceAll("_", " ")
    .trim();
  return plain !== "" && plain.length < 120 && toSpeech(plain) !== undefined ? plain : otherwise;
};

type Titled = Pick<ScriptSource, "title">;
type OpeningOptions = Pick<ScriptOptions, "title" | "guestName" | "hostName">;

/** The host's lines before the first chapter is announced. */
export function openingTexts(sources: readonly Titled[], { title, guestName, hostName }: OpeningOptions): string[] {
  const named = sources.map((source, index) => toSpokenTitle(source.title, `source ${index + 1}`)).join("; ");
  return [
    `This is ${toSpokenTitle(title, YOUR_SOURCES)}. I am ${hostName}, and I ask the questions. ${guestName} answers only from your sources.`,
    ...(sources.length > 1 ? [`We read from ${cardinal(String(sources.length))} sources: ${named}.`] : []),
  ];
}

/** The first lines of an episode, which can be spoken before its sources are read. */
export const writeOpening = (sources: readonly Titled[], options: OpeningOptions): ScriptLine[] =>
  openingTexts(sources, options).flatMap((text, index) => {
    const spoken = toSpeech(text);
    const gapMs = index === 0 ? 0 : gapBefore("host", "host");
    return spoken === undefined
      ? []
      : { speaker: "host" as const, text, spoken, citation: null, chapter: 0, pauseMs: 0, gapMs };
  });

/** The line that announces a chapter by its number and a title. */
export function announceChapter(index: number, title: string): Pick<ScriptLine, "text" | "spoken"> {
  const text = `Chapter ${cardinal(String(index + 1))}: ${title}${/[.!?]$/u.test(title) ? "" : "."}`;
  return { text, spoken: toSpeech(text) ?? text };
}

/** The chapters are listed only if at least this share of their titles name a topic. */
const NAMED_SHARE = 0.6;

/** The chapter titles that name a topic, without duplicates; empty if too few do. */
function listNamed(chapterTitles: readonly string[]): string[] {
  const named = chapterTitles
    .filter((one) => !isPartNumber(one) && namesTopic(one))
    .map((one) => toSpokenTitle(one, ""));
  const plain = named.map((one) => one.replace(/[.!?:;]+$/u, "")).filter((one) => one !== "");
  const isFirst = (title: string, at: number) =>
    plain.findIndex((one) => one.toLowerCase() === title.toLowerCase()) === at;
  const different = plain.filter(isFirst);
  return different.length < Math.max(2, chapterTitles.length * NAMED_SHARE) ? [] : different;
}

/** The line that lists the chapters before the first one; undefined if too few titles name a topic. */
export function announceContents(chapterTitles: readonly string[]): Pick<ScriptLine, "text" | "spoken"> | undefined {
  const named = listNamed(chapterTitles);
  if (named.length === 0) return undefined;
  const text = `This is what you will hear: ${named.join("; ")}.`;
  return { text, spoken: toSpeech(text) ?? text };
}

/** The last line names the chapters again. */
export function closingLine(title: string, chapterTitles: readonly string[]): Pick<ScriptLine, "text" | "spoken"> {
  const end = nameTopic(pick(CLOSINGS, chapterTitles.length), toSpokenTitle(title, YOUR_SOURCES));
  const different = listNamed(chapterTitles);
  const summary = different.length > 0 ? ` You heard about: ${different.join("; ")}.` : "";
  const text = `${end}${summary} Thank you for listening, and goodbye.`;
  return { text, spoken: toSpeech(text) ?? text };
}

const isPartNumber = (title: string) => /^Part \d+$/u.test(title);

/** The words that announce a chapter; a chapter without a heading is announced by its number. */
export function nameChapter(index: number, heading: string, shown: string): string {
  const number = `Chapter ${cardinal(String(index + 1))}`;
  const named = heading === "" && isPartNumber(shown) ? "" : (namePart(shown) ?? toSpokenTitle(shown, ""));
  if (named === "") return `${number}.`;
  return `${number}: ${named}${/[.!?]$/u.test(named) ? "" : "."}`;
}
