import { Readable } from "node:stream";
import { Failure } from "#shared/contract/failure.ts";
import type { admin } from "#shared/admin/contract.ts";
import { isDiskLow } from "#shared/admin/needs.ts";
import { v1 } from "#shared/contract/v1.ts";
import type { FileAnswer, Handlers } from "#api/http/handler.ts";
import { registry } from "#api/http/metrics.ts";
import { buildOpenApi } from "#api/http/openapi.ts";
import { type AccountActionDeps, createAccountActionHandlers } from "./account-actions.ts";
import { createAccountHandlers } from "./accounts.ts";
import { conversationHandlers } from "./lists/conversations.ts";
import { demographicHandlers } from "./lists/demographics.ts";
import { listExportHandlers } from "./lists/exports.ts";
import { renderDocsPage } from "./docs-page.ts";
import { figureHandlers } from "./figures.ts";
import { generationHandlers } from "./lists/generations.ts";
import { feedbackHandlers } from "./feedback.ts";
import { instanceHandlers } from "./instance.ts";
import { accessLogHandlers } from "./lists/access-log.ts";
import { isOperator } from "./operator.ts";
import { postHandlers } from "./posts.ts";
import { subscriptionHandlers } from "./lists/subscriptions.ts";
import { programVersion } from "#api/store/figures/program-version.ts";
import { readStatus } from "./server-state.ts";

type AccountDeps = Parameters<typeof createAccountHandlers>[0] & AccountActionDeps;

export const createHandlers = (deps: AccountDeps): Handlers<typeof admin> => ({
  ...instanceHandlers,
  ...createAccountHandlers(deps),
  ...createAccountActionHandlers(deps),
  ...feedbackHandlers,
  ...postHandlers,
  ...generationHandlers,
  ...conversationHandlers,
  ...subscriptionHandlers,
  ...demographicHandlers,
  ...listExportHandlers,
  ...accessLogHandlers,
  ...figureHandlers,

  async getHealth(ctx) {
    const { store, blobs } = ctx;
    const [storeState, blobState] = await Promise.all([
      readStatus(store.checkHealth()),
      readStatus(blobs.checkHealth()),
    ]);
    const freeBytes = (await blobs.freeBytes().catch(() => undefined)) ?? -1;
    const disk = { status: isDiskLow(freeBytes) ? "failing" : "ok", freeBytes } as const;
    const status = storeState === "ok" && blobState === "ok" ? "ok" : "failing";
    return isOperator(ctx)
      ? { status, version: programVersion, store: storeState, blobs: blobState, disk }
      : { status };
  },

  async getMetrics(ctx) {
    if (!isOperator(ctx)) throw new Failure("not_found", "nothing_here");
    return toFileAnswer(registry.contentType, await registry.metrics());
  },

  async getOpenApi() {
    return toFileAnswer("application/json; charset=utf-8", JSON.stringify(buildOpenApi(v1, programVersion)));
  },

  async getDocs() {
    return toFileAnswer("text/html; charset=utf-8", renderDocsPage(v1, programVersion));
  },
});

function toFileAnswer(type: string, text: string): FileAnswer {
  const bytes = Buffer.from(text);
  const open = (range?: { start: number; end: number }) =>
    Readable.from([range ? bytes.subarray(range.start, range.end + 1) : bytes], { objectMode: false });
  return { type, sizeBytes: bytes.length, open, cacheControl: "no-cache" };
}
