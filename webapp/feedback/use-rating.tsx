import { useAtomValue } from "jotai/react";
import { useState } from "react";
import type { RATED_KINDS } from "#shared/feedback/contract.ts";
import { t } from "#shared/messages/translate.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { accountAtom } from "#webapp/app/session/account-atom.ts";
import { store } from "#webapp/app/store.ts";
import { RatingDialog } from "./rating-dialog.tsx";

type Thumb = "up" | "down";

/** A rated item, with the text that the student may share. */
export interface RatedItem {
  kind: (typeof RATED_KINDS)[number];
  id: string;
  model?: string | null | undefined;
  text: string;
}

const ratingsAtom = accountAtom<Readonly<Record<string, Thumb>>>({});
const keyOf = ({ kind, id }: RatedItem) => `${kind}:${id}`;

const sendRating = (
  { kind, id, model }: RatedItem,
  rating: { value: Thumb | "none"; reason?: string; text?: string },
) => client.feedback.rate({ kind, id, model: model ?? "none", ...rating });

function showThumb(item: RatedItem, value: Thumb | "none"): void {
  const { [keyOf(item)]: _, ...others } = store.get(ratingsAtom);
  store.set(ratingsAtom, value === "none" ? others : { ...others, [keyOf(item)]: value });
}

/** Items whose rating is being sent. Further presses are ignored, because two requests may arrive in either order. */
const pendingKeys = new Set<string>();

/** The thumb given since the app was loaded, a function that gives or withdraws it, and the dialog for a reason. */
export function useRating(item: RatedItem) {
  const value = useAtomValue(ratingsAtom)[keyOf(item)] ?? "none";
  // The screen may have moved on to another item when the answer arrives.
  const [explainedItem, setExplainedItem] = useState<RatedItem>();
  const rate = async (thumb: Thumb) => {
    const key = keyOf(item);
    if (pendingKeys.has(key)) return;
    pendingKeys.add(key);
    const next = value === thumb ? "none" : thumb;
    showThumb(item, next);
    try {
      await sendRating(item, { value: next });
      if (next === "down") setExplainedItem(item);
      if (next === "up") notify({ type: "success", message: t("rating.thanks") });
    } catch {
      showThumb(item, value);
      notify({ type: "error", message: t("rating.failed") });
    } finally {
      pendingKeys.delete(key);
    }
  };
  const explain = (rated: RatedItem) => async (reason: string, sharesText: boolean) => {
    await sendRating(rated, { value: "down", reason, text: sharesText ? rated.text : "" });
    notify({ type: "success", message: t("rating.thanks") });
    setExplainedItem(undefined);
  };
  const dialog = explainedItem && (
    <RatingDialog
      text={explainedItem.text}
      onSend={explain(explainedItem)}
      onClose={() => setExplainedItem(undefined)}
    />
  );
  return { value, rate, dialog };
}
