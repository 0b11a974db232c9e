import { useAtomValue } from "jotai/react";
import { ChevronDown, ChevronUp, X } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import type { FindView } from "../selection/find.ts";
import { startFind, findNext, findViewAtom, type PagedDocument } from "../state.ts";

const DEBOUNCE_MS = 200;

function formatMatchCount({ query, matches, currentIndex, isDone }: FindView): string {
  if (query.trim() === "") return "";
  if (matches.length === 0) return isDone ? t("pdf.find_none") : t("pdf.find_searching");
  const count = t("pdf.find_count", { at: currentIndex + 1, count: matches.length });
  return isDone ? count : `${count}…`;
}

/** Finds words on the pages of a PDF. */
export function FindBar({ open, onClose }: { open: PagedDocument; onClose: () => void }) {
  const view = useAtomValue(findViewAtom);
  return (
    <FindField
      view={view}
      onQuery={useCallback((query: string) => void startFind(open, query), [open])}
      onStep={(step) => void findNext(open, step)}
      onClose={onClose}
    />
  );
}

interface FieldProps {
  view: FindView;
  /** Called when typing has paused. */
  onQuery: (query: string) => void;
  onStep: (step: 1 | -1) => void;
  onClose: () => void;
}

export function FindField({ view, onQuery, onStep, onClose }: FieldProps) {
  const [query, setQuery] = useState(view.query);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  useEffect(() => {
    const timer = setTimeout(() => onQuery(query), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [onQuery, query]);
  return (
    <search className="pdf-find-bar">
      <input
        ref={field}
        type="search"
        className="field-control"
        aria-label={t("pdf.find")}
        placeholder={t("pdf.find_hint")}
        value={query}
        onChange={(event) => setQuery(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") onStep(event.shiftKey ? -1 : 1);
          if (event.key === "Escape") onClose();
          event.stopPropagation();
        }}
      />
      <span className="pdf-find-count" role="status">
        {formatMatchCount(view)}
      </span>
      <IconButton label={t("pdf.find_previous")} icon={<ChevronUp aria-hidden />} onClick={() => onStep(-1)} />
      <IconButton label={t("pdf.find_next")} icon={<ChevronDown aria-hidden />} onClick={() => onStep(1)} />
      <IconButton label={t("pdf.find_close")} icon={<X aria-hidden />} onClick={onClose} />
    </search>
  );
}
