import type { z } from "zod";
import { SearchError } from "./port.ts";

/** The address of a call to a service. */
export const serviceUrl = (base: string, path: string, query: Readonly<Record<string, string>> = {}): string => {
  const url = `${base.replace(/\/$/, "")}${path}`;
  const form = new URLSearchParams(query).toString();
  return form === "" ? url : `${url}?${form}`;
};

/** Parses a service's answer; an answer of another form counts as unreadable. */
export function readAnswer<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new SearchError("not_json");
  return parsed.data;
}
