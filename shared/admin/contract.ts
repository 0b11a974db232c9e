import { z } from "zod";
import { file, json } from "#shared/contract/endpoint.ts";
import { accountActions } from "./account-actions-contract.ts";
import { accounts } from "./accounts-contract.ts";
import { listExports } from "./exports-contract.ts";
import { inbox } from "./feedback-contract.ts";
import { figureCalls } from "./figures-contract.ts";
import { instance } from "./instance-contract.ts";
import { lists } from "./lists-contract.ts";
import { accesses } from "./access-log-contract.ts";
import { posts } from "./posts-contract.ts";

const State = z.enum(["ok", "failing"]);

const Health = z.object({
  /** `failing` while nothing can be saved. */
  status: State,
  version: z.string().optional(),
  store: State.optional(),
  blobs: State.optional(),
  /** `failing` when large uploads may not fit. */
  disk: z.object({ status: State, freeBytes: z.number() }).optional(),
});

export const admin = {
  ...instance,
  ...accounts,
  ...accountActions,
  ...inbox,
  ...posts,
  ...lists,
  ...listExports,
  ...accesses,
  ...figureCalls,
  getHealth: json({
    method: "GET",
    path: "/health",
    access: "public",
    rate: "anonymous",
    summary:
      "Whether the store, the files and the disk serve, 503 while nothing can be saved; the details for the operator alone",
    input: z.object({}),
    output: Health,
    isUnavailable: ({ status }: z.infer<typeof Health>) => status === "failing",
    fails: [],
  }),
  getMetrics: file({
    method: "GET",
    path: "/metrics",
    access: "public",
    rate: "anonymous",
    summary:
      "Figures for Prometheus: with METRICS_TOKEN, or from the same machine if there is no proxy in front of the server",
    input: z.object({}),
    fails: ["not_found"],
  }),
  getOpenApi: file({
    method: "GET",
    path: "/v1/openapi.json",
    access: "public",
    rate: "anonymous",
    summary: "This contract as OpenAPI 3.1",
    input: z.object({}),
    fails: [],
  }),
  getDocs: file({
    method: "GET",
    path: "/v1/docs",
    access: "public",
    rate: "anonymous",
    summary: "This contract as a page to read",
    input: z.object({}),
    fails: [],
  }),
};
