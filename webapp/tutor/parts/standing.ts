import { useAtomValue } from "jotai/react";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Selection, TutorMode } from "#shared/tutor/schema.ts";
import { contentAtom } from "#webapp/library/content.ts";
import type { Talk } from "../talk.ts";
import { type ChosenGround, chosenOf } from "./ground-chooser.tsx";

/** Sticks to the end while content grows, unless the student has scrolled up. */
export function useEndInSight() {
  const ref = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    const list = ref.current;
    if (list && isAtEnd.current) list.scrollTop = list.scrollHeight;
  });
  const onScroll = () => {
    const list = ref.current;
    if (list) isAtEnd.current = list.scrollHeight - list.scrollTop - list.clientHeight < 80;
  };
  return { ref, onScroll };
}

/** Rendering a whole long conversation would slow down each streamed update. */
const DRAWN = 100;

/** Keeps the scroll position while earlier messages are added above. */
export function useMoreAbove() {
  const [drawn, setDrawn] = useState(DRAWN);
  const before = useRef<{ list: Element; below: number } | null>(null);
  useLayoutEffect(() => {
    if (before.current) before.current.list.scrollTop = before.current.list.scrollHeight - before.current.below;
    before.current = null;
  });
  const more = ({ currentTarget }: { currentTarget: Element }) => {
    const list = currentTarget.closest(".conversation-said");
    before.current = list && { list, below: list.scrollHeight - list.scrollTop };
    setDrawn(drawn + DRAWN);
  };
  return { drawn, more };
}

/** Mode and scope of the next question: those last used in this conversation, or the defaults. */
export function useStanding(talk: Talk, beside: ChosenGround) {
  const content = useAtomValue(contentAtom);
  const [mode, setMode] = useState<TutorMode>("explain");
  const [chosen, setChosen] = useState<ChosenGround | null>(beside);
  const [seen, setSeen] = useState(talk.standing);
  if (talk.standing !== seen) {
    setSeen(talk.standing);
    setMode(talk.standing?.mode ?? "explain");
    setChosen(talk.standing ? null : beside);
  }
  const ground = chosen ?? (talk.standing ? chosenOf(talk.standing.ground, content) : beside);
  return { mode, setMode, ground, setGround: setChosen };
}

interface Marked {
  selection: Selection | null;
  onDropSelection: () => void;
}

/** The current selection, or else the one of a refused question, so that it can be asked again. */
export function useRefused({ refusal }: Talk, marked: Marked): Marked {
  const [left, setLeft] = useState<Talk["refusal"]>(null);
  const again = refusal && refusal !== left ? (refusal.selection ?? null) : null;
  const onDropSelection = () => {
    setLeft(refusal);
    marked.onDropSelection();
  };
  return { selection: marked.selection ?? again, onDropSelection };
}
