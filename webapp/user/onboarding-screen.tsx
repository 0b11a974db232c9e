import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { useCallback, useEffect, useRef, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { ErrorState } from "#shared/ui/empty-state.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import type { User } from "#shared/user/schema.ts";
import { notify } from "#webapp/app/alerts.ts";
import { logWarning } from "#webapp/app/log.ts";
import { goTo } from "#webapp/app/navigation.ts";
import { resolveReturnPath } from "#webapp/app/session/return-path.ts";
import { completeOnboarding, sessionAtom, startSession } from "#webapp/app/session/session.ts";
import type { FirstPage } from "./first-page.ts";
import { AdoptedPages } from "./parts/onboarding/adopted-pages.tsx";
import { FirstPageStep, type FirstPageSource } from "./parts/onboarding/first-page-step.tsx";
import { FirstPageChoice } from "./parts/onboarding/first-page-choice.tsx";
import "./onboarding-screen.css";

/** The source of the first page; null until the student has chosen one. */
type Choice = { source: FirstPageSource; file?: File } | null;

export function OnboardingScreen() {
  const session = useAtomValue(sessionAtom);
  const navigate = useNavigate();
  const { from } = useSearch({ strict: false });
  const isDone = session.state === "ready" && session.user.onboardingComplete;
  const hasStarted = useRef(false);
  const markStarted = useCallback(() => {
    hasStarted.current = true;
  }, []);
  useEffect(() => {
    // Redirects users who have completed onboarding, even if that happened on another device.
    if (isDone && !hasStarted.current) void navigate({ href: resolveReturnPath(from), replace: true });
  }, [isDone, from, navigate]);
  return (
    <div className="welcome">
      <header className="welcome-head">
        <span className="wordmark">{t("common.product")}</span>
        <Link to={screenPath("logout", {})}>{t("shell.sign_out")}</Link>
      </header>
      <main className="welcome-main">
        {session.state === "ready" && <OnboardingSteps user={session.user} from={from} onStarted={markStarted} />}
        {session.state === "loading" && <Skeleton label={t("common.loading")} lines={[40, 90, 76]} height={18} />}
        {session.state === "failed" && (
          <ErrorState
            headingLevel={1}
            title={t("welcome.failed_title")}
            action={<Button onClick={() => void startSession()}>{t("common.retry")}</Button>}
          >
            {session.message}
          </ErrorState>
        )}
      </main>
    </div>
  );
}

/** The path requested before onboarding; ignores home and the tutor, which are the defaults. */
function findRequestedPath(from: unknown): string | undefined {
  const path = typeof from === "string" ? resolveReturnPath(from) : "";
  const defaultPaths: readonly string[] = ["", screenPath("home", {}), screenPath("chat", {})];
  return defaultPaths.includes(path) ? undefined : path;
}

/** The student's own page must open without the sample too, which can be added later. */
async function addSampleIfPossible(): Promise<void> {
  try {
    const { addSample } = await import("./sample-content.ts");
    await addSample();
  } catch (error) {
    logWarning("Could not add the sample", error);
    notify({ message: t("welcome.sample_failed"), type: "error" });
  }
}

interface StepsProps {
  user: User;
  from: unknown;
  /** Called once the student has chosen a source. From then on, these steps decide where to go. */
  onStarted: () => void;
}

const study = ({ pageId }: FirstPage, deckId: string) => goTo(screenPath("study", { id: pageId, flashcard: deckId }));

function OnboardingSteps({ user, from, onStarted }: StepsProps) {
  const [choice, setChoice] = useState<Choice>(null);
  const [includesSample, setIncludesSample] = useState(true);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // Moves the focus, so that screen readers announce the heading and keyboard users continue there.
    if (choice === null) return;
    heading.current?.focus();
    onStarted();
  }, [choice, onStarted]);
  const finish = async () => {
    await completeOnboarding();
    if (includesSample) await addSampleIfPossible();
  };
  const openAdopted = async (pageId: string) => {
    onStarted();
    await finish();
    goTo(screenPath("page", { id: pageId }));
  };
  const open = ({ pageId }: FirstPage) => goTo(findRequestedPath(from) ?? screenPath("page", { id: pageId }));
  return (
    <>
      <p className="welcome-step">{t("welcome.you_title", { name: user.name })}</p>
      <h1 ref={heading} tabIndex={-1}>
        {t(choice === null ? "welcome.what_title" : `welcome.${choice.source}_title`)}
      </h1>
      {choice === null && <AdoptedPages onOpen={(pageId) => void openAdopted(pageId)} />}
      {choice === null ? (
        <FirstPageChoice includesSample={includesSample} onSample={setIncludesSample} onChoice={setChoice} />
      ) : (
        <FirstPageStep {...choice} onCreated={finish} onOpen={open} onStudy={study} onBack={() => setChoice(null)} />
      )}
    </>
  );
}
