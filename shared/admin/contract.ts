import { z } from "zod";
import { file, json } from "#shared/contract/endpoint.ts";

const State = z.enum(["ok", "failing"]);

const Health = z.object({
  status: State,
  version: z.string(),
  store: State,
  blobs: State,
  disk: z.object({ status: State, freeBytes: z.number() }),
});

export const admin = {
  getHealth: json({
    method: "GET",
    path: "/health",
    access: "public",
    summary: "Whether the store, the files and the disk serve; 503 while nothing can be saved",
    input: z.object({}),
    output: Health,
    isUnavailable: ({ store, blobs }: z.infer<typeof Health>) => store === "failing" || blobs === "failing",
    fails: [],
  }),
  getMetrics: file({
    method: "GET",
    path: "/metrics",
    access: "public",
    summary: "Figures for Prometheus; answered on loopback only",
    input: z.object({}),
    fails: ["not_found"],
  }),
  getOpenApi: file({
    method: "GET",
    path: "/v1/openapi.json",
    access: "public",
    summary: "This contract as OpenAPI 3.1",
    input: z.object({}),
    fails: [],
  }),
  getDocs: file({
    method: "GET",
    path: "/v1/docs",
    access: "public",
    summary: "This contract as a page to read",
    input: z.object({}),
    fails: [],
  }),
};
