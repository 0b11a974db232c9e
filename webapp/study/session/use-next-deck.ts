import { useNavigate } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { useEffect, useMemo } from "react";
import { idsInFolder } from "#shared/library/rules.ts";
import { screenPath } from "#shared/screens.ts";
import { nextInSession } from "#shared/study/all-due.ts";
import { foldersAtom, loadFolders } from "#webapp/library/folders.ts";
import { dueAtom, loadDue } from "../due.ts";
import { useFolderOfSession } from "../use-folder-of-session.ts";
import { useTodayOptions } from "../use-today-options.ts";
import type { ActiveStudy } from "./study-view.ts";

/** Separates the ids of finished decks in the URL. */
export const DONE_SEPARATOR = ".";

/**
 * In a session across decks, opens the next deck once this deck has no cards left. `done` is undefined while cards are
 * left. Returns true while the next deck opens, or while it is not known yet whether there is one. `folder` in the URL
 * limits the session to that folder.
 */
export function useNextDeck({ deck, session }: ActiveStudy, done: readonly string[] | undefined): boolean {
  const due = useAtomValue(dueAtom);
  const options = useTodayOptions();
  const navigate = useNavigate();
  const folder = useFolderOfSession();
  const folders = useAtomValue(foldersAtom);
  const isActive = done !== undefined && session.state !== "limit_reached";
  useEffect(() => {
    if (isActive && due.state === "loading") void loadDue();
  }, [isActive, due.state]);
  const needsFolders = isActive && folder !== undefined && folders === undefined;
  useEffect(() => {
    if (needsFolders) void loadFolders();
  }, [needsFolders]);
  const next = useMemo(() => {
    if (!isActive || due.state !== "ready" || needsFolders) return undefined;
    const inFolder = folder !== undefined ? idsInFolder(folder, folders ?? []) : undefined;
    const decks = inFolder ? due.decks.filter(({ pageId }) => inFolder.has(pageId)) : due.decks;
    return nextInSession(decks, options, [...done, deck.componentId]);
  }, [isActive, due, done, deck.componentId, options, folder, folders, needsFolders]);
  useEffect(() => {
    if (!next || !done) return;
    const to = screenPath("study", { id: next.pageId, flashcard: next.componentId });
    const all = [...new Set([...done, deck.componentId])].join(DONE_SEPARATOR);
    void navigate({ to, search: folder === undefined ? { all } : { all, folder }, replace: true });
  }, [next, done, deck.componentId, navigate, folder]);
  return next !== undefined || needsFolders || (isActive && due.state === "loading");
}
