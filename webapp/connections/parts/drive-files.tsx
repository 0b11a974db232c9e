import { useEffect, useRef, useState } from "react";
import type { DriveFile } from "#shared/connections/contract.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { EmptyState, ErrorState } from "#shared/ui/empty-state.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { type Listed, listFiles } from "../drive-files.ts";
import { DriveRow } from "./drive-row.tsx";

/** Debounce while typing. */
const PAUSE_MS = 250;

/** Lists a Drive's files for a search, debounced. */
function useListing(connectionId: string, words: string) {
  const [listed, setListed] = useState<Listed>();
  const again = useRef<() => void>(undefined);
  useEffect(() => {
    const ending = new AbortController();
    const ask = async () => {
      const next = await listFiles(connectionId, words, { signal: ending.signal });
      if (next) setListed(next);
    };
    again.current = () => void ask();
    const timer = setTimeout(() => void ask(), words === "" ? 0 : PAUSE_MS);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [connectionId, words]);
  const more = async (pageToken: string) => {
    const next = await listFiles(connectionId, words, { pageToken });
    if (next && "problem" in next) setListed(next);
    else if (next)
      setListed((held) => {
        const before: readonly DriveFile[] = held && "listing" in held ? held.listing.files : [];
        return { listing: { ...next.listing, files: [...before, ...next.listing.files] } };
      });
  };
  return { listed, more, again: () => again.current?.() };
}

export function DriveFiles({ connectionId }: { connectionId: string }) {
  const [words, setWords] = useState("");
  const { listed, more, again } = useListing(connectionId, words);
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
      <Files listed={listed} connectionId={connectionId} isSearch={words.trim() !== ""} onMore={more} onRetry={again} />
    </div>
  );
}

interface FilesProps {
  listed: Listed | undefined;
  connectionId: string;
  isSearch: boolean;
  onMore: (pageToken: string) => Promise<void>;
  onRetry: () => void;
}

function Files({ listed, connectionId, isSearch, onMore, onRetry }: FilesProps) {
  const [isMore, setMore] = useState(false);
  if (!listed) return <Skeleton label={t("connections.files_loading")} lines={[100, 100, 100]} height={44} />;
  if ("problem" in listed)
    return (
      <ErrorState
        headingLevel={3}
        title={t("connections.files_failed")}
        action={<Button onClick={onRetry}>{t("common.retry")}</Button>}
      >
        {listed.problem}
      </ErrorState>
    );
  const { files, nextPageToken } = listed.listing;
  if (files.length === 0)
    return (
      <EmptyState headingLevel={3} title={t(isSearch ? "connections.files_no_match" : "connections.files_none")}>
        {t(isSearch ? "connections.files_no_match_text" : "connections.files_none_text")}
      </EmptyState>
    );
  const showMore = async (token: string) => {
    setMore(true);
    await onMore(token);
    setMore(false);
  };
  return (
    <>
      <ul role="list" className="drive-list" aria-label={t("connections.files")}>
        {files.map((file) => (
          <DriveRow key={file.id} connectionId={connectionId} file={file} />
        ))}
      </ul>
      {nextPageToken !== null && (
        <Button pending={isMore} onClick={() => void showMore(nextPageToken)}>
          {t("connections.more")}
        </Button>
      )}
    </>
  );
}
