import { X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { goToHeading, readOutline, type PageOutline } from "../page-outline.ts";
import type { PageSession } from "../session/page-session.ts";
import "./outline-panel.css";

const DEBOUNCE_MS = 300;

/** The current outline, updated once typing pauses. */
function useOutline(session: PageSession): PageOutline {
  const [outline, setOutline] = useState(() => readOutline(session));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const scheduleUpdate = () => {
      clearTimeout(timer);
      timer = setTimeout(() => setOutline(readOutline(session)), DEBOUNCE_MS);
    };
    scheduleUpdate();
    const stop = session.subscribe(scheduleUpdate);
    document.addEventListener("selectionchange", scheduleUpdate);
    return () => {
      clearTimeout(timer);
      stop();
      document.removeEventListener("selectionchange", scheduleUpdate);
    };
  }, [session]);
  return outline;
}

const formatLength = ({ words, characters, readingMinutes: minutes, selectedWords }: PageOutline): string[] => [
  selectedWords > 0
    ? t("pages.outline_selected", { count: selectedWords })
    : t("pages.outline_words", { count: words }),
  t("pages.outline_characters", { count: characters }),
  ...(minutes > 0 ? [t("pages.outline_minutes", { count: minutes })] : []),
];

/** Links to the headings, and the length of the page; stays open while writing. */
export function OutlinePanel({ session, onClose }: { session: PageSession; onClose: () => void }) {
  const outline = useOutline(session);
  const closeButton = useRef<HTMLButtonElement>(null);
  // Waits until the menu that opened the panel has released the focus.
  useEffect(() => {
    const timer = setTimeout(() => closeButton.current?.focus(), 50);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="outline-place">
      <aside
        className="outline"
        aria-label={t("pages.outline")}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          onClose();
          session.editor?.view.focus();
        }}
      >
        <header className="outline-head">
          <h2>{t("pages.outline")}</h2>
          <IconButton ref={closeButton} label={t("pages.outline_close")} icon={<X aria-hidden />} onClick={onClose} />
        </header>
        {outline.headings.length === 0 ? (
          <p className="outline-none">{t("pages.outline_none")}</p>
        ) : (
          <nav aria-label={t("pages.outline")}>
            <ol className="outline-list">
              {outline.headings.map(({ id, level, text }) => (
                <li key={id} data-level={level}>
                  <button type="button" dir="auto" onClick={() => goToHeading(session, id)}>
                    {text}
                  </button>
                </li>
              ))}
            </ol>
          </nav>
        )}
        <p className="outline-length">{formatLength(outline).join(" · ")}</p>
      </aside>
    </div>
  );
}
