import { type ListedPost, POST_STATES } from "./posts-contract.ts";

type PostState = (typeof POST_STATES)[number];
type DatedPost = Pick<ListedPost, "isPublished" | "date">;

interface PostCondition {
  isPublished: boolean;
  date?: { gt: string } | { lte: string };
}

/** What the posts of a state have in common on a UTC day, as the store queries for it. */
export const postConditions: Readonly<Record<PostState, (today: string) => PostCondition>> = {
  draft: () => ({ isPublished: false }),
  scheduled: (today) => ({ isPublished: true, date: { gt: today } }),
  published: (today) => ({ isPublished: true, date: { lte: today } }),
};

function meets(post: DatedPost, { isPublished, date }: PostCondition): boolean {
  if (post.isPublished !== isPublished) return false;
  if (date === undefined) return true;
  return "gt" in date ? post.date > date.gt : post.date <= date.lte;
}

export const isInState = (state: PostState, post: DatedPost, today: string): boolean =>
  meets(post, postConditions[state](today));

/** The one state of a post on a UTC day. */
export const postStateOf = (post: DatedPost, today: string): PostState =>
  POST_STATES.find((state) => isInState(state, post, today)) ?? "draft";
