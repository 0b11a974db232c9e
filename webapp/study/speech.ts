/** The browser's own speech synthesis. The app sends no text to a server. */
const synthesis = (): SpeechSynthesis | undefined =>
  typeof window !== "undefined" && "speechSynthesis" in window ? window.speechSynthesis : undefined;

export const canSpeak = (): boolean => synthesis() !== undefined;

/** Reads a text aloud, stopping any earlier speech; resolves when finished. */
export function speakText(text: string): Promise<void> {
  const speechSynthesis = synthesis();
  if (!speechSynthesis) return Promise.resolve();
  speechSynthesis.cancel();
  return new Promise((resolve) => {
    const utterance = new SpeechSynthesisUtterance(toSpokenText(text));
    utterance.addEventListener("end", () => resolve());
    utterance.addEventListener("error", () => resolve());
    speechSynthesis.speak(utterance);
  });
}

export function stopSpeaking(): void {
  synthesis()?.cancel();
}

/** Replaces blanks with a word and removes markup. */
export function toSpokenText(text: string): string {
  return text
    .replaceAll(/_{3,}/g, " blank ")
    .replaceAll(/!\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[`$*#]+/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}
