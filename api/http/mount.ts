import { isDeepStrictEqual } from "node:util";
import type { ParameterizedContext } from "koa";
import { reasonOfIssue } from "./issue-reason.ts";
import type { z } from "zod";
import {
  type Endpoint,
  type JsonEndpoint,
  JSON_BODY_BYTES,
  type Table,
  type UploadEndpoint,
} from "#shared/contract/endpoint.ts";
import { sendsBody } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import { languages, type Language } from "#shared/messages/language.ts";
import {
  answerFile,
  answerJson,
  answerStream,
  answerText,
  answerIfChanged,
  collectResult,
  acceptsEventStream,
} from "./responses.ts";
import { bindToFeature } from "#api/ai/call-purpose.ts";
import { requireFreeDisk } from "#api/blobs/storage-quota.ts";
import { readJsonBody, readTextBody } from "./json-body.ts";
import { type FileRule, receiveForm } from "./forms/multipart-form.ts";
import { authenticate } from "./authenticate.ts";
import { guardStream } from "./guard-stream.ts";
import type { Caller, Ctx, Deps, FileAnswer, ReceivedFile, UserCtx } from "./handler.ts";
import type { RateLimits } from "./rate-limits.ts";
import type { Routes } from "./routes.ts";
import { ownedBy } from "#api/store/owned-store.ts";

type AnyHandler = (ctx: Ctx, input: unknown, files?: ReceivedFile[]) => unknown;
/** Accepts handlers with any arguments: the kind and access of their row decide which arguments they get. */
type HandlerTable = Readonly<Record<string, Readonly<Record<string, (...args: never[]) => unknown>>>>;

export interface MountOptions {
  deps: Deps;
  limits: RateLimits;
  fileRule: (caller: Caller, row: UploadEndpoint) => FileRule;
}

/** Turns the contract into routes: authenticate, parse, call, check the output. Nothing else answers below /v1. */
export function mount(routes: Routes, table: Table, handlers: HandlerTable, options: MountOptions): void {
  for (const [feature, rows] of Object.entries(table))
    for (const [name, row] of Object.entries(rows)) {
      const found = handlers[feature]?.[name] as AnyHandler | undefined;
      if (!found) throw new Error(`${feature}.${name} has no handler`);
      const handler = bindToFeature(feature, found);
      routes.add(row.method, row.path, (koa) => serve(koa, row, handler, options));
    }
}

async function serve(koa: ParameterizedContext, row: Endpoint, handler: AnyHandler, options: MountOptions) {
  if (row.noStore) koa.set("cache-control", "no-store");
  const { ctx, caller } = await makeContext(koa, row, options).catch(async (refusal: unknown) => {
    // Wrong tokens cost a look-up too, so they count towards the limit of the IP address.
    await options.limits.consume("ordinary", koa.ip);
    throw refusal;
  });
  await options.limits.consume(row.rate ?? "ordinary", caller?.userId ?? ctx.address);
  if (row.kind === "upload") return serveUpload(koa, row, handler, { ctx, caller, options });
  const payload = sendsBody(row) ? await readBody(koa, row) : {};
  const input = parse(row.input, { ...koa.query, ...payload, ...pathParams(koa) });
  switch (row.kind) {
    case "stream":
      if (row.plain)
        return answerText(koa, guardStream(handler(ctx, input) as AsyncGenerator<string>, ctx, caller), ctx);
      return answerStream(koa, guardStream(handler(ctx, input) as AsyncGenerator, ctx, caller), ctx);
    case "file":
      return answerFile(koa, (await handler(ctx, input)) as FileAnswer);
    case "json": {
      const answer = checkOutput(row.output, await handler(ctx, input), options.deps);
      return row.etag ? answerIfChanged(koa, answer) : answerJson(koa, answer, statusOf(row, answer));
    }
    default:
      return row satisfies never;
  }
}

const statusOf = (row: JsonEndpoint, answer: unknown): number | undefined =>
  row.isUnavailable?.(answer as never) ? 503 : row.status;

interface UploadCall {
  ctx: Ctx;
  caller: Caller | undefined;
  options: MountOptions;
}

async function serveUpload(koa: ParameterizedContext, row: UploadEndpoint, handler: AnyHandler, call: UploadCall) {
  const { ctx, caller, options } = call;
  if (!caller) throw new Failure("signed_out", "sign_in");
  await requireFreeDisk(options.deps.blobs, options.deps.settings);
  const { fields, files } = await receiveForm(koa.req, row, options.deps.blobs, options.fileRule(caller, row));
  const discard = () => Promise.all(files.map((file) => file.discard()));
  try {
    const input = parse(row.input, { ...koa.query, ...fields, ...pathParams(koa) });
    if (!row.event) {
      await answerJson(koa, checkOutput(row.output, await handler(ctx, input, files), options.deps));
      return;
    }
    const events = guardStream(handler(ctx, input, files) as AsyncGenerator<Record<string, unknown>>, ctx, caller);
    if (acceptsEventStream(koa)) return await answerStream(koa, events, ctx);
    await answerJson(koa, checkOutput(row.output, await collectResult(events), options.deps));
  } finally {
    // Files that the handler stored stay, because this removes only the temporary ones.
    await discard();
  }
}

async function makeContext(koa: ParameterizedContext, row: Endpoint, { deps }: MountOptions) {
  const aborter = new AbortController();
  // After a complete response there is nothing to cancel.
  koa.res.once("close", () => {
    if (!koa.res.writableFinished) aborter.abort();
  });
  const state = koa.state as { requestId: string };
  const ctx: Ctx = {
    ...deps,
    requestId: state.requestId,
    signal: aborter.signal,
    address: koa.ip,
    header: (name) => koa.get(name) || undefined,
    language: () => requestLanguage(koa),
  };
  if (row.access === "public") return { ctx, caller: undefined };
  const caller = await authenticate(deps, koa.headers.authorization);
  requirePermitted(row, caller);
  if (row.access === "admin" && !caller.isAdmin) throw new Failure("forbidden", "administrators_only");
  const userCtx: UserCtx = Object.assign(ctx, { caller, own: ownedBy(deps.store, caller.userId) });
  return { ctx: userCtx, caller };
}

/** Refuses what a token of an extension, or a token that a refresh replaced, may not do. */
function requirePermitted(row: Endpoint, caller: Caller): void {
  if (caller.isExtension && !row.forExtension) throw new Failure("forbidden", "not_for_extensions");
  if (caller.readOnlyUntil !== null && row.method !== "GET") throw new Failure("token_replaced", "token_replaced");
}

/** English comes first, so it is the default when no language is requested. */
const supportedLanguages = Object.keys(languages) as Language[];

function requestLanguage(koa: ParameterizedContext): Language {
  const accepted = koa.acceptsLanguages(supportedLanguages);
  return supportedLanguages.find((language) => language === accepted) ?? "en";
}

async function readBody(koa: ParameterizedContext, row: Endpoint): Promise<Record<string, unknown>> {
  const maxBytes = row.bodyBytes ?? JSON_BODY_BYTES;
  return row.rawBody ? { payload: await readTextBody(koa.req, maxBytes) } : readJsonBody(koa.req, maxBytes);
}

const pathParams = (koa: ParameterizedContext) => (koa.state as { params: Record<string, string> }).params;

function parse(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.slice(0, 10).map(({ path, message }) => ({ path: path.join("."), message }));
  throw new Failure("bad_input", reasonOfIssue(parsed.error.issues[0], value), undefined, { fields });
}

/** Outside production, checks a response against its schema: no missing and no extra fields. */
function checkOutput(schema: z.ZodType, value: unknown, { settings }: Deps): unknown {
  if (settings.NODE_ENV === "production") return value;
  const payload = JSON.parse(JSON.stringify(value)) as unknown;
  const parsed = schema.parse(payload);
  if (!isDeepStrictEqual(payload, JSON.parse(JSON.stringify(parsed))))
    throw new Error("The response has fields that its schema does not define");
  return value;
}
