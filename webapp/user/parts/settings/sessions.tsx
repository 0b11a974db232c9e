import { useAtomValue } from "jotai/react";
import { useEffect, useRef } from "react";
import type { SessionInfo } from "#shared/auth/contract.ts";
import { documentLanguage } from "#shared/messages/language.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Chip } from "#shared/ui/controls/chip.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { notify } from "#webapp/app/alerts.ts";
import { endOtherSessions, endSession, loadSessions, sessionsAtom } from "../../account-state.ts";

async function endOthers(): Promise<void> {
  if (await endOtherSessions()) notify({ message: t("account.sessions_ended"), type: "success" });
  await loadSessions();
}

/** Moves the focus to the list, because the pressed button disappears with its session. */
async function endAndFocusList(list: HTMLElement | null, end: () => Promise<unknown>): Promise<void> {
  await end();
  list?.focus();
}

export function Sessions() {
  const sessions = useAtomValue(sessionsAtom);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => void loadSessions(), []);
  if (sessions === "loading") return <Skeleton label={t("common.loading")} />;
  if (sessions === "failed")
    return (
      <p className="settings-row">
        {t("account.sessions_failed")}
        <Button onClick={() => void loadSessions()}>{t("common.retry")}</Button>
      </p>
    );
  return (
    <>
      <ul ref={list} role="list" tabIndex={-1} aria-label={t("account.sessions")} className="settings-list">
        {sessions.map((session) => (
          <li key={session.id} className="settings-line">
            <Device session={session} />
            {!session.isCurrent && (
              <Button
                variant="quiet"
                aria-label={t("account.session_end", { device: describeDevice(session.device) })}
                onClick={() => void endAndFocusList(list.current, () => endSession(session.id).then(loadSessions))}
              >
                {t("shell.sign_out")}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <Button onClick={() => void endAndFocusList(list.current, endOthers)}>
          {t("account.sessions_end_others")}
        </Button>
      )}
    </>
  );
}

function Device({ session }: { session: SessionInfo }) {
  const when = new Date(session.lastSeenAt).toLocaleString(documentLanguage(), {
    dateStyle: "medium",
    timeStyle: "short",
  });
  return (
    <span>
      {describeDevice(session.device)} {session.isCurrent && <Chip tone="good">{t("account.session_here")}</Chip>}
      <small className="settings-note">{t("account.session_seen", { when })}</small>
    </span>
  );
}

const browsers = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
] as const;
const systems = ["Windows", "Android", "iPhone", "iPad", "Mac OS X", "Linux"] as const;

/** Browser and system from the user agent, if recognised. */
function describeDevice(userAgent: string): string {
  const browser = browsers.find(([token]) => userAgent.includes(token))?.[1];
  const system = systems.find((name) => userAgent.includes(name))?.replace("Mac OS X", "macOS");
  const description = [browser, system].filter(Boolean).join(", ");
  return description === "" ? userAgent.slice(0, 60) || t("account.session_unknown") : description;
}
