import { useEffect } from "react";
import type { PlanDay, PlanRequest } from "#shared/marketing/study-plan.ts";
import { writeStudyCalendar } from "#shared/marketing/study-calendar.ts";
import { CopyResult, useCopy } from "../tools/export/copy-result.tsx";
import { SaveResult } from "../tools/set/save-result.tsx";
import { prepareDownloads } from "../tools/prepare.ts";
import { storePendingPlan } from "../tools/set/store-pending-cards.ts";
import { word } from "../tools/words.ts";
import { listExamEvents, planTitle, toPageLines } from "./plan-text.ts";
import { toFragment, type ScheduleForm } from "./schedule-state.ts";

interface ActionsProps {
  form: ScheduleForm;
  request: PlanRequest;
  days: readonly PlanDay[];
}

/** Buttons to export, share or print the plan. */
export function PlanActions({ form, request, days }: ActionsProps) {
  const { copied, copy } = useCopy();
  useEffect(prepareDownloads, []);
  const saveCalendar = async () => {
    const { downloadBlob } = await import("../tools/export/download-cards.ts");
    const text = writeStudyCalendar(listExamEvents(request, days), Date.now());
    downloadBlob(new Blob([text], { type: "text/calendar;charset=utf-8" }), "study-plan.ics");
  };
  const copyLink = () => copy({ plain: `${location.origin}${location.pathname}#${toFragment(form)}` });
  return (
    <div className="tool-downloads tool-actions">
      <button type="button" className="button button-secondary" onClick={() => void saveCalendar()}>
        {word("schedule_calendar")}
      </button>
      <button type="button" className="button button-secondary" onClick={() => void copyLink()}>
        {word("schedule_copy")}
      </button>
      <button type="button" className="button button-secondary" onClick={() => window.print()}>
        {word("print")}
      </button>
      <CopyResult copied={copied} done={word("schedule_copied")} />
    </div>
  );
}

/** Takes the plan into the account, as a page with a task for each day. */
export const SavePlan = ({ request, days }: Omit<ActionsProps, "form">) => (
  <SaveResult
    title={word("schedule_keep_title")}
    text={word("schedule_keep_text")}
    label={word("schedule_keep")}
    store={() => storePendingPlan(planTitle(request), toPageLines(request, days))}
  />
);
