import type { listExports } from "#shared/admin/exports-contract.ts";
import { type Cancellation, DEMOGRAPHICS, type SubscriptionStart } from "#shared/admin/lists-contract.ts";
import type { PromptDoc } from "#api/ai/prompt-log.ts";
import { listCancellations } from "#api/billing/store.ts";
import { listSubscriptionTimes } from "#api/billing/subscription-times.ts";
import type { RatingDoc } from "#api/feedback/ratings.ts";
import type { Handlers } from "#api/http/handler.ts";
import type { FigureRecord } from "#api/store/figures/figure-store.ts";
import type { DocumentStore } from "#api/store/port.ts";
import { writeCsv } from "../csv.ts";
import { listLoggedPrompts, findSharedRatings } from "./conversations.ts";
import { readDemographics, type Demographics } from "./demographics.ts";
import { findGenerations, presentGeneration } from "./generations.ts";
import { recordExports } from "./record-exports.ts";
import { presentCancellations, presentStarts } from "./subscriptions.ts";

const toTime = (at: number) => new Date(at).toISOString();
const toDay = (at: number) => toTime(at).slice(0, 10);

type GroupRow = readonly [group: string, name: string, accounts: number | string];

const toGroupRows = (demographics: Demographics): GroupRow[] =>
  DEMOGRAPHICS.flatMap((group) => {
    const { groups, hasSmall } = demographics[group];
    const rows: GroupRow[] = groups.map(({ name, accounts }) => [group, name, accounts]);
    return hasSmall ? [...rows, [group, "small groups", "under 5 each"]] : rows;
  });

const CONVERSATION_HEAD = ["time", "source", "thumb", "model"];

/** Leaves out the text: texts are shown one at a time, so that each access is recorded. */
const writeSharedCsv = (store: DocumentStore, filter: Parameters<typeof findSharedRatings>[1]) =>
  writeCsv<RatingDoc>({
    head: CONVERSATION_HEAD,
    read: (last, limit) => findSharedRatings(store, filter, { after: last?.key, limit }),
    toRow: ({ createdAt, value, model }) => [toTime(createdAt), "shared", value, model],
  });

export const listExportHandlers: Handlers<typeof listExports> = {
  ...recordExports,

  async *exportGenerations({ store }, filter) {
    yield* writeCsv<FigureRecord>({
      head: ["day", "cards", "failed", "rejected", "source", "model", "version"],
      read: (last, limit) => findGenerations(store, filter, { after: last?.key, limit }),
      toRow: (entry) => {
        const { day, cards, isFailed, rejected, source, model, version } = presentGeneration(entry);
        return [
          day,
          cards,
          isFailed ? 1 : 0,
          rejected.map(({ gate, count }) => `${gate} ${count}`).join("; "),
          source,
          model,
          version,
        ];
      },
    });
  },

  async *exportSharedCards({ store }, { thumb }) {
    yield* writeSharedCsv(store, { kind: "card", thumb });
  },

  async *exportConversations({ store }, { source, thumb }) {
    if (source === "shared") yield* writeSharedCsv(store, { kind: "answer", thumb });
    else
      yield* writeCsv<Pick<PromptDoc, "_id" | "at" | "model">>({
        head: CONVERSATION_HEAD,
        read: (last, limit) => listLoggedPrompts(store, { after: last?._id, limit }),
        toRow: ({ at, model }) => [toTime(at), source, null, model],
      });
  },

  async *exportCancellations({ store }, filter) {
    yield* writeCsv<Cancellation>({
      head: ["day", "reason", "plan", "account_age_days"],
      read: async (last, limit) =>
        presentCancellations(store, await listCancellations(store, { ...filter, after: last?._id, limit })),
      toRow: ({ createdAt, reason, plan, accountAgeDays }) => [toDay(createdAt), reason, plan, accountAgeDays],
    });
  },

  async *exportSubscriptionStarts({ store }, filter) {
    yield* writeCsv<SubscriptionStart & { key: string }>({
      head: ["started", "recurrence", "days_after_sign_up", "duration_days", "first_limit"],
      async read(last, limit) {
        const docs = await listSubscriptionTimes(store, { ...filter, after: last?.key, limit });
        const starts = await presentStarts(store, docs);
        return starts.map((start, index) => ({ ...start, key: docs[index]?.key ?? "" }));
      },
      toRow: ({ createdAt, recurrence, daysAfterSignUp, durationDays, firstLimit }) => [
        toDay(createdAt),
        recurrence,
        daysAfterSignUp,
        durationDays,
        firstLimit,
      ],
    });
  },

  async *exportDemographics(ctx) {
    const rows = toGroupRows(await readDemographics(ctx));
    yield* writeCsv<GroupRow>({
      head: ["by", "group", "accounts"],
      read: (last) => Promise.resolve(last === undefined ? rows : []),
      toRow: (row) => row,
    });
  },
};
