import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { useCallback, useEffect, useRef, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { ErrorState } from "#shared/ui/empty-state.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import type { User } from "#shared/user/schema.ts";
import { goTo } from "#webapp/app/navigation.ts";
import { returnPath } from "#webapp/app/session/return-path.ts";
import { endWelcome, sessionAtom, startSession } from "#webapp/app/session/session.ts";
import type { FirstPage } from "./first-page.ts";
import { FirstPageStep, type Begin } from "./parts/first-page-step.tsx";
import { WhatFirst } from "./parts/what-first.tsx";
import { WhoYouAre } from "./parts/who-you-are.tsx";
import "./onboarding-screen.css";

type Step = 1 | 2 | 3;

export function OnboardingScreen() {
  const session = useAtomValue(sessionAtom);
  const navigate = useNavigate();
  const { from } = useSearch({ strict: false });
  const isDone = session.state === "ready" && session.user.onboardingComplete;
  const hasBegun = useRef(false);
  const noteBegun = useCallback(() => void (hasBegun.current = true), []);
  useEffect(() => {
    // Redirects users who have completed onboarding, even if that happened on another device.
    if (isDone && !hasBegun.current) void navigate({ href: returnPath(from), replace: true });
  }, [isDone, from, navigate]);
  return (
    <div className="welcome">
      <header className="welcome-head">
        <span className="wordmark">{t("common.product")}</span>
        <Link to={screenPath("logout", {})}>{t("shell.sign_out")}</Link>
      </header>
      <main className="welcome-main">
        {session.state === "ready" && <Steps user={session.user} from={from} onBegun={noteBegun} />}
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

/** The address requested before onboarding; ignores home and the tutor, which are the defaults. */
function placeAskedFor(from: unknown): string | undefined {
  const path = typeof from === "string" ? returnPath(from) : "";
  const everyday: readonly string[] = ["", screenPath("home", {}), screenPath("chat", {})];
  return everyday.includes(path) ? undefined : path;
}

interface StepsProps {
  user: User;
  from: unknown;
  /** Called from the second step on: these steps then decide where to go. */
  onBegun: () => void;
}

function Steps({ user, from, onBegun }: StepsProps) {
  const [step, setStep] = useState<Step>(1);
  const [begin, setBegin] = useState<Begin>("notes");
  const [hasSample, setSample] = useState(true);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // Moves the focus, so that screen readers announce the heading and keyboard users continue there.
    if (step === 1) return;
    heading.current?.focus();
    onBegun();
  }, [step, onBegun]);
  const made = async () => {
    await endWelcome();
    if (!hasSample) return;
    const { addSample } = await import("./sample.ts");
    await addSample();
  };
  const open = ({ pageId }: FirstPage) => goTo(placeAskedFor(from) ?? screenPath("page", { id: pageId }));
  return (
    <>
      <p className="welcome-step">{t("welcome.step", { step })}</p>
      <h1 ref={heading} tabIndex={-1}>
        {titleOf(step, begin, user)}
      </h1>
      {step === 1 && <WhoYouAre user={user} onDone={() => setStep(2)} />}
      {step === 2 && (
        <WhatFirst
          begin={begin}
          hasSample={hasSample}
          onBegin={setBegin}
          onSample={setSample}
          onBack={() => setStep(1)}
          onDone={() => setStep(3)}
        />
      )}
      {step === 3 && <FirstPageStep begin={begin} onMade={made} onOpen={open} onBack={() => setStep(2)} />}
    </>
  );
}

function titleOf(step: Step, begin: Begin, { name }: User): string {
  if (step === 1) return t("welcome.you_title", { name });
  if (step === 2) return t("welcome.what_title");
  return t(`welcome.${begin}_title`);
}
