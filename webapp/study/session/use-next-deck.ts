import { useNavigate } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { useEffect, useMemo } from "react";
import { screenPath } from "#shared/screens.ts";
import { decksInSession } from "#shared/study/all-due.ts";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { getSamplePageIds } from "#webapp/user/sample-ids.ts";
import { dueAtom, loadDue } from "../due.ts";
import type { ActiveStudy } from "./study-view.ts";

/** Separates the decks that are done in the address. */
export const DONE_SEPARATOR = ".";

/**
 * In a session across all decks, moves on to the next deck once this one has no cards left; `done` is undefined while
 * there are some. Returns true while it moves on.
 */
export function useNextDeck({ deck, session, shownAt }: ActiveStudy, done: readonly string[] | undefined): boolean {
  const due = useAtomValue(dueAtom);
  const accountId = useAtomValue(accountIdAtom);
  const navigate = useNavigate();
  const isActive = done !== undefined && session.state !== "limit_reached";
  useEffect(() => {
    if (isActive && due.state === "loading") void loadDue();
  }, [isActive, due.state]);
  const next = useMemo(() => {
    if (!isActive || due.state !== "ready") return undefined;
    const samplePageIds = new Set<string>(Object.values(getSamplePageIds(accountId ?? "")));
    const passed = new Set([...done, deck.componentId]);
    return decksInSession(
      due.decks.filter(({ componentId }) => !passed.has(componentId)),
      { now: shownAt, samplePageIds },
    ).find((candidate) => candidate.due > 0 || candidate.examAt !== null);
  }, [isActive, due, accountId, done, deck.componentId, shownAt]);
  useEffect(() => {
    if (!next || !done) return;
    const to = screenPath("study", { id: next.pageId, flashcard: next.componentId });
    const all = [...new Set([...done, deck.componentId])].join(DONE_SEPARATOR);
    void navigate({ to, search: { all }, replace: true });
  }, [next, done, deck.componentId, navigate]);
  return next !== undefined;
}
