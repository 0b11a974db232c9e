import { useAtomValue } from "jotai/react";
import { Pause, Play, X } from "lucide-react";
import { useEffect } from "react";
import { t } from "#shared/messages/translate.ts";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { readingAtom, readSelectionOrScreen, stopReading, toggleReading } from "../read-to-me.ts";
import "./mini-player.css";

/** Whether the student is typing, so that the key writes a character, as Option+R does on a Mac. */
const isTyping = ({ target }: KeyboardEvent) =>
  target instanceof HTMLElement &&
  target.closest("input, textarea, [contenteditable]") !== null &&
  getSelection()?.isCollapsed !== false;

/** Alt+R reads the selected text or the whole screen aloud; pressed again, it stops. */
function useReadKey(isReading: boolean): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isChord = event.code === "KeyR" && event.altKey && !event.ctrlKey && !event.metaKey;
      if (!isChord || event.defaultPrevented || isTyping(event)) return;
      event.preventDefault();
      if (isReading) stopReading();
      else readSelectionOrScreen();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [isReading]);
}

/** Shows the sentence that the browser's voice is reading, with its controls. */
export function ReadingBar() {
  const reading = useAtomValue(readingAtom);
  useReadKey(reading !== undefined);
  if (!reading) return null;
  const { sentences, index, isPaused } = reading;
  return (
    <section className="mini-player" aria-label={t("podcasts.read_title")}>
      <IconButton
        className="mini-play"
        label={t(isPaused ? "podcasts.play" : "podcasts.pause")}
        icon={isPaused ? <Play aria-hidden /> : <Pause aria-hidden />}
        onClick={toggleReading}
      />
      <p className="mini-words">
        <strong>{t("podcasts.read_title")}</strong>
        <span>{sentences[index]}</span>
      </p>
      <IconButton label={t("podcasts.read_stop")} icon={<X aria-hidden />} onClick={stopReading} />
    </section>
  );
}
