import { useAtomValue } from "jotai/react";
import { useEffect, useEffectEvent, useState } from "react";
import { limitsOf } from "#shared/billing/rules.ts";
import { client } from "#webapp/app/client.ts";
import { logWarning } from "#webapp/app/log.ts";
import { userAtom } from "#webapp/app/session/session.ts";
import type { PageSource } from "#webapp/pages/page-port.tsx";
import type { CardMakerOptions, PageLimit } from "./card-maker-options.ts";

interface ChosenPages {
  /** The page count of the chosen document; undefined until it is known. */
  pageCount: number | undefined;
  /** The plan's limit, if the document is longer than the limit. */
  pageLimit: PageLimit | undefined;
}

/** Counts the pages of the chosen document. If it is longer than the plan allows, fills in the first pages. */
export function useChosenPages(
  { from, componentId, startPage, endPage }: CardMakerOptions,
  sources: readonly PageSource[],
  onOptions: (change: Partial<CardMakerOptions>) => void,
): ChosenPages {
  const plan = useAtomValue(userAtom)?.plan;
  const [known, setKnown] = useState<PageLimit & { componentId: string }>();
  const isDocument =
    from === "file" && sources.find((source) => source.componentId === componentId)?.kind === "document";
  const applyPageCount = useEffectEvent((pageCount: number) => {
    const { pdfToFlashcardsPages: limit } = limitsOf(plan, Date.now());
    setKnown({ componentId, pageCount, limit });
    const isUnset = startPage === "" && endPage === "";
    if (pageCount > limit && isUnset) onOptions({ startPage: "1", endPage: String(limit) });
  });
  useEffect(() => {
    if (!isDocument) return undefined;
    let isCurrent = true;
    const load = async () => {
      // One page is enough to get the count, and it is available while other pages are still being processed.
      const { pageCount } = await client.pdf.getPassages({ id: componentId, from: 1, to: 1 });
      if (isCurrent) applyPageCount(pageCount);
    };
    load().catch((error: unknown) => logWarning("Could not count the pages", error));
    return () => {
      isCurrent = false;
    };
  }, [isDocument, componentId]);
  const chosen = isDocument && known?.componentId === componentId ? known : undefined;
  const isLonger = chosen !== undefined && chosen.pageCount > chosen.limit;
  return { pageCount: chosen?.pageCount, pageLimit: isLonger ? chosen : undefined };
}
