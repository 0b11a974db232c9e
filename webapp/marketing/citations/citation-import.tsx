import { useId, useState } from "react";
import { countWord, word } from "../tools/words.ts";
import type { Reference } from "#shared/marketing/references.ts";
import { readReferences } from "./read-references.ts";

/** Sources from a reference manager or a journal's page. */
export function CitationImport({ add }: { add: (found: readonly Omit<Reference, "id">[]) => void }) {
  const [text, setText] = useState("");
  const [count, setCount] = useState<number>();
  const id = useId();
  const read = () => {
    const found = readReferences(text);
    setCount(found.length);
    if (found.length === 0) return;
    add(found);
    setText("");
  };
  return (
    <details className="citation-import">
      <summary>{word("citation_import")}</summary>
      <form
        className="tool-form"
        onSubmit={(event) => {
          event.preventDefault();
          read();
        }}
      >
        <label htmlFor={id}>{word("citation_import_label")}</label>
        <textarea id={id} rows={6} spellCheck={false} value={text} onChange={(event) => setText(event.target.value)} />
        <div className="tool-actions">
          <button type="submit" className="button button-secondary" disabled={text.trim() === ""}>
            {word("citation_import_button")}
          </button>
          <span role="status" className="tool-hint">
            {count === 0 && word("citation_import_none")}
            {count !== undefined && count > 0 && countWord("citation_imported", count)}
          </span>
        </div>
      </form>
    </details>
  );
}
