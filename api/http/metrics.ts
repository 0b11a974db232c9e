import { collectDefaultMetrics, Counter, Histogram, Registry } from "prom-client";

export const registry = new Registry();
collectDefaultMetrics({ register: registry });

const requestCounter = new Counter({
  name: "lamplight_requests_total",
  help: "Requests answered, by method, route and status",
  labelNames: ["method", "route", "status"],
  registers: [registry],
});
const durationHistogram = new Histogram({
  name: "lamplight_request_duration_seconds",
  help: "How long requests took, by route",
  labelNames: ["route"],
  buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60],
  registers: [registry],
});

/**
 * Counts one answered request; `route` is the path pattern from the endpoint table, which limits the number of series.
 */
export function observeRequest(method: string, route: string, status: number, durationMs: number): void {
  requestCounter.inc({ method, route, status: String(status) });
  durationHistogram.observe({ route }, durationMs / 1000);
}
