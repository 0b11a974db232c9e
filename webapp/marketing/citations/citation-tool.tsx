import { useEffect, useState } from "react";
import { LocalNote } from "../tools/local-note.tsx";
import { useReady } from "../tools/use-ready.ts";
import { word } from "../tools/words.ts";
import { CitationForm } from "./citation-form.tsx";
import { CitationImport } from "./citation-import.tsx";
import { CitationLookup } from "./citation-lookup.tsx";
import type { FoundSource } from "./look-up-reference.ts";
import { CitationList } from "./citation-list.tsx";
import type { Reference } from "#shared/marketing/references.ts";

const STORAGE_KEY = "lamplight_references";

function readStored(): Reference[] {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "[]") as Reference[];
  } catch {
    return [];
  }
}

function store(references: readonly Reference[]): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(references));
  } catch {
    // The list then lasts as long as the page.
  }
}

/** What was looked up last, and how often. */
interface Draft {
  count: number;
  found: FoundSource | undefined;
}

const newId = () => `r${Date.now().toString(36)}${Math.random().toString(36).slice(2, 7)}`;

/** A list of references: filled in by hand or pasted, kept in this browser, shown in any of the styles. */
export function CitationTool() {
  useReady();
  const [references, setReferences] = useState<readonly Reference[]>([]);
  const [edited, setEdited] = useState<Reference>();
  const [saved, setSaved] = useState(0);
  const [draft, setDraft] = useState<Draft>({ count: 0, found: undefined });
  // oxlint-disable-next-line react/set-state-in-effect -- the page is rendered without storage
  useEffect(() => setReferences(readStored()), []);
  const change = (next: readonly Reference[]) => {
    setReferences(next);
    store(next);
  };
  const save = (reference: Omit<Reference, "id">) => {
    if (edited) change(references.map((one) => (one.id === edited.id ? { ...reference, id: edited.id } : one)));
    else change([...references, { ...reference, id: newId() }]);
    setEdited(undefined);
    setSaved((times) => times + 1);
    setDraft(({ count }) => ({ count, found: undefined }));
  };
  return (
    <div className="tool">
      <div className="tool-source">
        <CitationLookup
          fill={(found) => {
            setEdited(undefined);
            setDraft(({ count }) => ({ count: count + 1, found }));
          }}
        />
        <CitationForm
          key={edited?.id ?? `new-${references.length}-${draft.count}`}
          edited={edited}
          draft={draft.found}
          save={save}
          cancel={() => setEdited(undefined)}
        />
      </div>
      <CitationList
        references={references}
        saved={saved}
        edit={setEdited}
        remove={(id) => change(references.filter((one) => one.id !== id))}
      />
      <div className="tool-more">
        <CitationImport add={(found) => change([...references, ...found.map((one) => ({ ...one, id: newId() }))])} />
        <LocalNote text={word("citation_private")} />
        <p className="tool-hint">{word("citation_credit")}</p>
      </div>
    </div>
  );
}
