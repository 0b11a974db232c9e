/** The browser's own voice; nothing is sent anywhere by us. */
const synthesis = (): SpeechSynthesis | undefined =>
  typeof window !== "undefined" && "speechSynthesis" in window ? window.speechSynthesis : undefined;

export const canSpeak = (): boolean => synthesis() !== undefined;

/** Reads a text aloud in place of what is being read; resolves when it has ended. */
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

/** A gap is said as a word, and markup is not said. */
export function spokenForm(text: string): string {
  return text
    .replaceAll(/_{3,}/g, " blank ")
    .replaceAll(/!\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[`$*#]+/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}
