import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import Koa from "koa";
import compress from "koa-compress";
import { fileTooLarge, imageTooLarge, limitsOf } from "#shared/billing/rules.ts";
import { v1 } from "#shared/contract/v1.ts";
import { Failure } from "#shared/contract/failure.ts";
import { planInForce } from "#shared/user/rules.ts";
import { appleReturn } from "#api/auth/oauth.ts";
import { registerGeneration } from "#api/flashcards/service.ts";
import { handlers } from "./handlers.ts";
import type { Deps } from "#api/http/handler.ts";
import { makeRateLimits } from "#api/http/limits.ts";
import { observeRequest } from "#api/http/metrics.ts";
import { makeRoutes } from "#api/http/routes.ts";
import { securityHeaders } from "#api/http/security.ts";
import { serveWeb } from "#api/http/web-files.ts";
import { mount } from "#api/http/mount.ts";
import { registerSpeech } from "#api/video/service.ts";
import { keepErasing } from "#api/library/service.ts";
import { keepSweeping } from "#api/pages/service.ts";
import { keepDeleting } from "#api/user/deletion.ts";
import { previewOf } from "#api/sharing/service.ts";
import { keepFitting } from "#api/study/fit-account.ts";
import { keepForgetting } from "#api/sync/service.ts";
import { registerTutor } from "#api/tutor/service.ts";
import { registerAnalysis, registerRecognition } from "#api/pdf/service.ts";

const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;

export interface AppOptions {
  deps: Deps;
  /** Folder of the built web app; without it only the API is served. */
  webFolder?: string;
}

/** Builds the whole API on a server that is not listening yet; both main and the tests start this. */
export function createApp({ deps, webFolder }: AppOptions): Server {
  const app = new Koa();
  app.silent = true;
  // Behind a proxy the client address comes from a header that anyone could forge: only the operator knows whether to
  // trust it.
  app.proxy = deps.settings.TRUST_PROXY;
  const routes = makeRoutes();
  mount(routes, v1, handlers, {
    deps,
    limits: makeRateLimits(deps.settings.RATE_LIMIT_FACTOR),
    fileRule: fileRuleOf(deps),
  });
  registerGeneration(deps);
  registerSpeech(deps);
  registerTutor(deps);
  registerRecognition(deps);
  registerAnalysis(deps);
  app.use(named);
  app.use(answerFailures(deps));
  app.use(securityHeaders(deps.settings));
  app.use(
    compress({ threshold: KILOBYTE, br: { params: { 1: 4 } }, filter: (type) => /json|text|javascript/.test(type) }),
  );
  app.use(appleReturn(deps));
  app.use(routes.answer);
  if (webFolder) {
    const preview = (path: string) => previewOf(deps.store, path);
    app.use(serveWeb(webFolder, { publicUrl: deps.settings.PUBLIC_URL, preview }));
  }
  app.use(() => {
    throw new Failure("not_found", "nothing_here");
  });
  const handle = app.callback();
  const server = createServer((request, response) => void handle(request, response));
  server.once("close", keepSweeping(deps));
  server.once("close", keepErasing(deps));
  server.once("close", keepForgetting(deps));
  server.once("close", keepDeleting(deps));
  server.once("close", keepFitting(deps));
  // A request body may arrive slowly, its headers may not.
  server.headersTimeout = 20_000;
  server.requestTimeout = 600_000;
  server.keepAliveTimeout = 65_000;
  return server;
}

/** Limits an uploaded file to the caller's plan, and an upload chunk to the chunk size. */
function fileRuleOf({ clock }: Deps): Parameters<typeof mount>[3]["fileRule"] {
  return ({ plan }, { maxFileBytes, path }) => {
    if (maxFileBytes !== undefined) return { maxBytes: maxFileBytes, tooLarge: () => pieceTooLarge(maxFileBytes) };
    const reasonOf = path === v1.pages.uploadVideoComponent.path ? fileTooLarge : imageTooLarge;
    return {
      maxBytes: limitsOf(plan, clock.now()).fileSizeMb * MEGABYTE,
      tooLarge: (sizeBytes) =>
        new Failure("too_large", reasonOf(sizeBytes, planInForce(plan, clock.now())), undefined, {
          limit: "file_size",
        }),
    };
  };
}

const pieceTooLarge = (maxBytes: number) => new Failure("too_large", "piece_too_large", {}, { maxBytes });

/** Puts the same request id on the response and on its log line. */
const named: Koa.Middleware = async (koa, next) => {
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
      answer(koa, failure);
    } finally {
      // Logs the matched route pattern, never the URL: an id in the log would show whose page was read.
      const route = String(koa.state["route"] ?? "none");
      const ms = clock.now() - startedAt;
      observeRequest(koa.method, route, koa.status, ms);
      log.info({ requestId: koa.state["requestId"], method: koa.method, route, status: koa.status, ms }, "answered");
    }
  };
}

function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  // Errors thrown by Koa itself, such as a URL that cannot be decoded.
  if (error instanceof Error && "status" in error && error.status === 400)
    return new Failure("bad_input", "request_unreadable");
  return new Failure("broken", "server_broken");
}

function answer(koa: Koa.Context, failure: Failure): void {
  if (koa.headerSent) return;
  koa.status = failure.status;
  koa.body = failure.body();
  const wait = failure.data?.["retryAfterSeconds"];
  if (typeof wait === "number") koa.set("retry-after", String(wait));
  if (failure.code === "signed_out") koa.set("www-authenticate", "Bearer");
}
