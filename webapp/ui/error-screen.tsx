import { Link, useRouter, type ErrorComponentProps } from "@tanstack/react-router";
import { lazy, Suspense, useContext, type ReactNode } from "react";
import { describeFailure } from "#shared/client/describe-failure.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { openOverlay } from "#webapp/app/overlays.ts";
import { readToken } from "#webapp/app/session/token.ts";
import { useDocumentTitle } from "#webapp/app/use-title.ts";
import { isMissingModule } from "#webapp/app/app-updated.ts";
import { FramedContext } from "./layouts/framed-context.ts";
import "./error-screen.css";

const ErrorAlone = ({ children }: { children: ReactNode }) => <main className="error-alone">{children}</main>;

// The error is shown even if its frame cannot be loaded.
const alone = () => ({ default: ErrorAlone });
const LandingFrame = lazy(() =>
  import("./layouts/landing-layout.tsx").then((file) => ({ default: file.LandingFrame }), alone),
);
const Shell = lazy(() => import("./layouts/shell.tsx").then((file) => ({ default: file.Shell }), alone));

const NOT_FOUND = 404;
const UNKNOWN = 500;

/**
 * Signed-in users see the error inside their workspace, and visitors between the links of the public pages. Inside a layout
 * there is already one of both.
 */
function ErrorFrame({ children }: { children: ReactNode }) {
  const isFramed = useContext(FramedContext);
  if (isFramed) return children;
  const Frame = readToken() === undefined ? LandingFrame : Shell;
  return (
    <Suspense fallback={<ErrorAlone>{children}</ErrorAlone>}>
      <Frame>{children}</Frame>
    </Suspense>
  );
}

/** Search engines get an empty page, because they would index the error as the page's content. */
const isBot = () => typeof navigator !== "undefined" && /bot|crawl|spider|slurp/i.test(navigator.userAgent);

interface ErrorScreenProps {
  status: number;
  message: string;
  children: ReactNode;
  onRetry?: () => void;
}

function ErrorScreen({ status, message, children, onRetry }: ErrorScreenProps) {
  useDocumentTitle(message);
  if (isBot()) return null;
  return (
    <ErrorFrame>
      <div className="error-screen" role="alert">
        <p className="error-status">{t("shell.status", { status })}</p>
        <h1 className="error-title">{message}</h1>
        <p className="error-text">{children}</p>
        <div className="error-actions">
          <Link className="button button-primary" to={screenPath("landing", {})}>
            {t("shell.go_home")}
          </Link>
          <Button onClick={() => openOverlay("feedback")}>{t("shell.report_bug")}</Button>
          {onRetry && <Button onClick={onRetry}>{t("common.retry")}</Button>}
        </div>
      </div>
    </ErrorFrame>
  );
}

export function NotFound() {
  return (
    <ErrorScreen status={NOT_FOUND} message={t("shell.not_found")}>
      {t("shell.not_found_text")}
    </ErrorScreen>
  );
}

export function RouteFailure({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const { status, message } = error
    ? describeFailure(error)
    : { status: UNKNOWN, message: t("failures.unknown_error") };
  if (status === NOT_FOUND) return <NotFound />;
  if (isMissingModule(error)) return <MissingModule status={status} />;
  return (
    <ErrorScreen
      status={status}
      message={message}
      onRetry={() => {
        reset();
        void router.invalidate();
      }}
    >
      {t("shell.error_text")}
    </ErrorScreen>
  );
}

/** Shown if a module could not be loaded. Retrying reloads the document, because nothing else can help. */
function MissingModule({ status }: { status: number }) {
  const message = navigator.onLine ? t("failures.app_updated") : t("failures.network");
  return (
    <ErrorScreen status={status} message={message} onRetry={() => location.reload()}>
      {t("shell.error_text")}
    </ErrorScreen>
  );
}
