import { Link } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { useMemo } from "react";
import type { Folder } from "#shared/library/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { countToday, decksToStudy, type DeckToday, type KnownDeck } from "#shared/study/all-due.ts";
import { dueAtom } from "#webapp/study/due.ts";
import { useTodayOptions } from "#webapp/study/use-today-options.ts";
import "./folder-today.css";

/** Today's counts of several decks. `first` is the deck with which a session begins. */
export interface TodayCounts extends Pick<DeckToday, "due" | "fresh" | "planned"> {
  first: KnownDeck | undefined;
}

/** Returns a function that counts the cards to study today on the given pages. */
export function useTodayOnPages(): (pageIds: ReadonlySet<string>) => TodayCounts {
  const due = useAtomValue(dueAtom);
  const options = useTodayOptions();
  return useMemo(() => {
    const decks = due.state === "ready" ? decksToStudy(due.decks, options) : [];
    return (pageIds) => {
      const inside = decks.filter(({ pageId }) => pageIds.has(pageId));
      const counts: TodayCounts = { due: 0, fresh: 0, planned: 0, first: inside[0] };
      for (const deck of inside) {
        const today = countToday(deck, options);
        counts.due += today?.due ?? 0;
        counts.fresh += today?.fresh ?? 0;
        counts.planned += today?.planned ?? 0;
      }
      return counts;
    };
  }, [due, options]);
}

/** The counts with the same labels as on the home screen. */
export function TodayCountLabels({ counts: { due, fresh, planned } }: { counts: TodayCounts }) {
  return (
    <span className="folder-today">
      {due > 0 && <span data-due>{t("home.due_count", { count: due })}</span>}
      {fresh > 0 && <span>{t("home.new_count", { count: fresh })}</span>}
      {planned > 0 && <span>{t("home.planned_count", { count: planned })}</span>}
    </span>
  );
}

/** The number of items in the folder, and the cards to study today. */
export function FolderSummary({ folder, counts }: { folder: Folder; counts: TodayCounts }) {
  return (
    <p className="folder-summary">
      <span>{t("library.count", { count: folder.items.length })}</span>
      <TodayCountLabels counts={counts} />
    </p>
  );
}

export function StudyFolder({ folder, first }: { folder: Folder; first: KnownDeck | undefined }) {
  if (!first) return null;
  return (
    <Link
      className="button button-primary"
      to={screenPath("study", { id: first.pageId, flashcard: first.componentId })}
      search={{ all: "", folder: folder._id }}
    >
      {t("library.folder_study")}
    </Link>
  );
}
