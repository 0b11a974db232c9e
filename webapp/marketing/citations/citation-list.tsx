import { useEffect, useId } from "react";
import { CopyResult, useCopy } from "../tools/export/copy-result.tsx";
import { word } from "../tools/words.ts";
import { prepareDownloads } from "../tools/prepare.ts";
import { useReveal } from "../tools/use-reveal.ts";
import type { Reference } from "#shared/marketing/references.ts";
import type { OwnStyle } from "./own-style.ts";
import type { StyleId } from "./styles.ts";
import { cleanMarkup, toPlain, useCitations, type Formatted } from "./use-citations.ts";
import { writeReferences } from "./formats/write-references.ts";

interface Props {
  references: readonly Reference[];
  style: StyleId | OwnStyle;
  /** The page scrolls to the list each time this number changes. */
  revealed: number;
  edit: (reference: Reference) => void;
  remove: (id: string) => void;
}

/** The list in the chosen style, with buttons to copy or download it. */
export function CitationList({ references, style, revealed, edit, remove }: Props) {
  const section = useReveal<HTMLElement>(revealed);
  const id = useId();
  const formatted = useCitations(references, style);
  return (
    <section ref={section} tabIndex={-1} className="tool-result" aria-labelledby={id}>
      <header className="citation-head">
        <h2 id={id}>{word("citation_list")}</h2>
        <ListActions references={references} formatted={formatted} />
      </header>
      <div role="status" className="tool-hint citation-status">
        {formatted.state === "loading" && `${word("citation_loading")}…`}
        {formatted.state === "failed" && (
          <>
            {word("citation_failed")}{" "}
            <button type="button" className="button button-quiet" onClick={formatted.retry}>
              {word("try_again")}
            </button>
          </>
        )}
      </div>
      {references.length === 0 ? (
        <p className="citation-empty">{word("citation_empty")}</p>
      ) : (
        <Entries references={references} formatted={formatted} edit={edit} remove={remove} />
      )}
    </section>
  );
}

function Entries({
  references,
  formatted,
  edit,
  remove,
}: Omit<Props, "revealed" | "style"> & { formatted: Formatted }) {
  return (
    <ol className="citation-list">
      {formatted.list.map(({ itemId, html, inText }) => {
        const reference = references.find(({ id }) => id === itemId);
        if (!reference) return null;
        const title = reference.title || word("untitled_source");
        return (
          <li key={itemId}>
            <div className="citation-entry" dangerouslySetInnerHTML={{ __html: cleanMarkup(html) }} />
            {inText !== "" && (
              <p className="citation-in-text">
                {word("citation_in_text")}: <span dangerouslySetInnerHTML={{ __html: cleanMarkup(inText) }} />
              </p>
            )}
            <div className="tool-actions">
              <button
                type="button"
                className="button button-quiet"
                aria-label={word("citation_edit", { title })}
                onClick={() => edit(reference)}
              >
                {word("citation_edit_short")}
              </button>
              <button
                type="button"
                className="button button-quiet"
                aria-label={word("citation_remove", { title })}
                onClick={() => remove(itemId)}
              >
                {word("citation_remove_short")}
              </button>
            </div>
          </li>
        );
      })}
    </ol>
  );
}

function ListActions({ references, formatted }: { references: readonly Reference[]; formatted: Formatted }) {
  const { copied, copy } = useCopy();
  const isEmpty = references.length === 0;
  useEffect(() => {
    if (!isEmpty) prepareDownloads();
  }, [isEmpty]);
  const copyList = () =>
    copy({
      html: formatted.list.map((entry) => `<p>${cleanMarkup(entry.html)}</p>`).join(""),
      plain: formatted.list.map((entry) => toPlain(entry.html)).join("\n"),
    });
  const save = async (format: "bibtex" | "ris") => {
    const { downloadBlob } = await import("../tools/export/download-cards.ts");
    const name = `references.${format === "bibtex" ? "bib" : "ris"}`;
    downloadBlob(new Blob([writeReferences(references, format)], { type: "text/plain;charset=utf-8" }), name);
  };
  return (
    <div className="tool-actions">
      <button
        type="button"
        className="button button-secondary"
        disabled={isEmpty || formatted.state !== "ready"}
        onClick={() => void copyList()}
      >
        {word("citation_copy")}
      </button>
      <button type="button" className="button button-secondary" disabled={isEmpty} onClick={() => void save("bibtex")}>
        BibTeX
      </button>
      <button type="button" className="button button-secondary" disabled={isEmpty} onClick={() => void save("ris")}>
        RIS
      </button>
      <button type="button" className="button button-secondary" disabled={isEmpty} onClick={() => window.print()}>
        {word("print")}
      </button>
      <CopyResult copied={copied} done={word("citation_copied")} />
    </div>
  );
}
