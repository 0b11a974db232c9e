import type { ReactNode } from "react";
import { t } from "#shared/messages/translate.ts";
import { EmptyState } from "#shared/ui/empty-state.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { LoadError } from "../admin-frame.tsx";
import { LoadMore } from "./load-more.tsx";
import type { useList } from "./use-list.ts";

interface Props<T extends { _id: string }> {
  label: string;
  loaded: Pick<ReturnType<typeof useList<T>>, "list" | "reload" | "loadMore">;
  empty: { title: string; text: string };
  /** Renders the loaded items. */
  children: (items: readonly T[]) => ReactNode;
}

/** Shows each state of a paged list: loading, failed, empty, or its items with a button that loads more. */
export function ListFrame<T extends { _id: string }>({ label, loaded, empty, children }: Props<T>) {
  const { list, reload, loadMore } = loaded;
  if (list.state === "loading") return <Skeleton label={t("common.loading")} lines={[100, 100, 100]} height={32} />;
  if (list.state === "failed") return <LoadError error={list.error} onRetry={() => void reload()} />;
  if (list.items.length === 0) return <EmptyState title={empty.title}>{empty.text}</EmptyState>;
  return (
    <>
      {children(list.items)}
      {list.next !== null && <LoadMore label={label} isPending={list.isLoadingMore} onClick={() => void loadMore()} />}
    </>
  );
}
