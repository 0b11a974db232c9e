import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, ServerResponse } from "node:http";
import Koa from "koa";
import compress from "koa-compress";
import { fileTooLarge, imageTooLarge, limitsOf } from "#shared/billing/rules.ts";
import { v1 } from "#shared/contract/v1.ts";
import { Failure } from "#shared/contract/failure.ts";
import { effectivePlan } from "#shared/billing/effective-plan.ts";
import { forwardAppleCallback } from "#api/auth/oauth.ts";
import { startPayerSweep } from "#api/billing/sweep.ts";
import { disconnectAll } from "#api/connections/disconnect.ts";
import { startCalendarSync } from "#api/connections/calendar/sync-calendar.ts";
import { registerGenerationJobs } from "#api/flashcards/service.ts";
import { handlers } from "./handlers.ts";
import type { Deps } from "#api/http/handler.ts";
import { makeRateLimits, type RateLimits } from "#api/http/rate-limits.ts";
import { observeRequest } from "#api/http/metrics.ts";
import { createRoutes } from "#api/http/routes.ts";
import { securityHeaders } from "#api/http/security-headers.ts";
import { servePublicPages } from "#api/http/site/public-pages.ts";
import { serveWeb } from "#api/http/web-files.ts";
import { mount } from "#api/http/mount.ts";
import { registerSpeech } from "#api/video/speech-job.ts";
import { startErasing } from "#api/library/erase-deleted.ts";
import { startUploadSweep, sweepUploads } from "#api/uploads/sweep-uploads.ts";
import { startAccountDeletion } from "#api/user/delete-accounts.ts";
import { seedPosts } from "#api/marketing/seed-posts.ts";
import { clearShareCachesOnChange } from "#api/sharing/clear-share-caches.ts";
import { seedStarter } from "#api/sharing/seed-starter.ts";
import { listBlogAddresses, serveBlog } from "#api/marketing/serve-blog.ts";
import { createExplorePreview } from "#api/sharing/explore-preview.ts";
import { createShareAddresses } from "#api/sharing/share-addresses.ts";
import { isShareLink, readSharePreview } from "#api/sharing/preview.ts";
import { startOptimizer } from "#api/study/optimize-account.ts";
import { startRequestPruning } from "#api/sync/service.ts";
import { startFigureMaintenance } from "#api/admin/start-figure-maintenance.ts";
import { toKnownFailure } from "#api/store/store-failures.ts";
import { registerResearch, startResearchErasing } from "#api/research/service.ts";
import { registerTutor } from "#api/tutor/service.ts";
import { registerWebsite } from "#api/website/agent/message-job.ts";
import { startPreviewSweep } from "#api/website/preview/preview-sweep.ts";
import { attachWebsiteSockets } from "#api/website/socket/attach-sockets.ts";
import { registerAnalysis } from "#api/pdf/service.ts";
import { registerPodcasts, startPodcastErasing } from "#api/podcasts/service.ts";
import { listPodcastBlobs } from "#api/podcasts/store.ts";
import { registerRecognition } from "#api/pdf/recognition.ts";

const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;

export interface AppOptions {
  deps: Deps;
  /** Folder of the built web app; without it only the API is served. */
  webFolder?: string;
}

function registerJobs(deps: Deps): void {
  registerGenerationJobs(deps);
  registerSpeech(deps);
  registerTutor(deps);
  registerResearch(deps);
  registerRecognition(deps);
  registerAnalysis(deps);
  registerPodcasts(deps);
  registerWebsite(deps);
}

/** Returns a function for each task that stops it. */
const startRepeatedTasks = (deps: Deps): (() => void)[] => [
  startUploadSweep(deps, [listPodcastBlobs]),
  startErasing(deps),
  startPodcastErasing(deps),
  startResearchErasing(deps),
  startRequestPruning(deps),
  startAccountDeletion(deps, { sweepFiles: (swept) => sweepUploads(swept, [listPodcastBlobs]), disconnectAll }),
  startOptimizer(deps),
  startPreviewSweep(deps),
  startPayerSweep(deps),
  startCalendarSync(deps),
  startFigureMaintenance(deps),
  clearShareCachesOnChange(deps),
];

/** Builds the whole API on a server that is not listening yet; main and the tests both use it. */
export function createApp({ deps, webFolder }: AppOptions): Server {
  const app = new Koa();
  app.silent = true;
  // Behind a proxy the client address comes from a header that anyone could forge: each proxy appends the address that
  // it saw, so with N proxies only the last N addresses are theirs.
  app.proxy = deps.settings.TRUST_PROXY > 0;
  app.maxIpsCount = deps.settings.TRUST_PROXY;
  const routes = createRoutes();
  const limits = makeRateLimits(deps.settings.RATE_LIMIT_FACTOR);
  mount(routes, v1, handlers, { deps, limits, fileRule: createFileRule(deps) });
  registerJobs(deps);
  app.use(assignRequestId);
  app.use(sendServerTime(deps));
  app.use(answerFailures(deps));
  app.use(securityHeaders(deps.settings, deps.previews.origin));
  app.use(
    compress({
      threshold: KILOBYTE,
      br: { params: { 1: 4 } },
      filter: (type) => /json|text|javascript|xml/.test(type),
    }),
  );
  app.use(forwardAppleCallback(deps));
  app.use(routes.dispatch);
  if (webFolder) addWebApp(app, deps, { webFolder, limits });
  app.use(() => {
    throw new Failure("not_found", "nothing_here");
  });
  const handleRequest = app.callback();
  const server = createServer((request, response) => void handleRequest(request, response));
  const stops = startRepeatedTasks(deps);
  server.once("close", () => {
    for (const stop of stops) stop();
  });
  const findAddress = (request: IncomingMessage) => app.createContext(request, new ServerResponse(request)).ip;
  attachWebsiteSockets(server, deps, { limits, findAddress });
  deps.previews.limitRequests((rate, request) => limits.consume(rate, findAddress(request)));
  // A request body may arrive slowly, its headers may not.
  server.headersTimeout = 20_000;
  server.requestTimeout = 600_000;
  server.keepAliveTimeout = 65_000;
  return server;
}

/** Serves the public pages and the built web app. */
function addWebApp(app: Koa, deps: Deps, { webFolder, limits }: { webFolder: string; limits: RateLimits }): void {
  const readExplorePreview = createExplorePreview(deps);
  const listShares = createShareAddresses(deps);
  app.use(async (koa, next) => {
    await limits.consume(isShareLink(koa.path) ? "anonymous" : "web", koa.ip);
    await next();
  });
  const seeded = seedPosts(deps, webFolder).catch((error: unknown) =>
    deps.log.error({ err: error }, "posts were not stored"),
  );
  void seedStarter(deps, webFolder).catch((error: unknown) =>
    deps.log.error({ err: error }, "the starter collection was not stored"),
  );
  app.use(serveBlog(webFolder, deps, seeded));
  app.use(
    servePublicPages(webFolder, deps.settings, async () => [
      ...(await listBlogAddresses(deps)),
      ...(await listShares()),
    ]),
  );
  app.use(
    serveWeb(webFolder, {
      publicUrl: deps.settings.PUBLIC_URL,
      preview: async (path, readLanguage) =>
        (await readExplorePreview(path, readLanguage)) ?? readSharePreview(deps.store, path),
    }),
  );
}

/** Limits an uploaded file to the caller's plan, and an upload chunk to the chunk size. */
function createFileRule({ clock }: Deps): Parameters<typeof mount>[3]["fileRule"] {
  return ({ plan }, { maxFileBytes, path }) => {
    if (maxFileBytes !== undefined) return { maxBytes: maxFileBytes, tooLarge: () => chunkTooLarge(maxFileBytes) };
    const reasonOf = path === v1.uploads.uploadVideoComponent.path ? fileTooLarge : imageTooLarge;
    return {
      maxBytes: limitsOf(plan, clock.now()).fileSizeMb * MEGABYTE,
      tooLarge: (sizeBytes) =>
        new Failure("too_large", reasonOf(sizeBytes, effectivePlan(plan, clock.now())), undefined, {
          limit: "file_size",
        }),
    };
  };
}

const chunkTooLarge = (maxBytes: number) => new Failure("too_large", "piece_too_large", {}, { maxBytes });

/** Clients compare their clock with this header, so it states the time that the server uses. */
const sendServerTime =
  ({ clock }: Deps): Koa.Middleware =>
  (koa, next) => {
    koa.set("date", new Date(clock.now()).toUTCString());
    return next();
  };

/** Puts the same request id on the response and on its log line. */
const assignRequestId: Koa.Middleware = async (koa, next) => {
  const requestId = randomUUID();
  koa.state["requestId"] = requestId;
  koa.set("x-request-id", requestId);
  await next();
};

function answerFailures({ log, clock }: Deps): Koa.Middleware {
  return async (koa, next) => {
    const startedAt = clock.now();
    try {
      await next();
    } catch (error) {
      const failure = asFailure(error);
      if (failure.code === "broken") log.error({ requestId: koa.state["requestId"], err: error }, "request failed");
      sendFailure(koa, failure);
    } finally {
      // Logs the matched route pattern, never the URL: an id in the log would show whose page was read.
      const route = String(koa.state["route"] ?? "none");
      const durationMs = clock.now() - startedAt;
      observeRequest(koa.method, route, koa.status, durationMs);
      log.info(
        { requestId: koa.state["requestId"], method: koa.method, route, status: koa.status, ms: durationMs },
        "answered",
      );
    }
  };
}

function asFailure(error: unknown): Failure {
  const known = toKnownFailure(error);
  if (known) return known;
  // Errors thrown by Koa itself, such as a URL that cannot be decoded.
  if (error instanceof Error && "status" in error && error.status === 400)
    return new Failure("bad_input", "request_unreadable");
  return new Failure("broken", "server_broken");
}

function sendFailure(koa: Koa.Context, failure: Failure): void {
  if (koa.headerSent) return;
  koa.status = failure.status;
  koa.body = failure.body();
  const retryAfterSeconds = failure.data?.["retryAfterSeconds"];
  if (typeof retryAfterSeconds === "number") koa.set("retry-after", String(retryAfterSeconds));
  if (failure.code === "signed_out") koa.set("www-authenticate", "Bearer");
}
