import { atom } from "jotai/vanilla";
import { t } from "#shared/messages/translate.ts";
import { isEnglish } from "#shared/text/language.ts";
import { splitSentences } from "#shared/text/sentences.ts";
import { notify } from "#webapp/app/alerts.ts";
import { store } from "#webapp/app/store.ts";
import { canSpeak, toSpokenText } from "#webapp/study/speech.ts";
import { isEpisodePlayingAtom, pause } from "./player.ts";

/** A text that the browser's own voice reads aloud; no text is sent to a server. */
export interface Reading {
  sentences: readonly string[];
  /** The index of the current sentence. */
  index: number;
  isPaused: boolean;
}

const readingState = atom<Reading | undefined>(undefined);
export const readingAtom = atom((get) => get(readingState));

/** Elements that are not read: controls, fields and hidden parts. */
const UNREAD = "button, input, textarea, select, nav, aside, svg, [aria-hidden=true], [hidden]";
const MAX_CHARS = 200_000;

const speakSentence = () => {
  const reading = store.get(readingState);
  const sentence = reading?.sentences[reading.index];
  if (!reading || sentence === undefined) {
    stopReading();
    return;
  }
  // One sentence at a time, because browsers cut long texts off.
  const utterance = new SpeechSynthesisUtterance(toSpokenText(sentence));
  const passage = { text: reading.sentences.join(" ").slice(0, 2000) };
  const sample = { id: "", kind: "paragraph" as const, bold: [], italic: [], locator: {}, ...passage };
  if (isEnglish([sample])) utterance.lang = "en";
  utterance.addEventListener("end", () => {
    const current = store.get(readingState);
    if (!current || current.sentences !== reading.sentences || current.index !== reading.index) return;
    store.set(readingState, { ...current, index: current.index + 1 });
    speakSentence();
  });
  utterance.addEventListener("error", () => {
    // A voice that was stopped reports an error too, when another sentence or none is current.
    const current = store.get(readingState);
    if (current?.sentences !== reading.sentences || current.index !== reading.index) return;
    stopReading();
    notify({ message: t("podcasts.sample_failed"), type: "error" });
  });
  speechSynthesis.speak(utterance);
};

/** A paused synthesis would stay paused for the next text. */
function cancelSpeech(): void {
  speechSynthesis.resume();
  speechSynthesis.cancel();
}

// An episode and the voice never play at the same time.
store.sub(isEpisodePlayingAtom, () => {
  if (store.get(isEpisodePlayingAtom) && store.get(readingState)) stopReading();
});

/** Reads a text aloud from its beginning. */
export function readToMe(text: string): void {
  const sentences = splitSentences(text.slice(0, MAX_CHARS)).flatMap(({ text: sentence }) =>
    toSpokenText(sentence) === "" ? [] : [sentence.trim()],
  );
  if (!canSpeak() || sentences.length === 0) {
    notify({ message: t(canSpeak() ? "podcasts.read_nothing" : "podcasts.read_unable"), type: "error" });
    return;
  }
  pause();
  // The text before it ends first, so that its last event is not taken for one of this text.
  store.set(readingState, undefined);
  cancelSpeech();
  store.set(readingState, { sentences, index: 0, isPaused: false });
  speakSentence();
}

/** The text of the screen, without its controls. */
function readScreenText(): string {
  const main = document.querySelector("main");
  if (!main) return "";
  const parts: string[] = [];
  const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (parent?.closest(UNREAD) === null && parent.checkVisibility()) parts.push(node.textContent ?? "");
  }
  return parts.join(" ").replaceAll(/\s+/g, " ").trim();
}

/** Reads the selected text aloud, or the whole screen if no text is selected. */
export function readSelectionOrScreen(): void {
  const selected = getSelection()?.toString().trim() ?? "";
  readToMe(selected === "" ? readScreenText() : selected);
}

export function toggleReading(): void {
  const reading = store.get(readingState);
  if (!reading) return;
  if (reading.isPaused) speechSynthesis.resume();
  else speechSynthesis.pause();
  store.set(readingState, { ...reading, isPaused: !reading.isPaused });
}

export function stopReading(): void {
  store.set(readingState, undefined);
  cancelSpeech();
}
