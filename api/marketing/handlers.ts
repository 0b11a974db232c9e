import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { marketing } from "#shared/marketing/contract.ts";
import { findIdentifier } from "#shared/marketing/references.ts";
import { Failure } from "#shared/contract/failure.ts";
import type { Handlers } from "#api/http/handler.ts";
import { tooManyRequests } from "#api/http/rate-limits.ts";
import { lookUp } from "./references/look-up.ts";

const DAY_SECONDS = 86_400;
/**
 * Lookups for all visitors of this process together, because Crossref and Open Library are queried without an account.
 */
const MAX_A_DAY = 1000;
const lookupLimiter = new RateLimiterMemory({ points: MAX_A_DAY, duration: DAY_SECONDS });

export const handlers: Handlers<typeof marketing> = {
  getReferenceLookups: ({ settings }) => Promise.resolve({ kinds: [...settings.CITATION_LOOKUPS] }),

  async lookUpReference(ctx, { identifier }) {
    const found = findIdentifier(identifier);
    if (!found) throw new Failure("bad_input", "reference_identifier");
    if (!ctx.settings.CITATION_LOOKUPS.includes(found.kind))
      throw new Failure("not_configured", "reference_lookup_off");
    await lookupLimiter.consume("everyone").catch((refusal: unknown) => {
      throw refusal instanceof RateLimiterRes ? tooManyRequests(refusal.msBeforeNext) : refusal;
    });
    return { reference: await lookUp(ctx, found) };
  },
};
