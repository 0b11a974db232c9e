import { useAtomValue } from "jotai/react";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Selection, TutorMode } from "#shared/tutor/schema.ts";
import { contentAtom } from "#webapp/library/content.ts";
import type { ConversationSnapshot } from "../conversation-snapshot.ts";
import { type ScopeSources, sourcesFromScope } from "./scope-chooser.tsx";

/** Sticks to the end while content grows, unless the student has scrolled up. */
export function useStickToEnd() {
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
const MESSAGES_PER_PAGE = 100;

/** Keeps the scroll position while earlier messages are added above. */
export function useEarlierMessages() {
  const [visibleCount, setVisibleCount] = useState(MESSAGES_PER_PAGE);
  const anchor = useRef<{ list: Element; distanceFromEnd: number } | null>(null);
  useLayoutEffect(() => {
    if (anchor.current)
      anchor.current.list.scrollTop = anchor.current.list.scrollHeight - anchor.current.distanceFromEnd;
    anchor.current = null;
  });
  const showEarlier = ({ currentTarget }: { currentTarget: Element }) => {
    const list = currentTarget.closest(".conversation-messages");
    anchor.current = list && { list, distanceFromEnd: list.scrollHeight - list.scrollTop };
    setVisibleCount(visibleCount + MESSAGES_PER_PAGE);
  };
  return { visibleCount, showEarlier };
}

/** The mode and answer scope of the next question: the last used in this conversation, otherwise the defaults. */
export function useQuestionSettings(snapshot: ConversationSnapshot, initialSources: ScopeSources) {
  const content = useAtomValue(contentAtom);
  const [mode, setMode] = useState<TutorMode>("explain");
  const [chosenSources, setChosenSources] = useState<ScopeSources | null>(initialSources);
  const [lastSeen, setLastSeen] = useState(snapshot.lastSettings);
  if (snapshot.lastSettings !== lastSeen) {
    setLastSeen(snapshot.lastSettings);
    setMode(snapshot.lastSettings?.mode ?? "explain");
    setChosenSources(snapshot.lastSettings ? null : initialSources);
  }
  const sources =
    chosenSources ?? (snapshot.lastSettings ? sourcesFromScope(snapshot.lastSettings.ground, content) : initialSources);
  return { mode, setMode, sources, setSources: setChosenSources };
}

interface QuestionSelection {
  selection: Selection | null;
  onDropSelection: () => void;
}

/** The current selection, otherwise the selection of a refused question, so that the question can be asked again. */
export function useRefusedSelection({ refusal }: ConversationSnapshot, current: QuestionSelection): QuestionSelection {
  const [dismissed, setDismissed] = useState<ConversationSnapshot["refusal"]>(null);
  const restored = refusal && refusal !== dismissed ? (refusal.selection ?? null) : null;
  const onDropSelection = () => {
    setDismissed(refusal);
    current.onDropSelection();
  };
  return { selection: current.selection ?? restored, onDropSelection };
}
