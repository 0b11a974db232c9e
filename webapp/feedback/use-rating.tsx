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

/** What is rated, with the words that the student may share. */
export interface RatedThing {
  kind: (typeof RATED_KINDS)[number];
  id: string;
  model?: string | null | undefined;
  text: string;
}

const ratingsAtom = accountAtom<Readonly<Record<string, Thumb>>>({});
const keyOf = ({ kind, id }: RatedThing) => `${kind}:${id}`;

function remember(thing: RatedThing, value: Thumb | "none"): void {
  const { [keyOf(thing)]: _, ...others } = store.get(ratingsAtom);
  store.set(ratingsAtom, value === "none" ? others : { ...others, [keyOf(thing)]: value });
}

/** The thumb that was given in this visit, a function that gives or withdraws one, and the question why. */
export function useRating(thing: RatedThing) {
  const value = useAtomValue(ratingsAtom)[keyOf(thing)] ?? "none";
  const [isAsking, setAsking] = useState(false);
  const { kind, id } = thing;
  const model = thing.model ?? "none";
  const rate = async (thumb: Thumb) => {
    const changed = value === thumb ? "none" : thumb;
    remember(thing, changed);
    try {
      await client.feedback.rate({ kind, id, model, value: changed });
      if (changed === "down") setAsking(true);
      if (changed === "up") notify({ type: "success", message: t("rating.thanks") });
    } catch {
      remember(thing, value);
      notify({ type: "error", message: t("rating.failed") });
    }
  };
  const explain = async (reason: string, isShared: boolean) => {
    await client.feedback.rate({ kind, id, model, value: "down", reason, text: isShared ? thing.text : "" });
    notify({ type: "success", message: t("rating.thanks") });
    setAsking(false);
  };
  const dialog = isAsking && <RatingDialog text={thing.text} onSend={explain} onClose={() => setAsking(false)} />;
  return { value, rate, dialog };
}
