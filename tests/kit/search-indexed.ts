import type { TestUser } from "./api.ts";

type SearchQuery = Parameters<TestUser["client"]["library"]["search"]>[0];

const MAX_TRIES = 20;

/** Searches until everything is indexed: a search waits one second at most, and a busy machine may need longer. */
export async function searchIndexed({ client }: Pick<TestUser, "client">, query: SearchQuery) {
  for (let tries = 1; ; tries += 1) {
    const answer = await client.library.search(query);
    if (answer.unread === 0 || tries === MAX_TRIES) return answer;
  }
}
