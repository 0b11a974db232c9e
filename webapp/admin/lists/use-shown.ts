import { useState } from "react";
import type { ListState } from "./use-list.ts";

/** Only a few at first, so that the content below the list is easy to reach. */
const FIRST_SHOWN = 5;
const MORE_SHOWN = 25;

/** The first items of a list, and more on request. Loads the next page when the loaded items run out. */
export function useShown<T>(list: ListState<T>, loadMore: () => Promise<void>) {
  const [count, setCount] = useState(FIRST_SHOWN);
  const items = list.state === "ready" ? list.items : [];
  const showMore = () => {
    setCount(count + MORE_SHOWN);
    if (count + MORE_SHOWN > items.length) void loadMore();
  };
  const hasMore = count < items.length || (list.state === "ready" && list.next !== null);
  return { shown: items.slice(0, count), hasMore, showMore };
}
