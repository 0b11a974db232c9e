import { useCallback, useState } from "react";
import type { CalendarFeed } from "#shared/connections/calendar-contract.ts";
import { documentLanguage } from "#shared/messages/language.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { client } from "#webapp/app/client.ts";
import { useAsyncValue } from "#webapp/app/hooks/use-async-value.ts";
import { TimeField } from "#webapp/ui/time-field.tsx";
import { copyFeedAddress, renewFeedAddress, saveFeedTime, switchFeed } from "../calendar-api.ts";
import type { Connections } from "../state.ts";
import { GoogleCalendar } from "./google-calendar.tsx";
import "./calendar.css";

/** Puts study blocks into the student's own calendar: by an address to subscribe to, or in Google Calendar. */
export function Calendar({ connections }: { connections: Connections }) {
  const load = useCallback(() => client.connections.getCalendarFeed({}), []);
  const { answer, setReady: setFeed, retry } = useAsyncValue(load);
  return (
    <section className="connection" aria-labelledby="calendar">
      <h2 id="calendar">{t("calendar.title")}</h2>
      <p className="connection-about">{t("calendar.about")}</p>
      {answer.state === "loading" && <Skeleton label={t("common.loading")} lines={[60, 40]} />}
      {answer.state === "failed" && (
        <div className="connection-row">
          <p>{t("calendar.failed")}</p>
          <Button onClick={retry}>{t("common.retry")}</Button>
        </div>
      )}
      {answer.state === "ready" && <Feed feed={answer.value} onChange={setFeed} />}
      {connections.state === "ready" && (
        <GoogleCalendar
          connection={connections.connections.find(({ connection_type }) => connection_type === "google_calendar")}
          missingSettings={connections.missingSettings}
        />
      )}
    </section>
  );
}

interface FeedProps {
  feed: CalendarFeed;
  onChange: (feed: CalendarFeed) => void;
}

function Feed({ feed, onChange }: FeedProps) {
  return (
    <>
      <StudyTime key={feed.studyAt} feed={feed} onChange={onChange} />
      <Week feed={feed} />
      <Address feed={feed} onChange={onChange} />
    </>
  );
}

function StudyTime({ feed, onChange }: FeedProps) {
  const [time, setTime] = useState(feed.studyAt);
  const [isPending, setPending] = useState(false);
  const isValid = /^([01]\d|2[0-3]):[0-5]\d$/.test(time);
  const save = async () => {
    setPending(true);
    const saved = await saveFeedTime(time);
    setPending(false);
    if (saved) onChange(saved);
  };
  return (
    <div className="calendar-time">
      <TimeField
        label={t("calendar.study_at")}
        hint={t("calendar.study_at_hint", { timezone: feed.timezone.replaceAll("_", " ") })}
        value={time}
        onValue={setTime}
      />
      {isValid && time !== feed.studyAt && (
        <Button variant="primary" pending={isPending} onClick={() => void save()}>
          {t("calendar.save")}
        </Button>
      )}
    </div>
  );
}

function Week({ feed: { blocks, timezone } }: { feed: CalendarFeed }) {
  const format = (time: number, options: Intl.DateTimeFormatOptions) =>
    new Date(time).toLocaleString(documentLanguage(), { timeZone: timezone, ...options });
  const formatTime = (time: number) => format(time, { timeStyle: "short" });
  if (blocks.length === 0) return <p className="connection-note">{t("calendar.week_none")}</p>;
  return (
    <div>
      <h3>{t("calendar.week")}</h3>
      <ul className="calendar-week">
        {blocks.map(({ day, startAt, endAt, cards, examMinutes }) => (
          <li key={day}>
            <span>{format(startAt, { weekday: "short", day: "numeric", month: "short" })}</span>
            <span>{t("calendar.block", { from: formatTime(startAt), to: formatTime(endAt) })}</span>
            <span>
              {[
                ...(cards > 0 ? [t("calendar.cards", { count: cards })] : []),
                ...(examMinutes > 0 ? [t("calendar.exam", { count: examMinutes })] : []),
              ].join(" · ")}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Address({ feed: { url }, onChange }: FeedProps) {
  const [isPending, setPending] = useState(false);
  const run = async (call: () => Promise<CalendarFeed | undefined>) => {
    setPending(true);
    const changed = await call();
    setPending(false);
    if (changed) onChange(changed);
  };
  if (url === null)
    return (
      <div>
        <Button variant="primary" pending={isPending} onClick={() => void run(() => switchFeed(true))}>
          {t("calendar.turn_on")}
        </Button>
      </div>
    );
  return (
    <div className="calendar-address">
      <TextField label={t("calendar.address")} hint={t("calendar.address_hint")} value={url} readOnly />
      <div className="calendar-actions">
        <Button variant="primary" onClick={() => void copyFeedAddress(url)}>
          {t("calendar.copy")}
        </Button>
        <Button pending={isPending} onClick={() => void run(renewFeedAddress)}>
          {t("calendar.renew")}
        </Button>
        <Button variant="quiet" pending={isPending} onClick={() => void run(() => switchFeed(false))}>
          {t("calendar.turn_off")}
        </Button>
      </div>
    </div>
  );
}
