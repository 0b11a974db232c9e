import { useNavigate } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { useEffect, useMemo } from "react";
import { screenPath } from "#shared/screens.ts";
import { nextInSession } from "#shared/study/all-due.ts";
import { dueAtom, loadDue } from "../due.ts";
import { useTodayOptions } from "../use-today-options.ts";
import type { ActiveStudy } from "./study-view.ts";

/** Separates the decks that are done in the address. */
export const DONE_SEPARATOR = ".";

/**
 * In a session across all decks, moves on to the next deck once this one has no cards left; `done` is undefined while
 * there are some. Returns true while it moves on.
 */
export function useNextDeck({ deck, session }: ActiveStudy, done: readonly string[] | undefined): boolean {
  const due = useAtomValue(dueAtom);
  const options = useTodayOptions();
  const navigate = useNavigate();
  const isActive = done !== undefined && session.state !== "limit_reached";
  useEffect(() => {
    if (isActive && due.state === "loading") void loadDue();
  }, [isActive, due.state]);
  const next = useMemo(() => {
    if (!isActive || due.state !== "ready") return undefined;
    return nextInSession(due.decks, options, [...done, deck.componentId]);
  }, [isActive, due, done, deck.componentId, options]);
  useEffect(() => {
    if (!next || !done) return;
    const to = screenPath("study", { id: next.pageId, flashcard: next.componentId });
    const all = [...new Set([...done, deck.componentId])].join(DONE_SEPARATOR);
    void navigate({ to, search: { all }, replace: true });
  }, [next, done, deck.componentId, navigate]);
  return next !== undefined;
}
