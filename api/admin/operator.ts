import { hash, timingSafeEqual } from "node:crypto";
import type { Ctx } from "#api/http/handler.ts";
import { isLocalOnly } from "#api/settings.ts";

const digest = (text: string) => hash("sha256", text, "buffer");
/** Headers that proxies add. Behind a proxy, every caller would seem to be on this machine. */
const FORWARDING_HEADERS = ["forwarded", "x-forwarded-for", "x-real-ip", "via"];

/** Whether the caller runs the server: by `METRICS_TOKEN`, or on this machine without a proxy. */
export function isOperator(ctx: Ctx): boolean {
  const { settings, address } = ctx;
  const bearer = ctx.header("authorization")?.match(/^Bearer (.+)$/)?.[1];
  if (settings.METRICS_TOKEN !== undefined && bearer !== undefined)
    return timingSafeEqual(digest(bearer), digest(settings.METRICS_TOKEN));
  const isDirect = isLocalOnly(settings) && FORWARDING_HEADERS.every((name) => ctx.header(name) === undefined);
  return isDirect && /^(127\.|::1$|::ffff:127\.)/.test(address);
}
