import type { Spellings } from "#shared/text/capitals.ts";
import { toSpeech } from "../speech/to-speech.ts";
import type { ChosenRun } from "./choose.ts";
import {
  askAboutRun,
  breakLine,
  COMPLETION_LEADS,
  followUpLine,
  pick,
  QUESTION_LEADS,
  RECAP_LEADS,
  topicTransitionLine,
} from "./host/host-lines.ts";
import type { RecapQuestion } from "./host/recap.ts";
import { BREAK_MS, BREAKS_PER_CHAPTER, gapBefore, type ScriptLine, type ScriptOptions } from "./script-line.ts";
import type { ScriptSentence } from "./script-source.ts";

const CHAPTER_GAP_MS = 1000;
/** After this many lines of the guest, the host says something. */
const MAX_GUEST_LINES = 4;

/** Collects the lines of an episode: the guest's sentences, and the host's words between them. */
export class ScriptWriter {
  readonly lines: ScriptLine[] = [];
  readonly #options: ScriptOptions;
  readonly #spellings: Spellings;
  #chapter = 0;
  #links = 0;
  #runs = 0;
  #questions = 0;
  #breaks = 0;
  #asked: ReadonlySet<ScriptSentence> = new Set();
  readonly #questionTexts = new Set<string>();
  #topic = "";
  /** The heading of the first sentences of the chapter. */
  #firstTopic = "";
  #isChapterStart = true;

  constructor(options: ScriptOptions, spellings: Spellings) {
    this.#options = options;
    this.#spellings = spellings;
  }

  startChapter(index: number, runs: readonly ChosenRun[] = []): void {
    this.#chapter = index;
    this.#asked = new Set(chooseAsked(runs));
    this.#isChapterStart = true;
  }

  /** The heading that the host announced last. */
  setTopic(topic: string): void {
    this.#topic = topic;
  }

  /** Adds a line, unless it cannot be read aloud. */
  host(text: string, pauseMs = 0, topic?: string): void {
    const spoken = toSpeech(text);
    const line = { speaker: "host" as const, text, spoken: spoken ?? "", citation: null, pauseMs };
    if (spoken !== undefined) this.#add(topic === undefined ? line : { ...line, topic });
  }

  /** Adds the guest's sentences of a run; the host announces their heading if it is new. */
  read({ sentences }: ChosenRun, topic: string): void {
    // The announcement of the chapter also introduces its first sentences.
    if (this.lines.at(-1)?.speaker === "host") this.#firstTopic = topic;
    if (topic !== "" && topic !== this.#topic && topic !== this.#firstTopic) {
      this.host(topicTransitionLine(this.#links, topic), 0, topic);
      this.#links += 1;
      this.#topic = topic;
    } else if (!this.#willAsk(sentences) && this.#countGuestLines() >= MAX_GUEST_LINES) {
      this.#links += 1;
      this.#followUp(sentences);
    }
    this.#runs += 1;
    for (const sentence of sentences) {
      if (this.#asked.has(sentence)) this.#ask(sentence);
      this.#read(sentence, this.#runs);
    }
  }

  /** Asks for the next run, or for more about the heading if the run does not name its subject. */
  #followUp(sentences: readonly ScriptSentence[]): void {
    const texts = sentences.map(({ sentence }) => sentence);
    const asked = askAboutRun(texts, this.#spellings, this.#links);
    const isNew = asked !== undefined && !this.#questionTexts.has(asked) && toSpeech(asked) !== undefined;
    if (isNew) this.#questionTexts.add(asked);
    this.host(isNew ? asked : followUpLine(this.#links, this.#topic));
  }

  #willAsk(sentences: readonly ScriptSentence[]): boolean {
    return sentences[0] !== undefined && this.#asked.has(sentences[0]);
  }

  #countGuestLines(): number {
    return this.lines.length - 1 - this.lines.findLastIndex(({ speaker }) => speaker === "host");
  }

  #ask({ question }: ScriptSentence): void {
    if (!question || this.#questionTexts.has(question.text)) return;
    this.#questionTexts.add(question.text);
    this.#questions += 1;
    const { kind, text } = question;
    if (kind === "source") {
      this.host(text);
      return;
    }
    const lead = pick(kind === "completion" ? COMPLETION_LEADS : QUESTION_LEADS, this.#questions);
    const asked = kind === "completion" ? `${lead} ${text} …` : `${lead} ${text}`.trim();
    if (!this.#options.hasBreaks) {
      this.host(asked);
      return;
    }
    this.host(`${asked} ${breakLine(this.#breaks)}`.trim(), BREAK_MS);
    this.#breaks += 1;
  }

  /** Adds the recap: the host asks and leaves time to answer, then the guest repeats the sentence. */
  recap(questions: readonly RecapQuestion[]): void {
    this.host(pick(RECAP_LEADS, questions.length));
    for (const { asked, answer } of questions) {
      this.host(asked, this.#options.hasBreaks ? BREAK_MS : 0);
      this.#read(answer);
    }
  }

  #read({ sentence, spoken, citation }: ScriptSentence, run?: number): void {
    const line = { speaker: "guest" as const, text: sentence, spoken, citation, pauseMs: 0 };
    this.#add(run === undefined ? line : { ...line, run });
  }

  #add(line: Omit<ScriptLine, "chapter" | "gapMs">): void {
    const previous = this.lines.at(-1);
    const gapMs = this.#isChapterStart ? CHAPTER_GAP_MS : gapBefore(line.speaker, previous?.speaker);
    this.lines.push({ ...line, chapter: this.#chapter, gapMs: previous ? gapMs : 0 });
    this.#isChapterStart = false;
  }
}

/**
 * The questions that the host asks: the source's own and those of cards, at most one for each run; whole questions
 * before sentences to complete.
 */
function chooseAsked(runs: readonly ChosenRun[]): ScriptSentence[] {
  const own = runs.flatMap(({ sentences }) => sentences.filter(({ question }) => question?.kind === "source"));
  return [...own, ...chooseOfCards(runs)];
}

function chooseOfCards(runs: readonly ChosenRun[]): ScriptSentence[] {
  const askable = runs.flatMap(({ sentences }) => {
    const [first] = sentences
      .filter(({ question }) => question && question.kind !== "source")
      .toSorted((a, b) => Number(a.question?.kind === "completion") - Number(b.question?.kind === "completion"));
    return first ?? [];
  });
  if (askable.length <= BREAKS_PER_CHAPTER) return askable;
  return askable
    .toSorted((a, b) => Number(a.question?.kind === "completion") - Number(b.question?.kind === "completion"))
    .slice(0, BREAKS_PER_CHAPTER);
}
