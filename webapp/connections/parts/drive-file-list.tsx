import { useEffect, useRef, useState } from "react";
import type { DriveFile } from "#shared/connections/contract.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { EmptyState, ErrorState } from "#shared/ui/empty-state.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { type ListingResult, listDriveFiles } from "../drive-api.ts";
import { DriveRow } from "./drive-row.tsx";

const DEBOUNCE_MS = 250;

/** The files listed so far and the next ones; a problem replaces both. */
function joinListings(previous: ListingResult, next: ListingResult): ListingResult {
  if ("problem" in next) return next;
  const loadedFiles: readonly DriveFile[] = "listing" in previous ? previous.listing.files : [];
  return { listing: { ...next.listing, files: [...loadedFiles, ...next.listing.files] } };
}

/** Lists a Drive's files for a search, debounced. */
function useListing(connectionId: string, words: string) {
  const [shown, setShown] = useState<{ words: string; listing: ListingResult }>();
  const retryRef = useRef<() => void>(undefined);
  useEffect(() => {
    const controller = new AbortController();
    const load = async () => {
      const next = await listDriveFiles(connectionId, words, { signal: controller.signal });
      if (next) setShown({ words, listing: next });
    };
    retryRef.current = () => void load();
    const timer = setTimeout(() => void load(), words === "" ? 0 : DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [connectionId, words]);
  const loadMore = async (pageToken: string) => {
    if (!shown) return;
    const { words: shownWords } = shown;
    const next = await listDriveFiles(connectionId, shownWords, { pageToken });
    if (!next) return;
    // The student may have searched for something else in the meantime.
    setShown((latest) =>
      latest?.words === shownWords ? { words: shownWords, listing: joinListings(latest.listing, next) } : latest,
    );
  };
  return { listing: shown?.listing, loadMore, retry: () => retryRef.current?.() };
}

export function DriveFileList({ connectionId }: { connectionId: string }) {
  const [words, setWords] = useState("");
  const { listing, loadMore, retry } = useListing(connectionId, words);
  return (
    <div className="drive">
      <h3>{t("connections.files")}</h3>
      <TextField
        label={t("connections.search")}
        labelHidden
        type="search"
        placeholder={t("connections.search")}
        value={words}
        onChange={(event) => setWords(event.target.value)}
      />
      <FileList
        listing={listing}
        connectionId={connectionId}
        isSearch={words.trim() !== ""}
        onMore={loadMore}
        onRetry={retry}
      />
    </div>
  );
}

interface FilesProps {
  listing: ListingResult | undefined;
  connectionId: string;
  isSearch: boolean;
  onMore: (pageToken: string) => Promise<void>;
  onRetry: () => void;
}

function FileList({ listing, connectionId, isSearch, onMore, onRetry }: FilesProps) {
  const [isLoadingMore, setLoadingMore] = useState(false);
  if (!listing) return <Skeleton label={t("connections.files_loading")} lines={[100, 100, 100]} height={44} />;
  if ("problem" in listing)
    return (
      <ErrorState
        headingLevel={3}
        title={t("connections.files_failed")}
        action={<Button onClick={onRetry}>{t("common.retry")}</Button>}
      >
        {listing.problem}
      </ErrorState>
    );
  const { files, nextPageToken } = listing.listing;
  if (files.length === 0)
    return (
      <EmptyState headingLevel={3} title={t(isSearch ? "connections.files_no_match" : "connections.files_none")}>
        {t(isSearch ? "connections.files_no_match_text" : "connections.files_none_text")}
      </EmptyState>
    );
  const showMore = async (token: string) => {
    setLoadingMore(true);
    await onMore(token);
    setLoadingMore(false);
  };
  return (
    <>
      <ul role="list" className="drive-list" aria-label={t("connections.files")}>
        {files.map((file) => (
          <DriveRow key={file.id} connectionId={connectionId} file={file} />
        ))}
      </ul>
      {nextPageToken !== null && (
        <Button pending={isLoadingMore} onClick={() => void showMore(nextPageToken)}>
          {t("connections.more")}
        </Button>
      )}
    </>
  );
}
