import { useAtomValue } from "jotai/react";
import { ChevronDown, ChevronRight } from "lucide-react";
import { useId, type ReactNode } from "react";
import { t } from "#shared/messages/translate.ts";
import type { Preferences } from "#shared/user/schema.ts";
import { changePreferences, preferencesAtom } from "#webapp/app/preferences.ts";

type Minimized = "favorites_minimized" | "pages_minimized" | "recents_minimized" | "folders_minimized";

interface Props {
  title: string;
  /** The preference that stores whether the section is collapsed. */
  remembered: Minimized & keyof Preferences["sidebar"];
  /** A small button next to the title. */
  action?: ReactNode;
  children: ReactNode;
}

/** A collapsible part of the sidebar; its state is saved. */
export function SidebarSection({ title, remembered, action, children }: Props) {
  const isFolded = useAtomValue(preferencesAtom).sidebar[remembered];
  const id = useId();
  const Arrow = isFolded ? ChevronRight : ChevronDown;
  const fold = () =>
    void changePreferences((p) => ({ ...p, sidebar: { ...p.sidebar, [remembered]: !p.sidebar[remembered] } }));
  return (
    <section className="sidebar-section">
      <header className="sidebar-section-head">
        <h2>
          <button
            type="button"
            className="sidebar-fold"
            aria-expanded={!isFolded}
            aria-controls={id}
            title={t(isFolded ? "library.section_open" : "library.section_close", { section: title })}
            onClick={fold}
          >
            {title}
            <Arrow aria-hidden />
          </button>
        </h2>
        {action}
      </header>
      <div id={id}>{!isFolded && children}</div>
    </section>
  );
}
