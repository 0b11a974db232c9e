import { useEffect, useEffectEvent, useState } from "react";
import { useAtomValue } from "jotai/react";
import { readAloudAtom } from "../read-aloud.ts";
import { speak, stopSpeaking } from "../speech.ts";

interface Playing {
  /** Time per side; when read aloud, counted from the end of the speech. */
  seconds: number;
  /** A new object for each side shown; undefined at the end. */
  showing: { said: string } | undefined;
  goOn: () => void;
}

/** Advances automatically while playing; stops at the end and when the page is hidden. */
export function useAutoplay({ seconds, showing, goOn }: Playing) {
  const [isPlaying, setPlaying] = useState(false);
  const isAloud = useAtomValue(readAloudAtom);
  const next = useEffectEvent(goOn);
  useEffect(() => {
    if (!showing || (!isPlaying && !isAloud)) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isGone = false;
    const wait = () => {
      if (isPlaying && !isGone) timer = setTimeout(() => next(), seconds * 1000);
    };
    if (isAloud) void speak(showing.said).then(wait);
    else wait();
    return () => {
      isGone = true;
      clearTimeout(timer);
      if (isAloud) stopSpeaking();
    };
  }, [isPlaying, isAloud, showing, seconds]);
  useEffect(() => {
    const pause = () => document.hidden && setPlaying(false);
    document.addEventListener("visibilitychange", pause);
    return () => document.removeEventListener("visibilitychange", pause);
  }, []);
  const isOver = !showing;
  if (isOver && isPlaying) setPlaying(false);
  return { isPlaying, toggle: () => setPlaying(!isPlaying && !isOver) };
}
