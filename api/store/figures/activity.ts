import { weekOf } from "#shared/admin/figures.ts";
import type { Clock } from "#api/clock.ts";
import { ownedBy, type Own } from "../owned-store.ts";
import type { DocumentStore } from "../port.ts";
import { recordFigure, dayOf, figureRecords, figureRecordId } from "./figure-store.ts";

/** Keys that this process has counted already, so that a repeat costs no write. */
const counted = new WeakMap<DocumentStore, Set<string>>();
const MAX_REMEMBERED = 20_000;

function isFirstInProcess(store: DocumentStore, key: string): boolean {
  const keys = counted.get(store) ?? new Set();
  counted.set(store, keys);
  if (keys.has(key)) return false;
  if (keys.size >= MAX_REMEMBERED) keys.clear();
  keys.add(key);
  return true;
}

interface Account {
  _id: string;
  createdAt: number;
}

/** Counts an account as active today, this week and this month, once each. */
export async function recordActivity(
  { store, clock }: { store: DocumentStore; clock: Clock },
  { _id, createdAt }: Account,
): Promise<void> {
  const now = clock.now();
  const day = dayOf(now);
  if (!isFirstInProcess(store, `${_id}:${day}`)) return;
  const own = ownedBy(store, _id);
  const week = weekOf(day);
  const month = `${day.slice(0, 7)}-01`;
  const cohort = weekOf(dayOf(createdAt));
  const sums = { accounts: 1 };
  await Promise.all([
    recordFigure(own, { figure: "active_day", id: day, at: now, sums }),
    recordFigure(own, { figure: "active_week", id: week, at: Date.parse(week), dims: { cohort }, sums }),
    recordFigure(own, { figure: "active_month", id: month, at: Date.parse(month), sums }),
    recordFigure(own, { figure: "signup", id: "created", at: createdAt, sums }),
  ]);
}

export type FunnelStep = "source" | "card" | "review" | "answer";

/**
 * Counts the first time that an account takes a step. The step is counted on the day when the account was created,
 * which is its cohort.
 */
export async function recordStep(own: Own, step: FunnelStep): Promise<void> {
  if (!isFirstInProcess(own.store, `${own.ownerId}:${step}`)) return;
  const signup = await own.in(figureRecords).get(figureRecordId(own, "signup", "created"));
  if (!signup) return;
  const at = Date.parse(signup.day);
  await recordFigure(own, { figure: "step", id: step, at, dims: { step }, sums: { accounts: 1 } });
}
