import { remaining, limitsOf } from "#shared/billing/rules.ts";
import { NoAnswer } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import { t } from "#shared/messages/translate.ts";
import { countWords } from "#shared/pages/completion.ts";
import { countLocally, utcDay } from "#shared/user/rules.ts";
import { accountAtom } from "#webapp/app/session/account-atom.ts";
import { notify } from "#webapp/app/alerts.ts";
import { client } from "#webapp/app/client.ts";
import { logTrouble } from "#webapp/app/log.ts";
import { openOverlay } from "#webapp/app/overlays.ts";
import { preferencesAtom } from "#webapp/app/preferences.ts";
import { userAtom } from "#webapp/app/session/session.ts";
import { store } from "#webapp/app/store.ts";
import { ofToday, usageAtom } from "#webapp/user/usage.ts";
import type { CompletionDoor, TextAround } from "./editor/completion.ts";
import { WordCounter } from "./word-counter.ts";

/** Pause after a failed request, because completions are optional. */
const PAUSE_MS = 30_000;

let pausedUntil = 0;
/** The UTC day on which the server reported that the quota is used up. */
const spentAtom = accountAtom<string>("");
const isSpent = () => store.get(spentAtom) === utcDay(Date.now());

function wordsLeft(): number {
  const now = Date.now();
  if (isSpent()) return 0;
  const user = store.get(userAtom);
  const today = ofToday(store.get(usageAtom), now);
  return user ? remaining("autocompleteWords", limitsOf(user.plan, now), today) : Number.POSITIVE_INFINITY;
}

const counter = new WordCounter({
  send: async (wordCount) => store.set(usageAtom, (await client.pages.countCompletedWords({ wordCount })).usage),
  add(words) {
    const usage = store.get(usageAtom);
    if (usage) store.set(usageAtom, countLocally(usage, "autocompleteWords", words, Date.now()));
  },
  onTrouble: (error) => logTrouble("Could not report completed words", error),
});

function tellSpent(message: string): void {
  if (isSpent()) return;
  store.set(spentAtom, utcDay(Date.now()));
  // A notice instead of the plans dialog, so that typing keeps the focus.
  notify({ message, type: "info", action: { label: t("pages.completion_plans"), run: () => openOverlay("plan") } });
}

function hearTrouble(error: unknown): void {
  if (error instanceof Failure && error.code === "limit_reached") return tellSpent(error.message);
  pausedUntil = Date.now() + PAUSE_MS;
  if (!(error instanceof Failure) && !(error instanceof NoAnswer)) logTrouble("Could not complete text", error);
}

async function* askFor(pageId: string, around: TextAround, signal: AbortSignal) {
  try {
    if (store.get(usageAtom) === null) store.set(usageAtom, await client.user.getUsage({}));
    if (wordsLeft() === 0) {
      tellSpent(t("failures.usage_limit"));
      return;
    }
    for await (const event of client.pages.completeText({ pageId, ...around }, { signal }))
      if (event.type === "text") yield event.text;
  } catch (error) {
    if (!signal.aborted) hearTrouble(error);
  }
}

/** Connects a page's editor to completions. */
export const completionDoor = (pageId: string, tell: (text: string | null) => void): CompletionDoor => ({
  isOn: () =>
    store.get(preferencesAtom).features.text_completion_enabled &&
    navigator.onLine &&
    Date.now() >= pausedUntil &&
    !isSpent(),
  ask: (around, signal) => askFor(pageId, around, signal),
  take: (text) => counter.count(countWords(text)),
  tell,
});
