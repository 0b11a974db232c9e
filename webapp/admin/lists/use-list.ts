import { useCallback, useEffect, useRef, useState } from "react";

export interface ListPage<T> {
  items: readonly T[];
  next: string | null;
}

type ReadyList<T> = { state: "ready"; isLoadingMore: boolean } & ListPage<T>;
export type ListState<T> = { state: "loading" } | { state: "failed"; error: unknown } | ReadyList<T>;

type Read<T> = (after: string | undefined) => Promise<ListPage<T>>;

/** A list, and the `read` function and load number that it came from. */
interface LoadedList<T> {
  list: ListState<T>;
  read: Read<T>;
  load: number;
}

const LOADING = { state: "loading" } as const;

const toListState = <T>(read: Read<T>): Promise<ListState<T>> =>
  read(undefined).then(
    (page) => ({ state: "ready", ...page, isLoadingMore: false }),
    (error: unknown) => ({ state: "failed", error }),
  );

/**
 * A list that is loaded page by page. `read` must be stable: a new function, such as one for another filter, loads the
 * first page again and hides the earlier result.
 */
export function useList<T extends { _id: string }>(read: Read<T>) {
  const [loaded, setLoaded] = useState<LoadedList<T>>({ list: LOADING, read, load: 0 });
  const latestLoad = useRef(0);
  const reload = useCallback(async () => {
    latestLoad.current += 1;
    const load = latestLoad.current;
    const list = await toListState(read);
    if (load === latestLoad.current) setLoaded({ list, read, load });
  }, [read]);
  useEffect(() => void reload(), [reload]);

  const list = loaded.read === read ? loaded.list : LOADING;
  /** Changes the list on screen. With `load`, only if the list still comes from that load. */
  const change = (toChanged: (current: ReadyList<T>) => ReadyList<T>, load?: number) =>
    setLoaded((current) =>
      current.list.state === "ready" && (load === undefined || load === current.load)
        ? { ...current, list: toChanged(current.list) }
        : current,
    );
  const loadMore = async () => {
    if (list.state !== "ready" || list.next === null || list.isLoadingMore) return;
    const { load } = loaded;
    change((current) => ({ ...current, isLoadingMore: true }), load);
    const page = await read(list.next).catch(() => ({ items: [], next: list.next }));
    change(
      ({ items }) => ({ state: "ready", items: [...items, ...page.items], next: page.next, isLoadingMore: false }),
      load,
    );
  };
  const replace = (changed: T) =>
    change((current) => ({
      ...current,
      items: current.items.map((item) => (item._id === changed._id ? changed : item)),
    }));
  return { list, reload, loadMore, replace };
}
