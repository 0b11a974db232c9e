import type { AdminGeneration, GenerationFilter, lists } from "#shared/admin/lists-contract.ts";
import { readRejected } from "#shared/admin/figures.ts";
import type { Handlers } from "#api/http/handler.ts";
import { type FigureRecord, figureRecords } from "#api/store/figures/figure-store.ts";
import type { DocumentStore } from "#api/store/port.ts";
import { readEncryptedPage } from "../id-cipher.ts";
import { PAGE_SIZE } from "#api/store/paging/to-page.ts";

/** Leaves out the account, because the list is about the cards, not about their owners. */
export const presentGeneration = ({ _id, ownerId, day, dims, sums }: FigureRecord): AdminGeneration => ({
  _id: _id.slice(ownerId.length + 1),
  day,
  model: dims["model"] ?? "",
  version: dims["version"] ?? "",
  source: dims["source"] ?? "",
  cards: sums["cards"] ?? 0,
  isFailed: (sums["failed"] ?? 0) > 0,
  rejected: readRejected(sums).toSorted((a, b) => b.count - a.count),
});

interface ListPosition {
  after: string | undefined;
  limit: number;
}

/** The newest first. */
export const findGenerations = (
  store: DocumentStore,
  { model, isFailed }: GenerationFilter,
  { after, limit }: ListPosition,
): Promise<FigureRecord[]> =>
  store.collection(figureRecords).find(
    {
      figure: "generations",
      ...(after !== undefined && { key: { lt: after } }),
      ...(model !== "" && { "dims.model": model }),
      ...(isFailed === "yes" && { "sums.failed": 1 }),
    },
    { order: [["key", "desc"]], limit },
  );

export const generationHandlers: Pick<Handlers<typeof lists>, "listGenerations"> = {
  async listGenerations({ store }, { after, ...filter }) {
    const { items, next } = await readEncryptedPage(store, {
      after,
      read: (from) => findGenerations(store, filter, { after: from, limit: PAGE_SIZE + 1 }),
      keyOf: ({ key }) => key,
    });
    return { generations: items.map(presentGeneration), next };
  },
};
