import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { readToken } from "#webapp/app/session/token.ts";
import { finishGoogleConnection } from "./state.ts";

interface Props {
  code: string;
  state: string;
  /** The student or Google denied access. */
  isDenied: boolean;
}

/** An error message if the callback cannot be sent to the server. */
function findProblem({ code, state, isDenied }: Props): string | undefined {
  if (isDenied) return t("connections.return_refused");
  if (code === "" || state === "") return t("connections.return_stale");
  return readToken() === undefined ? t("connections.return_sign_in") : undefined;
}

/** Sends Google's callback parameters to the server, once, and continues to the files. */
export function DriveCallback(params: Props) {
  const navigate = useNavigate();
  const [problem, setProblem] = useState(() => findProblem(params));
  const isSent = useRef(false);
  const { code, state } = params;
  const isCalendar = state.startsWith("calendar.");
  const waitingText = t(isCalendar ? "connections.returning_calendar" : "connections.returning");
  useEffect(() => {
    if (problem !== undefined || isSent.current) return;
    // A code can be used only once, so a second effect run must not send it again.
    isSent.current = true;
    const finish = async () => {
      const errorText = await finishGoogleConnection(code, state);
      if (errorText === undefined) await navigate({ to: screenPath("connections", {}), replace: true });
      else setProblem(errorText);
    };
    void finish();
  }, [code, state, problem, navigate]);
  if (problem === undefined)
    return (
      <>
        <h1>{waitingText}</h1>
        <Skeleton label={waitingText} lines={[80, 60]} />
      </>
    );
  return (
    <>
      <h1>{t(isCalendar ? "connections.return_failed_calendar" : "connections.return_failed")}</h1>
      <p className="centered-text" role="alert">
        {problem}
      </p>
      <p className="centered-form">
        <Link className="button button-primary button-l" to={screenPath("connections", {})}>
          {t("connections.to_connections")}
        </Link>
      </p>
    </>
  );
}
