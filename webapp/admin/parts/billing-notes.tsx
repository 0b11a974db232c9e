import { type ReactNode, useCallback } from "react";
import type { BillingNote } from "#shared/billing/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { adminClient } from "#webapp/app/admin-client.ts";
import { client } from "#webapp/app/client.ts";
import { formatRelativeDate } from "#webapp/app/format/format-date.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { LoadError } from "../admin-frame.tsx";
import { CsvButton } from "../lists/csv-button.tsx";
import { LoadMore } from "../lists/load-more.tsx";
import { useList } from "../lists/use-list.ts";
import { useShown } from "../lists/use-shown.ts";
import { type Column, StackedTable } from "../lists/stacked-table.tsx";

/** Cancellations with their reason, refunds and disputes: of one account, or of all without `userId`. */
export function BillingNotes({ userId }: { userId?: string }) {
  const read = useCallback(
    async (after: string | undefined) => {
      const { notes, next } = await client.billing.listBillingNotes({
        ...(after !== undefined && { after }),
        ...(userId !== undefined && { userId }),
      });
      return { items: notes, next };
    },
    [userId],
  );
  const { list, reload, loadMore } = useList(read);
  const { shown, hasMore, showMore } = useShown(list, loadMore);
  const isOfAll = userId === undefined;
  // Most accounts have no notes, so an account without any shows no section.
  if (!isOfAll && list.state === "ready" && list.items.length === 0) return null;
  return (
    <section className="admin-section">
      {isOfAll ? (
        <div className="admin-header">
          <h2>{t("billing.notes_title")}</h2>
          {shown.length > 0 && <CsvButton name="payments" read={() => adminClient.exportBillingNotes({})} />}
        </div>
      ) : (
        <h3>{t("billing.notes_title")}</h3>
      )}
      {list.state === "loading" && <Skeleton label={t("common.loading")} lines={[100, 80]} height={20} />}
      {list.state === "failed" && <LoadError error={list.error} onRetry={() => void reload()} />}
      {list.state === "ready" && (
        <Notes
          notes={shown}
          isOfAll={isOfAll}
          more={
            hasMore && <LoadMore label={t("billing.notes_title")} isPending={list.isLoadingMore} onClick={showMore} />
          }
        />
      )}
    </section>
  );
}

interface NotesProps {
  notes: readonly BillingNote[];
  isOfAll: boolean;
  more: ReactNode;
}

function Notes({ notes, isOfAll, more }: NotesProps) {
  const now = useNow();
  if (notes.length === 0) return <p>{t("billing.notes_none")}</p>;
  return (
    <>
      <StackedTable
        label={t("billing.notes_title")}
        columns={columnsOf(now, isOfAll)}
        items={notes}
        keyOf={({ _id }) => _id}
      />
      {more}
    </>
  );
}

const columnsOf = (now: number, isOfAll: boolean): Column<BillingNote>[] => [
  { title: t("billing.notes_when"), cell: ({ createdAt }) => formatRelativeDate(createdAt, now) },
  ...(isOfAll ? [{ title: t("billing.notes_account"), cell: emailOf }] : []),
  { title: t("billing.notes_what"), cell: (note) => <NoteText note={note} /> },
];

const emailOf = ({ email }: BillingNote) => email ?? t("billing.notes_deleted");

const NoteText = ({ note: { kind, reason, comment } }: { note: BillingNote }) => (
  <>
    {t(`billing.${kind}_note`)}
    {reason !== null && <p className="admin-quiet">{t(`billing.${reason}_reason`)}</p>}
    {comment !== "" && <p className="admin-words">{comment}</p>}
  </>
);
