import type { z } from "zod";
import type { Reason } from "#shared/messages/reasons.ts";

type Issue = z.core.$ZodIssue;

/** Why an input does not match its schema: the reason of its first issue. */
export function reasonOfIssue(issue: Issue | undefined, input: unknown): Reason {
  if (issue === undefined) return { reason: "something_missing" };
  const field = issue.path.join(".") || "input";
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- every other kind has the general reason
  switch (issue.code) {
    case "too_small":
      return { reason: tooSmall[shapeOf(issue.origin)], params: { field, least: Number(issue.minimum) } };
    case "too_big":
      return { reason: tooBig[shapeOf(issue.origin)], params: { field, most: Number(issue.maximum) } };
    case "invalid_type":
      return {
        reason: valueAt(input, issue.path) === undefined ? "field_missing" : "field_wrong_type",
        params: { field },
      };
    case "invalid_value":
      return { reason: "field_not_an_option", params: { field, options: issue.values.map(String).join(", ") } };
    case "invalid_format":
      return { reason: formats[issue.format] ?? "field_pattern", params: { field } };
    default:
      return { reason: "field_invalid", params: { field } };
  }
}

const valueAt = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Readonly<Record<PropertyKey, unknown>> | undefined)?.[key], input);

const shapeOf = (origin: string) => (origin === "string" || origin === "array" ? origin : "number");
const tooSmall = { string: "field_too_short", array: "field_list_short", number: "field_too_small" } as const;
const tooBig = { string: "field_too_long", array: "field_list_long", number: "field_too_large" } as const;
const formats: Readonly<Record<string, "field_email" | "field_url" | undefined>> = {
  email: "field_email",
  url: "field_url",
};
