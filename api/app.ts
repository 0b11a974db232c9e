import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import Koa from "koa";
import compress from "koa-compress";
import { fileTooLarge, imageTooLarge, limitsOf } from "#shared/billing/rules.ts";
import { v1 } from "#shared/contract/v1.ts";
import { Failure } from "#shared/contract/failure.ts";
import { planInForce } from "#shared/user/rules.ts";
import { appleReturn } from "./auth/oauth.ts";
import { registerGeneration } from "./flashcards/service.ts";
import { handlers } from "./handlers.ts";
import type { Deps } from "./kit/handler.ts";
import { makeRateLimits } from "./kit/limits.ts";
import { observeRequest } from "./kit/metrics.ts";
import { makeRoutes } from "./kit/routes.ts";
import { securityHeaders } from "./kit/security.ts";
import { serveWeb } from "./kit/web-files.ts";
import { mount } from "./mount.ts";
import { registerSpeech } from "./video/service.ts";
import { keepErasing } from "./library/service.ts";
import { keepSweeping } from "./pages/service.ts";
import { keepDeleting } from "./user/deletion.ts";
import { previewOf } from "./sharing/service.ts";
import { keepFitting } from "./study/fit-account.ts";
import { keepForgetting } from "./sync/service.ts";
import { registerTutor } from "./tutor/service.ts";
import { registerAnalysis, registerRecognition } from "./pdf/service.ts";

const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;

export interface AppOptions {
  deps: Deps;
  /** Folder of the built web app; nothing but the API is served where it is left out. */
  webFolder?: string;
}

/** The whole API on a server that does not listen yet: what main starts and what tests start. */
export function createApp({ deps, webFolder }: AppOptions): Server {
  const app = new Koa();
  app.silent = true;
  // Behind a proxy the address of the caller stands in a header, which anyone could send: only the operator knows.
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
  // Slow clients may take their time with a body, not with the head.
  server.headersTimeout = 20_000;
  server.requestTimeout = 600_000;
  server.keepAliveTimeout = 65_000;
  return server;
}

/** A file is received no further than the caller's plan allows, a piece of one no further than a piece may be. */
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

/** Every answer carries a name that the log line carries too. */
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
      if (failure.code === "broken") log.error({ requestId: koa.state["requestId"], err: error }, "a request broke");
      answer(koa, failure);
    } finally {
      // The matched pattern, never the address itself: an id in a log says whose page was read.
      const route = String(koa.state["route"] ?? "none");
      const ms = clock.now() - startedAt;
      observeRequest(koa.method, route, koa.status, ms);
      log.info({ requestId: koa.state["requestId"], method: koa.method, route, status: koa.status, ms }, "answered");
    }
  };
}

function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  // Koa's own refusals, such as an address that cannot be decoded.
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
