import { monotonicFactory } from "ulid";
import { videoCitation } from "#shared/citations.ts";
import { Flashcard } from "#shared/flashcards/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { formatTimecode } from "#shared/video/rules.ts";
import { notify } from "#webapp/app/alerts.ts";
import { addCards, type CardTarget } from "#webapp/flashcards/card-target.ts";
import { logWarning } from "#webapp/app/log.ts";

const newId = monotonicFactory();

/** A transcript passage with its time range. */
export interface VideoQuote {
  videoId: string;
  title: string;
  startMs: number;
  endMs: number;
  text: string;
}

/** The quote with its timestamp and a link back to that second. */
export function formatQuote({ videoId, title, startMs, text }: VideoQuote, origin: string): string {
  const query = new URLSearchParams({ t: String(Math.floor(startMs / 1000)), quote: text });
  return `“${text}” (${title}, ${formatTimecode(startMs)}) ${origin}${screenPath("video", { slug: videoId })}?${query.toString()}`;
}

export async function copyQuote(quote: VideoQuote): Promise<void> {
  try {
    await navigator.clipboard.writeText(formatQuote(quote, location.origin));
    notify({ message: t("video.copied"), type: "success" });
  } catch (error) {
    logWarning("Could not copy a quote to the clipboard", error);
    notify({ message: t("video.not_copied"), type: "error" });
  }
}

export interface QuoteCardDraft {
  question: string;
  answer: string;
  quote: VideoQuote;
}

/** Adds a card that cites the time in the video; resolves once the card is stored on this device. */
export async function saveQuoteCard({ question, answer, quote }: QuoteCardDraft, target: CardTarget): Promise<void> {
  const { videoId, startMs, endMs, text } = quote;
  const card = Flashcard.parse({
    id: newId(),
    question: question.trim(),
    answer: answer.trim(),
    questionImage: null,
    citation: videoCitation(videoId, startMs, endMs, text),
  });
  await addCards(target, [card]);
}
