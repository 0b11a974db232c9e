/** The browser's own speech synthesis; we send nothing anywhere. */
const synthesis = (): SpeechSynthesis | undefined =>
  typeof window !== "undefined" && "speechSynthesis" in window ? window.speechSynthesis : undefined;

export const canSpeak = (): boolean => synthesis() !== undefined;

/** Reads a text aloud, stopping any earlier speech; resolves when finished. */
export function speak(text: string): Promise<void> {
  const voice = synthesis();
  if (!voice) return Promise.resolve();
  voice.cancel();
  return new Promise((resolve) => {
    const said = new SpeechSynthesisUtterance(spokenForm(text));
    said.addEventListener("end", () => resolve());
    said.addEventListener("error", () => resolve());
    voice.speak(said);
  });
}

export function stopSpeaking(): void {
  synthesis()?.cancel();
}

/** Replaces blanks with a word and removes markup. */
export function spokenForm(text: string): string {
  return text
    .replaceAll(/_{3,}/g, " blank ")
    .replaceAll(/!\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[`$*#]+/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}
