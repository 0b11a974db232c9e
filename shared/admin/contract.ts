import { z } from "zod";
import { file, json } from "#shared/contract/endpoint.ts";

const State = z.enum(["ok", "failing"]);

export const admin = {
  getHealth: json({
    method: "GET",
    path: "/health",
    access: "public",
    rate: "anonymous",
    summary: "Whether the store, the files and the disk serve",
    input: z.object({}),
    output: z.object({
      status: State,
      version: z.string(),
      store: State,
      blobs: State,
      disk: z.object({ status: State, freeBytes: z.number() }),
    }),
    fails: [],
  }),
  getMetrics: file({
    method: "GET",
    path: "/metrics",
    access: "public",
    rate: "anonymous",
    summary: "Figures for Prometheus; answered on loopback only",
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
