import { Link } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import type { SyncRequest } from "#shared/sync/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { finishSignOut, prepareSignOut } from "#webapp/app/session/sign-out.ts";
import { store } from "#webapp/app/store.ts";
import { unsavedResearchTextsAtom } from "#webapp/offline/sync-status.ts";
import { downloadUnsaved, describeUnsaved } from "#webapp/offline/unsaved-changes.ts";

type Step =
  | { state: "sending" }
  | { state: "asking"; unsaved: readonly SyncRequest[]; textCount: number }
  | { state: "done" };

export function LogoutScreen() {
  const [step, setStep] = useState<Step>({ state: "sending" });
  const started = useRef(false);

  const finish = async () => {
    setStep({ state: "sending" });
    await finishSignOut();
    setStep({ state: "done" });
  };
  const prepare = async () => {
    setStep({ state: "sending" });
    const unsaved = await prepareSignOut();
    const textCount = store.get(unsavedResearchTextsAtom).length;
    if (unsaved.length + textCount > 0) setStep({ state: "asking", unsaved, textCount });
    else await finish();
  };

  useEffect(() => {
    if (started.current) return;
    started.current = true;
    void prepare();
  });

  switch (step.state) {
    case "sending":
      return <Skeleton label={t("auth.signing_out")} lines={[60, 90]} />;
    case "asking":
      return (
        <Unsaved
          requests={step.unsaved}
          textCount={step.textCount}
          onRetry={() => void prepare()}
          onDiscard={() => void finish()}
        />
      );
    case "done":
      return <SignedOut />;
    default:
      return step satisfies never;
  }
}

interface UnsavedProps {
  requests: readonly SyncRequest[];
  /** Notes and versions of research sections. */
  textCount: number;
  onRetry: () => void;
  onDiscard: () => void;
}

function Unsaved({ requests, textCount, onRetry, onDiscard }: UnsavedProps) {
  return (
    <>
      <h1>{t("unsaved.sign_out_title")}</h1>
      <p className="centered-text">{t("unsaved.sign_out_text")}</p>
      <ul className="centered-list">
        {describeUnsaved(requests).map((line) => (
          <li key={line}>{line}</li>
        ))}
        {textCount > 0 && <li>{t("unsaved.research", { count: textCount })}</li>}
      </ul>
      <div className="centered-form">
        <Button variant="primary" size="l" onClick={onRetry}>
          {t("unsaved.retry")}
        </Button>
        <Button size="l" onClick={downloadUnsaved}>
          {t("unsaved.download")}
        </Button>
        <Button variant="danger" size="l" onClick={onDiscard}>
          {t("unsaved.sign_out_discard")}
        </Button>
      </div>
      <p className="centered-aside">
        <Link to={screenPath("home", {})}>{t("unsaved.stay_signed_in")}</Link>
      </p>
    </>
  );
}

function SignedOut() {
  return (
    <>
      <h1>{t("auth.signed_out")}</h1>
      <p className="centered-text">{t("auth.signed_out_text")}</p>
      <p className="centered-form">
        <Link className="button button-primary button-l" to={screenPath("login", {})}>
          {t("auth.sign_in_again")}
        </Link>
      </p>
    </>
  );
}
