import { InvalidDocumentError } from "../port.ts";

const safePath = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/;

/** Field names become part of SQL text, so only plain names are allowed. */
export function requirePath(path: string): string {
  if (!safePath.test(path)) throw new InvalidDocumentError(`Not a field name: ${JSON.stringify(path)}`);
  return path;
}

/** Collection names become table names. */
export function requireCollectionName(name: string): string {
  if (!/^[A-Za-z][A-Za-z0-9_]{0,60}$/.test(name))
    throw new InvalidDocumentError(`Not a collection name: ${JSON.stringify(name)}`);
  return name;
}
