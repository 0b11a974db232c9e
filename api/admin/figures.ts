import type {
  AdminRating,
  figureCalls,
  FigureWeek,
  ModelUse,
  RatingFilter,
  UseFilter,
} from "#shared/admin/figures-contract.ts";
import {
  durationPercentile,
  type FigureEntry,
  type FigureName,
  mergeEntries,
  totalOf,
  weekOf,
} from "#shared/admin/figures.ts";
import { type RatingDoc, ratings } from "#api/feedback/ratings.ts";
import type { Handlers } from "#api/http/handler.ts";
import { listDaysUntilNow } from "#api/store/figures/closed-days.ts";
import { type FigureDay, rollUpFigures } from "#api/store/figures/roll-up.ts";
import { dayOf, type FigureRecord, figureRecords } from "#api/store/figures/figure-store.ts";
import type { DocumentStore } from "#api/store/port.ts";
import { writeCsv } from "./csv.ts";
import { readEncryptedPage } from "./id-cipher.ts";
import { recordRatingAccess } from "./lists/access-log.ts";
import { PAGE_SIZE, toPage } from "#api/store/paging/to-page.ts";

const WEEK_MS = 7 * 86_400_000;

function toWeeks(days: readonly FigureDay[]): FigureWeek[] {
  const weeks = new Map<string, Partial<Record<FigureName, FigureEntry[]>>>();
  for (const { day, figure, entries } of days) {
    const week = weekOf(day);
    const figures = weeks.get(week) ?? {};
    (figures[figure] ??= []).push(...entries);
    weeks.set(week, figures);
  }
  for (const figures of weeks.values())
    for (const [figure, entries] of Object.entries(figures) as [FigureName, FigureEntry[]][])
      figures[figure] = mergeEntries(entries);
  return [...weeks].map(([week, figures]) => ({ week, figures })).toSorted((a, b) => (a.week < b.week ? -1 : 1));
}

const USE_HEAD =
  "day account feature model file calls failed tokens_read tokens_written micro_dollars p50_ms p95_ms".split(" ");

interface ListPosition {
  after: string | undefined;
  limit: number;
}

function findUses(store: DocumentStore, filter: UseFilter, { after, limit }: ListPosition): Promise<FigureRecord[]> {
  const { account, model, feature, fileId } = filter;
  return store.collection(figureRecords).find(
    {
      figure: "calls",
      ...(after !== undefined && { key: { lt: after } }),
      ...(account !== "" && { ownerId: account }),
      ...(model !== "" && { "dims.model": model }),
      ...(feature !== "" && { "dims.feature": feature }),
      ...(fileId !== "" && { file: fileId }),
    },
    { order: [["key", "desc"]], limit },
  );
}

const presentUse = ({ _id, day, ownerId, dims, sums, file = "" }: FigureRecord): ModelUse => ({
  _id,
  day,
  accountId: ownerId,
  feature: dims["feature"] ?? "",
  model: dims["model"] ?? "",
  fileId: file,
  calls: sums["calls"] ?? 0,
  failed: sums["failed"] ?? 0,
  tokensIn: sums["tokensIn"] ?? 0,
  tokensOut: sums["tokensOut"] ?? 0,
  microDollars: sums["microDollars"] ?? 0,
  p50Ms: durationPercentile(sums, 0.5) ?? null,
  p95Ms: durationPercentile(sums, 0.95) ?? null,
});

function findRatings(store: DocumentStore, filter: RatingFilter, { after, limit }: ListPosition): Promise<RatingDoc[]> {
  const { kind, value, model } = filter;
  return store.collection(ratings).find(
    {
      ...(after !== undefined && { key: { lt: after } }),
      ...(kind !== undefined && { kind }),
      ...(value !== undefined && { value }),
      ...(model !== "" && { model }),
    },
    { order: [["key", "desc"]], limit },
  );
}

/** Leaves out the account, because a rating is about the text, not about its reader. */
const presentRating = ({ ownerId, key: _key, ...rating }: RatingDoc): AdminRating => ({
  ...rating,
  _id: rating._id.slice(ownerId.length + 1),
});

export const figureHandlers: Handlers<typeof figureCalls> = {
  async getFigures({ store, clock }, { weeks }) {
    await rollUpFigures({ store, clock });
    const now = clock.now();
    const from = weekOf(dayOf(now - (weeks - 1) * WEEK_MS));
    const found = await listDaysUntilNow(store, from, now);
    const active = found.filter(({ figure }) => figure === "active_day");
    const days = active.map(({ day, entries }) => ({ day, active: totalOf(entries)["accounts"] ?? 0 }));
    return { weeks: toWeeks(found), days };
  },

  async listModelUse({ store }, { after, ...filter }) {
    const found = await findUses(store, filter, { after, limit: PAGE_SIZE + 1 });
    const { items, next } = toPage(found, ({ key }) => key);
    return { uses: items.map(presentUse), next };
  },

  async *exportModelUse({ store }, filter) {
    yield* writeCsv<FigureRecord>({
      head: USE_HEAD,
      read: (last, limit) => findUses(store, filter, { after: last?.key, limit }),
      toRow: (entry) => {
        const use = presentUse(entry);
        const { day, accountId, feature, model, fileId, calls, failed } = use;
        const { tokensIn, tokensOut, microDollars, p50Ms, p95Ms } = use;
        return [day, accountId, feature, model, fileId, calls, failed, tokensIn, tokensOut, microDollars, p50Ms, p95Ms];
      },
    });
  },

  async listRatings(ctx, { after, ...filter }) {
    const { items, next } = await readEncryptedPage(ctx.store, {
      after,
      read: (from) => findRatings(ctx.store, filter, { after: from, limit: PAGE_SIZE + 1 }),
      keyOf: ({ key }) => key,
    });
    await recordRatingAccess(ctx, items);
    return { ratings: items.map(presentRating), next };
  },

  async *exportRatings(ctx, filter) {
    yield* writeCsv<RatingDoc>({
      head: ["time", "kind", "thumb", "model", "version", "reason", "text"],
      read: async (last, limit) => {
        const found = await findRatings(ctx.store, filter, { after: last?.key, limit });
        await recordRatingAccess(ctx, found);
        return found;
      },
      toRow: ({ createdAt, kind, value, model, version, reason, text }) => [
        new Date(createdAt).toISOString(),
        kind,
        value,
        model,
        version,
        reason,
        text,
      ],
    });
  },
};
