import { ulid } from "ulid";
import type { Endpoint } from "#shared/contract/endpoint.ts";
import { inputPositions, isIdName, placeAt, plainInput, type InputPath } from "#tests/kit/plain-input.ts";

/** An id that names nothing. */
export const MISSING = "01JZZZZZZZZZZZZZZZZZZZZZZZ";

/** The kind of thing that a parameter of this name identifies; undefined for ids that a client makes up. */
function kindOfId({ path }: Pick<Endpoint, "path">, name: string): string | undefined {
  if (name === "componentId" && /upload|create|import/.test(path)) return undefined;
  if (name !== "id" && name !== "threadId") return kinds[name];
  if (path.startsWith("/v1/website")) return name === "id" ? "project" : "website thread";
  if (name === "threadId") return "conversation";
  if (path.startsWith("/v1/pages/components")) return "text";
  return path.startsWith("/v1/pdf") ? "picture" : "page";
}

const kinds: Readonly<Record<string, string>> = {
  pageId: "page",
  componentId: "deck",
  flashcardsId: "deck",
  cardId: "card",
  resourceId: "text",
  sourceIds: "deck",
  conversationId: "research",
  versionId: "version",
  checkpointId: "checkpoint",
  accountId: "account",
};

const valueAt = (input: unknown, path: InputPath): unknown =>
  path.reduce<unknown>((value, step) => (value as Record<string | number, unknown> | undefined)?.[step], input);

const nameOf = (path: InputPath) => String(path.findLast((step) => typeof step === "string"));

/** Formats an id as its position requires. */
export const toValue = (path: InputPath, id: string) => (nameOf(path) === "sourceIds" ? `deck:${id}` : id);

export interface Target {
  path: InputPath;
  input: unknown;
}

/** Every position of an id in the input, with the caller's own ids, by kind, at all other positions. */
export function listTargets(row: Endpoint, own: Readonly<Record<string, string>>): Target[] {
  const plain = plainInput(row.input, MISSING);
  const positions = inputPositions(row.input, MISSING).filter(
    (path) =>
      valueAt(plain, path) === MISSING || (path.length === 1 && isIdName(nameOf(path)) && !(nameOf(path) in plain)),
  );
  const withOwn = (except: InputPath) =>
    positions.reduce<unknown>((input, path) => {
      if (path === except) return input;
      const kind = kindOfId(row, nameOf(path));
      return placeAt(input, path, toValue(path, kind === undefined ? ulid() : (own[kind] ?? ulid())));
    }, plain);
  return positions.map((path) => ({ path, input: withOwn(path) }));
}

/** Whether the client makes up the id at this position, so that it names something new. */
export const isClientId = (row: Endpoint, path: InputPath) => kindOfId(row, nameOf(path)) === undefined;
