import { useEffect, useEffectEvent, useState } from "react";
import { useAtomValue } from "jotai/react";
import { readAloudAtom } from "../read-aloud.ts";
import { speakText, stopSpeaking } from "../speech.ts";

interface AutoplayOptions {
  /** Time per side; when read aloud, counted from the end of the speech. */
  seconds: number;
  /** A new object for each side shown; undefined at the end. */
  showing: { text: string } | undefined;
  onAdvance: () => void;
}

/** Advances automatically while playing; stops at the end and when the page is hidden. */
export function useAutoplay({ seconds, showing, onAdvance }: AutoplayOptions) {
  const [isPlaying, setPlaying] = useState(false);
  const isReadAloud = useAtomValue(readAloudAtom);
  const next = useEffectEvent(onAdvance);
  useEffect(() => {
    if (!showing || (!isPlaying && !isReadAloud)) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isCancelled = false;
    const scheduleNext = () => {
      if (isPlaying && !isCancelled) timer = setTimeout(() => next(), seconds * 1000);
    };
    if (isReadAloud) void speakText(showing.text).then(scheduleNext);
    else scheduleNext();
    return () => {
      isCancelled = true;
      clearTimeout(timer);
      if (isReadAloud) stopSpeaking();
    };
  }, [isPlaying, isReadAloud, showing, seconds]);
  useEffect(() => {
    const pause = () => document.hidden && setPlaying(false);
    document.addEventListener("visibilitychange", pause);
    return () => document.removeEventListener("visibilitychange", pause);
  }, []);
  const isAtEnd = !showing;
  if (isAtEnd && isPlaying) setPlaying(false);
  return { isPlaying, toggle: () => setPlaying(!isPlaying && !isAtEnd) };
}
