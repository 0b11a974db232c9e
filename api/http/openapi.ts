import { z } from "zod";
import { sendsBody } from "#shared/client/client.ts";
import { type Endpoint, STREAM_TYPE, type Table } from "#shared/contract/endpoint.ts";
import { FailureBody, failures, type FailureCode } from "#shared/contract/failure.ts";

type Json = Record<string, unknown>;

const toJsonSchema = (schema: z.ZodType, io: "input" | "output"): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" }) as Json;
  return rest;
};

/** The endpoint table as an OpenAPI 3.1 document. */
export function buildOpenApi(table: Table, version: string): Json {
  const paths: Record<string, Json> = {};
  for (const [feature, rows] of Object.entries(table))
    for (const [name, row] of Object.entries(rows)) {
      const path = row.path.replaceAll(/:(\w+)/g, "{$1}");
      paths[path] = { ...paths[path], [row.method.toLowerCase()]: describeOperation(feature, name, row) };
    }
  return {
    openapi: "3.1.0",
    info: { title: "Lamplight", version, license: { name: "MIT", identifier: "MIT" } },
    paths,
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: { Failure: toJsonSchema(FailureBody, "output") },
    },
  };
}

function describeOperation(feature: string, name: string, row: Endpoint): Json {
  const input = toJsonSchema(row.input, "input");
  const inPath = [...row.path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? "");
  const properties = (input["properties"] ?? {}) as Record<string, Json>;
  const required = (input["required"] ?? []) as string[];
  const hasNoBody = row.method === "GET" || row.method === "DELETE";
  const inQuery = hasNoBody ? Object.keys(properties).filter((key) => !inPath.includes(key)) : [];
  const parameters = [
    ...inPath.map((key) => ({ name: key, in: "path", required: true, schema: properties[key] ?? { type: "string" } })),
    ...inQuery.map((key) => ({ name: key, in: "query", required: required.includes(key), schema: properties[key] })),
  ];
  return {
    operationId: `${feature}.${name}`,
    tags: [feature],
    summary: row.summary,
    ...(row.access === "public" ? {} : { security: [{ token: [] }] }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(hasNoBody ? {} : { requestBody: describeBody(row, input, inPath) }),
    responses: { [successStatus(row)]: describeSuccess(row), ...describeFailures(row) },
  };
}

const successStatus = (row: Endpoint): number => (row.kind === "json" ? (row.status ?? 200) : 200);

function describeBody(row: Endpoint, input: Json, inPath: readonly string[]): Json {
  const bodyProperties = Object.entries((input["properties"] ?? {}) as Json).filter(([key]) => !inPath.includes(key));
  const fields = { ...input, properties: Object.fromEntries(bodyProperties) };
  if (row.kind !== "upload") return { content: { "application/json": { schema: fields } } };
  const parts = { ...fields.properties, files: { type: "array", items: { type: "string", format: "binary" } } };
  return { content: { "multipart/form-data": { schema: { type: "object", properties: parts } } } };
}

function describeSuccess(row: Endpoint): Json {
  switch (row.kind) {
    case "json":
      return { description: "Done", content: { "application/json": { schema: toJsonSchema(row.output, "output") } } };
    case "file":
      return { description: "The bytes", content: { "*/*": {} } };
    case "stream":
      return {
        description: "Framed events",
        content: { [STREAM_TYPE]: { schema: toJsonSchema(row.event, "output") } },
      };
    case "upload": {
      const result = { "application/json": { schema: toJsonSchema(row.output, "output") } };
      const events = row.event ? { [STREAM_TYPE]: { schema: toJsonSchema(row.event, "output") } } : {};
      return { description: "Done", content: { ...result, ...events } };
    }
    default:
      return row satisfies never;
  }
}

function describeFailures(row: Endpoint): Json {
  const codes = [...row.fails, "bad_input", "too_many_requests", "store_unavailable", "storage_full"] as FailureCode[];
  if (sendsBody(row) || row.kind === "upload") codes.push("too_large");
  if (row.access !== "public") codes.push("signed_out", "token_replaced", "temp_token_expired");
  if (row.access !== "public" && !row.forExtension) codes.push("forbidden");
  const byStatus = new Map<number, string[]>();
  for (const code of new Set(codes)) {
    const { status } = failures[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const content = { "application/json": { schema: { $ref: "#/components/schemas/Failure" } } };
  return Object.fromEntries(
    [...byStatus].map(([status, names]) => [status, { description: names.join(", "), content }]),
  );
}
