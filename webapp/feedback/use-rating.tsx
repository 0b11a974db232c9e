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

function showThumb(item: RatedItem, value: Thumb | "none"): void {
  const { [keyOf(item)]: _, ...others } = store.get(ratingsAtom);
  store.set(ratingsAtom, value === "none" ? others : { ...others, [keyOf(item)]: value });
}

/** The thumb given in this visit, a function that gives or withdraws a thumb, and the dialog that asks for a reason. */
export function useRating(item: RatedItem) {
  const value = useAtomValue(ratingsAtom)[keyOf(item)] ?? "none";
  const [isAsking, setAsking] = useState(false);
  const { kind, id } = item;
  const model = item.model ?? "none";
  const rate = async (thumb: Thumb) => {
    const changed = value === thumb ? "none" : thumb;
    showThumb(item, changed);
    try {
      await client.feedback.rate({ kind, id, model, value: changed });
      if (changed === "down") setAsking(true);
      if (changed === "up") notify({ type: "success", message: t("rating.thanks") });
    } catch {
      showThumb(item, value);
      notify({ type: "error", message: t("rating.failed") });
    }
  };
  const explain = async (reason: string, isShared: boolean) => {
    await client.feedback.rate({ kind, id, model, value: "down", reason, text: isShared ? item.text : "" });
    notify({ type: "success", message: t("rating.thanks") });
    setAsking(false);
  };
  const dialog = isAsking && <RatingDialog text={item.text} onSend={explain} onClose={() => setAsking(false)} />;
  return { value, rate, dialog };
}
