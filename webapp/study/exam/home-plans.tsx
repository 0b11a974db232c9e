import { useAtomValue } from "jotai/react";
import { CalendarPlus, Pencil } from "lucide-react";
import { useMemo, useState } from "react";
import { formatShare } from "#shared/messages/language.ts";
import { t } from "#shared/messages/translate.ts";
import type { DueDeck } from "#shared/study/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Meter } from "#shared/ui/meter.tsx";
import { dueAtom } from "../due.ts";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { getSamplePageIds } from "#webapp/user/sample-ids.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { daysUntil } from "./days-until.ts";
import { ExamDialog } from "./exam-dialog.tsx";
import { type Exam, groupExams, type Forecast } from "./exams.ts";
import { describeToday } from "./forecast-view.tsx";
import { usePlannedToday } from "./use-forecast.ts";
import "./exam.css";

/** The student's exams with today's part of each plan, and a button to plan a new exam. */
export function ExamPlans() {
  const due = useAtomValue(dueAtom);
  const [open, setOpen] = useState<Exam | "new" | null>(null);
  const accountId = useAtomValue(accountIdAtom);
  const exams = useMemo(() => (due.state === "ready" ? groupExams(due.decks) : []), [due]);
  if (due.state !== "ready" || due.decks.length === 0) return null;
  // Sample decks come last, because a new exam starts with the first deck.
  const samples = new Set<string>(Object.values(getSamplePageIds(accountId ?? "")));
  const decks = due.decks.toSorted((a, b) => Number(samples.has(a.pageId)) - Number(samples.has(b.pageId)));
  return (
    <section>
      <div className="exam-head">
        {exams.length > 0 && <h2>{t("planning.home_title")}</h2>}
        <Button
          icon={<CalendarPlus aria-hidden />}
          {...(exams.length > 0 && { variant: "quiet" as const })}
          onClick={() => setOpen("new")}
        >
          {t("planning.plan_exam")}
        </Button>
      </div>
      <ul role="list" className="home-list">
        {exams.map((exam) => (
          <li key={exam.key} className="exam-line">
            <ExamLine exam={exam} />
            <Button
              variant="quiet"
              icon={<Pencil aria-hidden />}
              aria-label={`${t("planning.change")}: ${joinTitles(exam.decks)}`}
              onClick={() => setOpen(exam)}
            >
              {t("planning.change")}
            </Button>
          </li>
        ))}
      </ul>
      {open !== null && <ExamDialog decks={decks} exam={open === "new" ? null : open} onClose={() => setOpen(null)} />}
    </section>
  );
}

const joinTitles = (decks: readonly DueDeck[]) => decks.map(({ title }) => title).join(", ");

function ExamLine({ exam }: { exam: Exam }) {
  const now = useNow();
  const isUpcoming = exam.examAt > now;
  const forecast = usePlannedToday(exam, now);
  const count = daysUntil(exam.examAt, now);
  return (
    <div>
      <p className="exam-name">
        <strong>{joinTitles(exam.decks)}</strong>{" "}
        {isUpcoming && <span>{count === 0 ? t("planning.exam_today") : t("planning.exam_in", { count })}</span>}
      </p>
      {forecast?.state === "planned" && (
        <Meter
          label={t("planning.expected")}
          value={Math.round(forecast.recall * 100)}
          max={100}
          valueText={formatShare(forecast.recall)}
        />
      )}
      <p className="exam-note" role="status">
        {isUpcoming ? describeForecast(forecast) : t("planning.exam_over")}
      </p>
    </div>
  );
}

function describeForecast(forecast: Forecast | null): string {
  if (forecast === null) return t("planning.working");
  if (forecast.state !== "planned") return t(`planning.${forecast.state}`);
  return `${describeToday(forecast)} · ${formatShare(forecast.recall)} ${t("planning.expected")}`;
}
