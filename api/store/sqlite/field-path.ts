import { BadDocument } from "../port.ts";

const safePath = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/;

/** Field names come into queries as text, so nothing but plain names may pass. */
export function checkPath(path: string): string {
  if (!safePath.test(path)) throw new BadDocument(`Not a field name: ${JSON.stringify(path)}`);
  return path;
}

/** For names of collections, which become names of tables. */
export function checkName(name: string): string {
  if (!/^[A-Za-z][A-Za-z0-9_]{0,60}$/.test(name))
    throw new BadDocument(`Not a collection name: ${JSON.stringify(name)}`);
  return name;
}
