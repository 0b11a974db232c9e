import ipaddr from "ipaddr.js";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { type RateClass, rateClasses } from "#shared/contract/endpoint.ts";
import { Failure } from "#shared/contract/failure.ts";

export type RateLimits = ReturnType<typeof makeRateLimits>;

/**
 * One counter per rate class and caller, per process, so N processes together allow N times as many calls. `factor`
 * scales every class, for a school behind one address or a server under attack.
 */
export function makeRateLimits(factor: number) {
  const limiters = new Map<RateClass, RateLimiterMemory>(
    (Object.keys(rateClasses) as RateClass[]).map((name) => {
      const { points, windowSeconds } = rateClasses[name];
      return [name, new RateLimiterMemory({ points: Math.ceil(points * factor), duration: windowSeconds })];
    }),
  );
  return {
    /** Counts one call of an account or an address; rejects with `too_many_requests` and the seconds to wait. */
    async consume(rate: RateClass, caller: string): Promise<void> {
      try {
        await limiters.get(rate)?.consume(toSubscriber(caller));
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        throw tooManyRequests(refusal.msBeforeNext);
      }
    },
  };
}

const IPV6_SUBSCRIBER_BITS = 64;

/** An IPv6 subscriber can use 2^64 addresses, which all count as one caller. Other callers stay unchanged. */
function toSubscriber(caller: string): string {
  if (!caller.includes(":") || !ipaddr.isValid(caller)) return caller;
  const address = ipaddr.process(caller);
  if (address.kind() === "ipv4") return address.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${IPV6_SUBSCRIBER_BITS}`).toString();
}

export function tooManyRequests(waitMs: number): Failure {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new Failure(
    "too_many_requests",
    "too_many_requests",
    {},
    {
      retryAfterSeconds: seconds,
    },
  );
}
