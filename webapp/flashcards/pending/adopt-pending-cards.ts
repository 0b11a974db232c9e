import { atom } from "jotai/vanilla";
import { t } from "#shared/messages/translate.ts";
import type { Component } from "#shared/pages/schema.ts";
import type { User } from "#shared/user/schema.ts";
import { notify } from "#webapp/app/alerts.ts";
import { accountAtom } from "#webapp/app/session/account-atom.ts";
import { userAtom } from "#webapp/app/session/session.ts";
import { store } from "#webapp/app/store.ts";
import { queue } from "#webapp/offline/sync.ts";
import { addAdoptedPage } from "./adopted-pages.ts";
import { createPendingPage } from "./pending-page.ts";
import { readPendingSets, removePendingSet, removeUnusableSets, type PendingSet } from "./pending-sets.ts";

const offeredAtom = accountAtom<readonly PendingSet[]>([]);
/** Sets that may be somebody else's: the student decides. */
export const offeredCardsAtom = atom((get) => get(offeredAtom));

/** An account that is newer than the cards was registered to receive them. */
const certainlyBelongsTo = ({ accountId, storedAt }: PendingSet, user: User) =>
  accountId === user._id || (accountId === undefined && user.createdAt >= storedAt);

/**
 * Takes over the cards that were made in free tools for this account, and offers those of visitors, who may have been
 * other people. Resolves once the pages are stored on this device.
 */
export async function adoptPendingCards(): Promise<void> {
  const user = store.get(userAtom);
  if (!user) return;
  const { sets, isDamaged } = readPendingSets();
  if (isDamaged) notify({ message: t("flashcards.from_tool_damaged"), type: "error" });
  removeUnusableSets();
  const own = sets.filter((set) => certainlyBelongsTo(set, user));
  for (const set of own) await addPendingPage(set);
  // Sets of another account wait for it.
  store.set(
    offeredAtom,
    sets.filter((set) => set.accountId === undefined && !own.includes(set)),
  );
}

async function addPendingPage(set: PendingSet): Promise<void> {
  const { pageId, title, cards, lines } = set;
  const now = Date.now();
  const { accountId } = queue();
  const meta = { pageId, createdAt: now, modifiedAt: now, createdBy: accountId, lastOpenedAt: null, version: 1 };
  await queue().enqueue("page_create", pageId, { title, createdAt: now });
  for (const component of createPendingPage(set))
    await queue().enqueue("component_create", component._id, {
      component: { ...meta, ...component } as Component,
      parentId: pageId,
    });
  removePendingSet(pageId);
  const message =
    lines.length > 0
      ? t("flashcards.from_tool_plan", { title })
      : t("flashcards.from_tool", { count: cards.length, title });
  addAdoptedPage({ pageId, message });
  // Onboarding shows it with a button, and stays until the student goes on.
  if (store.get(userAtom)?.onboardingComplete !== false) notify({ message, type: "success" });
}

const closeOffer = (set: PendingSet) =>
  store.set(
    offeredAtom,
    store.get(offeredAtom).filter((other) => other.pageId !== set.pageId),
  );

/** Adds a set to the account after the student agreed. */
export async function acceptOfferedCards(set: PendingSet): Promise<void> {
  closeOffer(set);
  await addPendingPage(set);
}

export function deleteOfferedCards(set: PendingSet): void {
  closeOffer(set);
  removePendingSet(set.pageId);
}

/** Asks again at the next visit, until the cards are too old. */
export const postponeOfferedCards = (): void => store.set(offeredAtom, []);
