import { Failure } from "#shared/contract/failure.ts";
import type { Collection, Doc, Filter, FindOptions } from "../port.ts";

interface TimedDoc extends Doc {
  createdAt: number;
}

/** The last document of the page before. */
export type Position = Pick<TimedDoc, "_id" | "createdAt">;

/** A position as the `next` of a page. */
export const formatPosition = ({ createdAt, _id }: Position): string => `${createdAt}.${_id}`;

export function parsePosition(text: string): Position {
  const [, createdAt, _id] = /^(\d{1,15})\.(.+)$/u.exec(text) ?? [];
  if (createdAt === undefined || _id === undefined) throw new Failure("bad_input", "something_missing");
  return { createdAt: Number(createdAt), _id };
}

interface PageQuery<T extends TimedDoc> extends Pick<FindOptions<T>, "fields"> {
  filter: Filter<T>;
  after: Position | undefined;
  limit: number;
}

/** Newest first; documents of the same millisecond by id, so that a page leaves none of them out. */
export async function findNewestFirst<T extends TimedDoc>(
  collection: Collection<T>,
  { filter, after, limit, fields }: PageQuery<T>,
): Promise<T[]> {
  const options = {
    limit,
    order: [["createdAt", "desc"] as const, ["_id", "desc"] as const],
    ...(fields && { fields }),
  };
  if (!after) return collection.find(filter, options);
  const { createdAt, _id } = after;
  const tied = await collection.find({ ...filter, createdAt, _id: { lt: _id } }, options);
  if (tied.length === limit) return tied;
  const older = await collection.find({ ...filter, createdAt: { lt: createdAt } }, options);
  return [...tied, ...older].slice(0, limit);
}
