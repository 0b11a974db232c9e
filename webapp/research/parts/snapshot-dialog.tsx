import { useEffect, useRef, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import type { LedgerSource, SnapshotPassage } from "#shared/research/schema.ts";
import { ButtonLink } from "#shared/ui/controls/button.tsx";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { webSourceHref } from "#webapp/library/citation-navigation.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";

interface Props {
  sessionId: string;
  n: number;
  quote: string | null;
  onClose: () => void;
}

type Snapshot = { source: LedgerSource; passages: readonly SnapshotPassage[] } | "loading" | "failed";

function Passage({ text, quote }: { text: string; quote: string | null }) {
  const ref = useRef<HTMLElement>(null);
  const start = quote === null ? -1 : text.indexOf(quote);
  useEffect(() => {
    // Not returned from the effect, because newer browsers return a promise, which is not a cleanup function.
    ref.current?.scrollIntoView({ block: "center" });
  }, []);
  if (quote === null || start === -1) return <p dir="auto">{text}</p>;
  return (
    <p dir="auto">
      {text.slice(0, start)}
      <mark ref={ref} className="lit">
        {quote}
      </mark>
      {text.slice(start + quote.length)}
    </p>
  );
}

/** The stored text of a source, with the quoted words highlighted. */
export function SnapshotDialog({ sessionId, n, quote, onClose }: Props) {
  const [snapshot, setSnapshot] = useState<Snapshot>("loading");
  useEffect(() => {
    let isCurrent = true;
    client.research.readSnapshot({ id: sessionId, n }).then(
      (read) => isCurrent && setSnapshot(read),
      (error: unknown) => {
        logWarning("Could not load a snapshot", error);
        if (isCurrent) setSnapshot("failed");
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [sessionId, n]);
  const source = typeof snapshot === "string" ? undefined : snapshot.source;
  return (
    <Dialog
      open
      title={t("research.snapshot", { title: source?.title || t("common.untitled") })}
      closeLabel={t("common.close")}
      onClose={onClose}
      footer={
        source && source.url !== null ? (
          <ButtonLink href={webSourceHref(source.url, quote)} target="_blank" rel="noopener noreferrer">
            {t("research.open_source")}
          </ButtonLink>
        ) : undefined
      }
    >
      {snapshot === "loading" && <Skeleton label={t("common.loading")} />}
      {snapshot === "failed" && <p role="alert">{t("research.snapshot_failed")}</p>}
      {typeof snapshot !== "string" && (
        <div className="research-snapshot">
          {snapshot.source.licence !== null && (
            <p className="research-licence">{t("research.snapshot_licence", { licence: snapshot.source.licence })}</p>
          )}
          {snapshot.passages.map(({ id, text }) => (
            <Passage key={id} text={text} quote={quote} />
          ))}
        </div>
      )}
    </Dialog>
  );
}
