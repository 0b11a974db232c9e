import { durationBucketKey } from "#shared/admin/figures.ts";
import type { Clock } from "#api/clock.ts";
import { addToFigure, dayOf } from "#api/store/figures/figure-store.ts";
import { ownedBy } from "#api/store/owned-store.ts";
import type { DocumentStore } from "#api/store/port.ts";
import { currentPurpose } from "./call-purpose.ts";

/** Usage of one call to a model server; never its prompt or answer. */
export interface CountedCall {
  /** Undefined for calls without an account. */
  ownerId: string | undefined;
  model: string;
  tokensIn: number;
  tokensOut: number;
  durationMs: number;
  hasFailed: boolean;
}

export type CountCall = (call: CountedCall) => Promise<void>;

/** The owner id of calls without an account. */
const SERVER = "";

/** Prices in US dollars per million tokens, read and written. */
type Prices = ReadonlyMap<string, readonly [input: number, output: number]>;

/** Reads `AI_PRICES`: "model=0.15/0.6, other=1/2". */
export function parsePrices(text: string): Prices {
  const prices = new Map<string, readonly [number, number]>();
  for (const entry of text.split(",")) {
    const [, model, input, output] = /^\s*(.+?)\s*=\s*([\d.]+)\s*\/\s*([\d.]+)\s*$/u.exec(entry) ?? [];
    if (model !== undefined) prices.set(model, [Number(input), Number(output)]);
  }
  return prices;
}

/** Counts every call when it ends, by day, account, feature, model and file. */
export function createCallCounter(store: DocumentStore, clock: Clock, prices: Prices): CountCall {
  return async ({ ownerId = SERVER, model, tokensIn, tokensOut, durationMs, hasFailed }) => {
    const now = clock.now();
    const { feature, fileId } = currentPurpose();
    const [priceIn, priceOut] = prices.get(model) ?? [0, 0];
    // A price in dollars per million tokens is the same number of micro-dollars per token.
    const microDollars = Math.round(tokensIn * priceIn + tokensOut * priceOut);
    const sums = {
      calls: 1,
      failed: hasFailed ? 1 : 0,
      tokensIn: Math.round(tokensIn),
      tokensOut: Math.round(tokensOut),
      microDollars,
      [durationBucketKey(durationMs)]: 1,
    };
    const id = [dayOf(now), feature, encodeURIComponent(model), encodeURIComponent(fileId)].join(":");
    const own = ownedBy(store, ownerId);
    await addToFigure(own, { figure: "calls", id, at: now, dims: { model, feature }, sums, file: fileId });
  };
}
