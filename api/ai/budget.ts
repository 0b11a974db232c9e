import { Failure } from "#shared/contract/failure.ts";
import type { Clock } from "#api/clock.ts";
import type { CollectionSpec, Doc, DocumentStore } from "#api/store/port.ts";

interface SpendingDoc extends Doc {
  /** Prompt and completion tokens of the whole instance on this UTC day. */
  tokens: number;
}

const spendingSpec: CollectionSpec<SpendingDoc> = { name: "ai_spending", shardKey: "_id", indexes: [] };

/** Tokens reserved for a request until its actual usage is known. */
interface Reservation {
  settle(tokensUsed: number): Promise<void>;
}

/** The daily token budget for hosted models, counted in the store so that restarts and other processes share it. */
export interface Budget {
  reserve(tokens: number): Promise<Reservation>;
}

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

/** Tokens of the whole instance on the current UTC day, reserved ones included. */
export const readTokensToday = async (store: DocumentStore, now: number): Promise<number> =>
  (await store.collection(spendingSpec).get(dayOf(now)))?.tokens ?? 0;

/** Without a limit the spending is only counted. */
export function createBudget(store: DocumentStore, clock: Clock, limit: number | undefined): Budget {
  const days = store.collection(spendingSpec);
  return {
    async reserve(tokens) {
      const day = dayOf(clock.now());
      const add = async (count: number) =>
        (await days.patchOrInsert({ _id: day, tokens: 0 }, { increment: { tokens: count } })).tokens;
      if (limit !== undefined && (await add(tokens)) > limit) {
        await add(-tokens);
        throw new Failure("model_unavailable", "ai_budget_spent");
      }
      const reserved = limit === undefined ? 0 : tokens;
      return {
        async settle(tokensUsed) {
          await add(Math.round(tokensUsed) - reserved);
        },
      };
    },
  };
}

/** Estimate for servers that do not report usage. */
export const CHARS_PER_TOKEN = 3.6;
export const estimateTokens = (text: string) => Math.ceil(text.length / CHARS_PER_TOKEN);
