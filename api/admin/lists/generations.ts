import type { AdminGeneration, lists } from "#shared/admin/lists-contract.ts";
import type { Handlers } from "#api/http/handler.ts";
import { type LedgerDoc, ledgerCollection } from "#api/store/figures/ledger.ts";
import type { DocumentStore } from "#api/store/port.ts";
import { readHiddenPage } from "../hidden-ids.ts";
import { PAGE_SIZE } from "../paging.ts";

const REJECTED = "rejected_";

/** Without the account: the list is about the cards, not about whose they are. */
export const presentGeneration = ({ _id, ownerId, day, dims, sums }: LedgerDoc): AdminGeneration => ({
  _id: _id.slice(ownerId.length + 1),
  day,
  model: dims["model"] ?? "",
  version: dims["version"] ?? "",
  cards: sums["cards"] ?? 0,
  isFailed: (sums["failed"] ?? 0) > 0,
  rejected: Object.entries(sums)
    .filter(([name, count]) => name.startsWith(REJECTED) && count > 0)
    .map(([name, count]) => ({ gate: name.slice(REJECTED.length), count }))
    .toSorted((a, b) => b.count - a.count),
});

/** The newest first. */
export const findGenerations = (store: DocumentStore, after: string | undefined, limit: number): Promise<LedgerDoc[]> =>
  store
    .collection(ledgerCollection)
    .find(
      { figure: "generations", ...(after !== undefined && { key: { lt: after } }) },
      { order: [["key", "desc"]], limit },
    );

export const generationHandlers: Pick<Handlers<typeof lists>, "listGenerations"> = {
  async listGenerations({ store }, { after }) {
    const { items, next } = await readHiddenPage(store, {
      after,
      read: (from) => findGenerations(store, from, PAGE_SIZE + 1),
      keyOf: ({ key }) => key,
    });
    return { generations: items.map(presentGeneration), next };
  },
};
