import { useCallback, useState } from "react";
import type { AdminFeedback, FeedbackFilter } from "#shared/admin/feedback-contract.ts";
import { FEEDBACK_CATEGORIES } from "#shared/feedback/contract.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Chip } from "#shared/ui/controls/chip.tsx";
import { Segmented } from "#shared/ui/controls/segmented.tsx";
import { Select } from "#shared/ui/controls/select.tsx";
import { notify } from "#webapp/app/alerts.ts";
import { adminClient } from "#webapp/app/admin-client.ts";
import { formatRelativeDate } from "#webapp/app/format/format-date.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { categoryNames } from "#webapp/feedback/category-names.ts";
import { AdminFrame } from "./admin-frame.tsx";
import { AnswerDialog } from "./parts/answer-dialog.tsx";
import { CsvButton } from "./lists/csv-button.tsx";
import { ListFrame } from "./lists/list-frame.tsx";
import { HelpRatings } from "./parts/help-ratings.tsx";
import { useList } from "./lists/use-list.ts";

type State = AdminFeedback["state"];
type Category = (typeof FEEDBACK_CATEGORIES)[number];

/** `/admin/product_feedback`: the feedback that people sent about the product, and the ratings of help articles. */
export function FeedbackScreen() {
  const [state, setState] = useState<State | "all">("new");
  const [category, setCategory] = useState<Category | "all">("all");
  const filter = { ...(state !== "all" && { state }), ...(category !== "all" && { category }) };
  return (
    <AdminFrame
      tab="adminFeedback"
      actions={<CsvButton name="feedback" read={() => adminClient.exportFeedback(filter)} />}
    >
      <div className="admin-filters">
        <Segmented
          label={t("admin.feedback_state")}
          value={state}
          options={(["new", "answered", "done", "all"] as const).map((value) => ({
            value,
            label: t(`admin.state_${value}`),
          }))}
          onValue={setState}
        />
        <Select
          label={t("admin.feedback_category")}
          value={category}
          options={(["all", ...FEEDBACK_CATEGORIES] as const).map((value) => ({
            value,
            label: value === "all" ? t("figures.all") : categoryNames[value],
          }))}
          onValue={setCategory}
        />
      </div>
      <FeedbackList key={`${state} ${category}`} {...filter} />
      <HelpRatings />
    </AdminFrame>
  );
}

function FeedbackList({ state, category }: FeedbackFilter) {
  const [answered, setAnswered] = useState<AdminFeedback | null>(null);
  const read = useCallback(
    async (after: string | undefined) => {
      const { feedback, next } = await adminClient.listFeedback({
        ...(state !== undefined && { state }),
        ...(category !== undefined && { category }),
        ...(after !== undefined && { after }),
      });
      return { items: feedback, next };
    },
    [state, category],
  );
  const { replace, ...loaded } = useList(read);
  const setStateOf = async ({ _id: id }: AdminFeedback, changed: State) => {
    try {
      replace((await adminClient.setFeedbackState({ id, state: changed })).feedback);
    } catch {
      notify({ type: "error", message: t("admin.change_failed") });
    }
  };
  return (
    <>
      <ListFrame
        label={t("admin.feedback")}
        loaded={loaded}
        empty={{ title: t("admin.feedback_none"), text: t("admin.feedback_none_text") }}
      >
        {(items) => (
          <ul role="list" className="admin-rows">
            {items.map((item) => (
              <FeedbackRow
                key={item._id}
                item={item}
                onAnswer={() => setAnswered(item)}
                onState={(changed) => void setStateOf(item, changed)}
              />
            ))}
          </ul>
        )}
      </ListFrame>
      {answered && <AnswerDialog feedback={answered} onClose={() => setAnswered(null)} onAnswered={replace} />}
    </>
  );
}

const categoryName = (category: string) => {
  const known = FEEDBACK_CATEGORIES.find((name) => name === category);
  return known ? categoryNames[known] : category;
};

interface RowProps {
  item: AdminFeedback;
  onAnswer: () => void;
  onState: (state: State) => void;
}

function FeedbackRow({ item, onAnswer, onState }: RowProps) {
  const now = useNow();
  const { feedback, category, currentRoute, email, createdAt, state } = item;
  return (
    <li>
      <div>
        <p className="admin-words">{feedback}</p>
        <p className="admin-quiet">
          {categoryName(category)} · {email || t("admin.feedback_anonymous")} ·{" "}
          {t("admin.feedback_from", { route: currentRoute })} · {formatRelativeDate(createdAt, now)}{" "}
          {state !== "new" && <Chip>{t(`admin.state_${state}`)}</Chip>}
        </p>
      </div>
      <div className="admin-actions">
        {email !== "" && <Button onClick={onAnswer}>{t("admin.answer")}</Button>}
        <Button variant="quiet" onClick={() => onState(state === "done" ? "new" : "done")}>
          {t(state === "done" ? "admin.mark_new" : "admin.mark_done")}
        </Button>
      </div>
    </li>
  );
}
