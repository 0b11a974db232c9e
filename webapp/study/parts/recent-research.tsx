import { Link } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { formatRelativeDate } from "#webapp/app/format/format-date.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { contentAtom } from "#webapp/library/content.ts";

const MAX_SHOWN = 3;

/** The research sessions that were opened last; nothing without sessions. */
export function RecentResearch() {
  const now = useNow();
  const content = useAtomValue(contentAtom);
  const sessions = (content.state === "ready" ? (content.research_sessions ?? []) : [])
    .filter((session) => !session.is_archived)
    .toSorted((a, b) => b.last_opened - a.last_opened);
  if (sessions.length === 0) return null;
  return (
    <section>
      <h2>
        {t("home.research")}
        <Link className="home-all" to={screenPath("research", {})}>
          {t("home.all_research")}
        </Link>
      </h2>
      <ul role="list" className="home-list">
        {sessions.slice(0, MAX_SHOWN).map(({ _id: id, conversation_title: title, last_opened: openedAt }) => (
          <li key={id}>
            <Link className="home-page" to={screenPath("researchSession", { id })}>
              <span className="home-page-title">{title || t("common.untitled")}</span>
              <span className="home-when">{t("home.opened", { when: formatRelativeDate(openedAt, now) })}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
