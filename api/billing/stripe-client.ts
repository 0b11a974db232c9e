import type Stripe from "stripe";
import { Failure } from "#shared/contract/failure.ts";
import type { Settings } from "#api/settings.ts";

/** `listed-subscriptions.ts` reads the fields of this version. Check them when you change the version. */
const API_VERSION = "2026-10-28.endive";
const MAX_RETRIES = 2;

const clients = new WeakMap<Settings, Promise<Stripe>>();

export const notConfigured = () => new Failure("not_configured", "payments_not_set_up");

/** The client of the payment provider; the package is large, so it is loaded only where payments are configured. */
export function getStripe(settings: Settings): Promise<Stripe> {
  const { STRIPE_SECRET_KEY: key } = settings;
  if (key === undefined) return Promise.reject(notConfigured());
  const client = clients.get(settings) ?? connect(key, settings);
  clients.set(settings, client);
  return client;
}

async function connect(key: string, { STRIPE_API_BASE, STRIPE_TIMEOUT_MS }: Settings): Promise<Stripe> {
  const base = new URL(STRIPE_API_BASE);
  const { default: StripeClient } = await import("stripe");
  const isHttps = base.protocol === "https:";
  return new StripeClient(key, {
    apiVersion: API_VERSION,
    timeout: STRIPE_TIMEOUT_MS,
    maxNetworkRetries: MAX_RETRIES,
    telemetry: false,
    host: base.hostname,
    port: base.port || (isHttps ? 443 : 80),
    protocol: isHttps ? "https" : "http",
  });
}

/** The error's type at Stripe (https://docs.stripe.com/api/errors); undefined for an error of another origin. */
function stripeErrorType(error: unknown): string | undefined {
  if (!(error instanceof Error) || !error.constructor.name.startsWith("Stripe")) return undefined;
  return "rawType" in error && typeof error.rawType === "string" ? error.rawType : "api_error";
}

/** Stripe refused the parameters, as opposed to not answering. */
export const isRefusal = (error: unknown): boolean => stripeErrorType(error) === "invalid_request_error";

/** The name of the parameter that Stripe refused, such as `line_items[0][price]`; undefined if it names none. */
export const refusedParameter = (error: unknown): string | undefined =>
  isRefusal(error) && error instanceof Error && "param" in error && typeof error.param === "string"
    ? error.param
    : undefined;

export const isMissingResource = (error: unknown): boolean =>
  isRefusal(error) && error instanceof Error && "code" in error && error.code === "resource_missing";

/**
 * Runs a call to Stripe. Throws its refusals unchanged; any other error of Stripe becomes `unreachable`, and its
 * details are only logged.
 */
export async function callStripe<T>(settings: Settings, call: (stripe: Stripe) => Promise<T>): Promise<T> {
  const stripe = await getStripe(settings);
  try {
    return await call(stripe);
  } catch (error) {
    throw stripeErrorType(error) === undefined || isRefusal(error) ? error : new PaymentsUnreachableError(error);
  }
}

/** Stripe is down, slow, or limits our calls. */
class PaymentsUnreachableError extends Failure {
  constructor(cause: unknown) {
    super("unreachable", "payments_unreachable");
    this.cause = cause;
  }
}
