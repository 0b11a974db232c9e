import { useAtomValue } from "jotai/react";
import { ChevronDown, ChevronRight } from "lucide-react";
import { useId, type ReactNode } from "react";
import { t } from "#shared/messages/translate.ts";
import type { Preferences } from "#shared/user/schema.ts";
import { changePreferences, preferencesAtom } from "#webapp/app/preferences.ts";

type Minimized =
  | "favorites_minimized"
  | "pages_minimized"
  | "recents_minimized"
  | "folders_minimized"
  | "research_minimized";

interface Props {
  title: string;
  /** The preference that stores whether the section is collapsed. */
  preference: Minimized & keyof Preferences["sidebar"];
  /** A small button next to the title. */
  action?: ReactNode;
  children: ReactNode;
}

/** A collapsible section of the sidebar, whose state is saved. */
export function SidebarSection({ title, preference, action, children }: Props) {
  const isCollapsed = useAtomValue(preferencesAtom).sidebar[preference];
  const id = useId();
  const Arrow = isCollapsed ? ChevronRight : ChevronDown;
  const toggle = () =>
    void changePreferences((p) => ({ ...p, sidebar: { ...p.sidebar, [preference]: !p.sidebar[preference] } }));
  return (
    <section className="sidebar-section">
      <header className="sidebar-section-head">
        <h2>
          <button
            type="button"
            className="sidebar-fold"
            aria-expanded={!isCollapsed}
            aria-controls={id}
            title={t(isCollapsed ? "library.section_open" : "library.section_close", { section: title })}
            onClick={toggle}
          >
            {title}
            <Arrow aria-hidden />
          </button>
        </h2>
        {action}
      </header>
      <div id={id}>{!isCollapsed && children}</div>
    </section>
  );
}
