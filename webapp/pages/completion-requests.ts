import { ulid } from "ulid";
import { remainingToday, limitsOf } from "#shared/billing/rules.ts";
import { NoResponseError } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import { t } from "#shared/messages/translate.ts";
import { countWords } from "#shared/pages/completion.ts";
import { addUsage } from "#shared/billing/daily-usage.ts";
import { utcDay } from "#shared/user/days.ts";
import { effectivePlan } from "#shared/billing/effective-plan.ts";
import { accountAtom } from "#webapp/app/session/account-atom.ts";
import { watchSession } from "#webapp/app/session/load-for-account.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { openPlanModal } from "#webapp/app/overlays.ts";
import { preferencesAtom } from "#webapp/app/preferences.ts";
import { userAtom } from "#webapp/app/session/session.ts";
import { store } from "#webapp/app/store.ts";
import { todaysUsage, usageAtom } from "#webapp/user/usage.ts";
import type { CompletionPort, TextContext } from "./editor/typing/completion.ts";
import { WordCounter } from "./completed-words-queue.ts";

/** Pause after a failed request, because completions are optional. */
const PAUSE_MS = 30_000;

let pausedUntil = 0;
/** The UTC day and the plan whose quota the server reported as used up. A change of plan starts a new quota. */
const quotaSpentAtom = accountAtom<string>("");
const currentQuota = () => `${utcDay(Date.now())} ${effectivePlan(store.get(userAtom)?.plan, Date.now())}`;
const isQuotaSpent = () => store.get(quotaSpentAtom) === currentQuota();

function countWordsLeft(): number {
  const now = Date.now();
  if (isQuotaSpent()) return 0;
  const user = store.get(userAtom);
  const today = todaysUsage(store.get(usageAtom), now);
  return user ? remainingToday("autocompleteWords", limitsOf(user.plan, now), today) : Number.POSITIVE_INFINITY;
}

const counter = new WordCounter({
  async send(wordCount) {
    const isCurrent = watchSession();
    const { usage } = await client.pages.countCompletedWords({ wordCount });
    if (isCurrent()) store.set(usageAtom, usage);
  },
  addToLocalUsage(words) {
    const usage = store.get(usageAtom);
    if (usage) store.set(usageAtom, addUsage(usage, "autocompleteWords", words, Date.now()));
  },
  onError: (error) => logWarning("Could not report completed words", error),
});

/** Opens the plans once a day. Completions are then off for the rest of the day, so the dialog does not open again. */
function handleQuotaSpent(message: string): void {
  if (isQuotaSpent()) return;
  store.set(quotaSpentAtom, currentQuota());
  openPlanModal(message, "autocompleteWords");
}

function handleError(error: unknown): void {
  if (error instanceof Failure && error.code === "limit_reached") return handleQuotaSpent(error.message);
  pausedUntil = Date.now() + PAUSE_MS;
  if (!(error instanceof Failure) && !(error instanceof NoResponseError)) logWarning("Could not complete text", error);
}

/** Unlike `loadUsage`, rejects if the usage cannot be loaded. */
async function fetchUsage(): Promise<void> {
  const isCurrent = watchSession();
  const usage = await client.user.getUsage({});
  if (isCurrent()) store.set(usageAtom, usage);
}

async function* requestCompletion(pageId: string, context: TextContext, signal: AbortSignal) {
  try {
    if (store.get(usageAtom) === null) await fetchUsage();
    if (countWordsLeft() === 0) {
      handleQuotaSpent(t("failures.usage_limit"));
      return;
    }
    for await (const event of client.pages.completeText({ pageId, ...context }, { signal }))
      if (event.type === "text") yield event.text;
  } catch (error) {
    if (!signal.aborted) handleError(error);
  }
}

interface AcceptedCompletion {
  id: string;
  pageId: string;
  text: string;
}

/** The completion that was accepted last, for the student to rate; null when the rating is closed. */
export const acceptedCompletionAtom = accountAtom<AcceptedCompletion | null>(null);

/** Shorter completions are not offered for a rating. */
const MIN_RATED_WORDS = 3;

function handleAccepted(pageId: string, text: string): void {
  const words = countWords(text);
  counter.count(words);
  if (words >= MIN_RATED_WORDS) store.set(acceptedCompletionAtom, { id: ulid(), pageId, text: text.trim() });
}

/** Connects a page's editor to completions. */
export const createCompletionPort = (pageId: string, announce: (text: string | null) => void): CompletionPort => ({
  isEnabled: () =>
    store.get(preferencesAtom).features.text_completion_enabled &&
    navigator.onLine &&
    Date.now() >= pausedUntil &&
    !isQuotaSpent(),
  request: (context, signal) => requestCompletion(pageId, context, signal),
  onAccept: (text) => handleAccepted(pageId, text),
  announce,
});
