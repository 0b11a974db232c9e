import { useCallback, useEffect, useRef, useState } from "react";

export interface ListPage<T> {
  items: readonly T[];
  next: string | null;
}

export type ListState<T> =
  | { state: "loading" }
  | { state: "failed"; error: unknown }
  | { state: "ready"; items: readonly T[]; next: string | null; isLoadingMore: boolean };

const toListState = <T>(read: (after: undefined) => Promise<ListPage<T>>): Promise<ListState<T>> =>
  read(undefined).then(
    (page) => ({ state: "ready", ...page, isLoadingMore: false }),
    (error: unknown) => ({ state: "failed", error }),
  );

/** A list that is read page by page. `read` must be stable: a new function reads from the start. */
export function useList<T extends { _id: string }>(read: (after: string | undefined) => Promise<ListPage<T>>) {
  const [list, setList] = useState<ListState<T>>({ state: "loading" });
  const latestLoad = useRef(0);
  const reload = useCallback(async () => {
    latestLoad.current += 1;
    const load = latestLoad.current;
    const loaded = await toListState(read);
    if (load === latestLoad.current) setList(loaded);
  }, [read]);
  useEffect(() => void reload(), [reload]);

  const loadMore = async () => {
    if (list.state !== "ready" || list.next === null || list.isLoadingMore) return;
    const load = latestLoad.current;
    setList({ ...list, isLoadingMore: true });
    const longer = await read(list.next).then(
      ({ items, next }) => ({ items: [...list.items, ...items], next }),
      () => ({ items: list.items, next: list.next }),
    );
    // Another filter may have been chosen meanwhile.
    if (load === latestLoad.current) setList({ state: "ready", ...longer, isLoadingMore: false });
  };
  const replace = (changed: T) =>
    setList((current) =>
      current.state === "ready"
        ? { ...current, items: current.items.map((item) => (item._id === changed._id ? changed : item)) }
        : current,
    );
  return { list, reload, loadMore, replace };
}
