import { useAtomValue } from "jotai/react";
import { t } from "#shared/messages/translate.ts";
import type { TutorMode } from "#shared/tutor/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { EmptyState } from "#shared/ui/empty-state.tsx";
import { livePagesAtom } from "#webapp/library/content.ts";
import type { ScopeSource } from "./parts/scope-chooser.tsx";

const RECENT_PAGES = 3;

interface Props {
  headingLevel: 1 | 2;
  hasSources: boolean;
  onStart: (text: string, mode: TutorMode) => void;
  onSource: (source: ScopeSource) => void;
}

/** An empty conversation: suggested questions, and recent pages to ask about. */
export function EmptyConversation({ headingLevel, hasSources, onStart, onSource }: Props) {
  return (
    <>
      <EmptyState
        title={t("tutor.empty_title")}
        headingLevel={headingLevel}
        action={
          <>
            {hasSources && (
              <Button onClick={() => onStart(t("tutor.start_summary"), "explain")}>{t("tutor.start_summary")}</Button>
            )}
            <Button onClick={() => onStart(t("tutor.quiz_prompt"), "quiz")}>{t("tutor.mode_quiz")}</Button>
            <Button onClick={() => onStart(t("tutor.plan_prompt"), "plan")}>{t("tutor.mode_plan")}</Button>
          </>
        }
      >
        {t("tutor.empty")}
      </EmptyState>
      {!hasSources && <RecentPages onSource={onSource} />}
    </>
  );
}

function RecentPages({ onSource }: Pick<Props, "onSource">) {
  const pages = useAtomValue(livePagesAtom)
    .filter(({ title }) => title !== "")
    .slice(0, RECENT_PAGES);
  if (pages.length === 0) return null;
  return (
    <div className="follow-ups">
      <span className="follow-ups-lead" aria-hidden>
        {t("tutor.follow_up_topics")}
      </span>
      <ul role="list" aria-label={t("tutor.recent_pages")}>
        {pages.map(({ _id, title }) => (
          <li key={_id}>
            <button
              type="button"
              className="follow-up"
              aria-label={t("tutor.ask_about_page", { title })}
              onClick={() => onSource({ kind: "page", id: _id, title })}
            >
              {title}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
