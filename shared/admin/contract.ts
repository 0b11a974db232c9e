import { z } from "zod";
import { file, json } from "#shared/contract/endpoint.ts";

const State = z.enum(["ok", "failing"]);

export const admin = {
  getHealth: json({
    method: "GET",
    path: "/health",
    access: "public",
    rate: "anonymous",
    summary: "Whether the store, the files and the disk serve; the details for whoever runs the server alone",
    input: z.object({}),
    output: z.object({
      status: State,
      version: z.string().optional(),
      store: State.optional(),
      blobs: State.optional(),
      disk: z.object({ status: State, freeBytes: z.number() }).optional(),
    }),
    fails: [],
  }),
  getMetrics: file({
    method: "GET",
    path: "/metrics",
    access: "public",
    rate: "anonymous",
    summary:
      "Figures for Prometheus: with METRICS_TOKEN, or on the same machine where no proxy stands before the server",
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
