import { Link } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { useEffect } from "react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/button.tsx";
import { ErrorState } from "#shared/ui/empty-state.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { useScreenParams } from "#webapp/kit/screen-params.ts";
import { userAtom } from "#webapp/kit/session.ts";
import { useTitle } from "#webapp/kit/title.ts";
import { loadStreak } from "./home-state.ts";
import { SessionEnd } from "./parts/session-end.tsx";
import { SessionView } from "./parts/session-view.tsx";
import { closeStudy, openStudy } from "./state.ts";
import { studyAtom, type StudyView } from "./view.ts";
import "./study-screen.css";

export function StudyScreen() {
  const { id: pageId, flashcard: componentId } = useScreenParams("study");
  const view = useAtomValue(studyAtom);
  const accountId = useAtomValue(userAtom)?._id;
  useEffect(() => {
    if (accountId === undefined) return undefined;
    void openStudy(pageId, componentId);
    void loadStreak();
    return closeStudy;
  }, [accountId, pageId, componentId]);
  useTitle(view.state === "ready" ? view.deck.title : t("study.loading"));
  if (view.state === "loading")
    return (
      <main className="study-rest">
        <Skeleton label={t("study.loading")} lines={[70, 96, 60]} height={22} />
      </main>
    );
  if (view.state === "failed") return <Failed pageId={pageId} componentId={componentId} reason={view.reason} />;
  return view.session.current === null ? <SessionEnd view={view} /> : <SessionView view={view} />;
}

interface FailedProps {
  pageId: string;
  componentId: string;
  reason: Extract<StudyView, { state: "failed" }>["reason"];
}

function Failed({ pageId, componentId, reason }: FailedProps) {
  if (reason === "missing")
    return (
      <main className="study-rest">
        <ErrorState
          headingLevel={1}
          title={t("study.missing_title")}
          action={<Link to="/home">{t("study.to_home")}</Link>}
        >
          {t("study.missing_text")}
        </ErrorState>
      </main>
    );
  const again = <Button onClick={() => void openStudy(pageId, componentId)}>{t("common.retry")}</Button>;
  return (
    <main className="study-rest">
      <ErrorState headingLevel={1} title={t("study.failed_title")} action={again}>
        {reason === "offline" ? t("study.failed_offline") : t("study.failed_text")}
      </ErrorState>
    </main>
  );
}
