import { useAtomValue } from "jotai/react";
import { t } from "#shared/messages/translate.ts";
import { changePreferences, preferencesAtom } from "#webapp/app/preferences.ts";
import type { LibraryItem } from "#webapp/library/library-items.ts";
import { LibraryItemIcon } from "./library-item-icon.tsx";
import { SidebarRow } from "./sidebar-row.tsx";
import { SidebarSection } from "./sidebar-section.tsx";

/** The number of sessions that are listed before "show all" is pressed. */
const SESSIONS_SHOWN = 5;
const MAX_SHOWN = 200;

/** The research sessions, most recently opened first. */
export const listResearch = (libraryItems: ReadonlyMap<string, LibraryItem>): LibraryItem[] =>
  [...libraryItems.values()]
    .filter(({ kind }) => kind === "research")
    .toSorted((a, b) => b.openedAt - a.openedAt)
    .slice(0, MAX_SHOWN);

/** Research sessions; hidden if there are none. */
export function SidebarResearch({ sessions }: { sessions: readonly LibraryItem[] }) {
  const { research_show_all: showsAll } = useAtomValue(preferencesAtom).sidebar;
  if (sessions.length === 0) return null;
  return (
    <SidebarSection title={t("shell.research")} preference="research_minimized">
      <ul role="list">
        {sessions.slice(0, showsAll ? MAX_SHOWN : SESSIONS_SHOWN).map(({ id, title, to }) => (
          <SidebarRow
            key={id}
            to={to}
            label={title || t("common.untitled")}
            icon={<LibraryItemIcon kind="research" emoji={null} />}
          />
        ))}
      </ul>
      {sessions.length > SESSIONS_SHOWN && (
        <button
          type="button"
          className="sidebar-row sidebar-more"
          aria-expanded={showsAll}
          onClick={() =>
            void changePreferences((p) => ({ ...p, sidebar: { ...p.sidebar, research_show_all: !showsAll } }))
          }
        >
          {showsAll ? t("shell.pages_fewer") : t("shell.pages_all", { count: sessions.length })}
        </button>
      )}
    </SidebarSection>
  );
}
