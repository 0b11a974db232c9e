import { useEffect, useRef, useState } from "react";
import { LocalNote } from "../tools/local-note.tsx";
import { useReady } from "../tools/use-ready.ts";
import { word } from "../tools/words.ts";
import { CitationForm } from "./citation-form.tsx";
import { CitationList } from "./citation-list.tsx";
import { CitationSource } from "./citation-source.tsx";
import type { OwnStyle } from "./own-style.ts";
import { StyleField } from "./style-field.tsx";
import type { StyleId } from "./styles.ts";
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
    // Without storage, the list lasts as long as the page is open.
  }
}

const newId = () => `r${Date.now().toString(36)}${Math.random().toString(36).slice(2, 7)}`;

/** The list of references, which is stored in this browser. */
function useReferences() {
  const [references, setReferences] = useState<readonly Reference[]>([]);
  // oxlint-disable-next-line react/set-state-in-effect -- the page is rendered without storage
  useEffect(() => setReferences(readStored()), []);
  // Changes the current list and not the rendered one, because a lookup may finish later.
  const change = (toNext: (before: readonly Reference[]) => readonly Reference[]) =>
    setReferences((before) => {
      const next = toNext(before);
      store(next);
      return next;
    });
  const add = (found: readonly Omit<Reference, "id">[]) => {
    const added = found.map((reference) => ({ ...reference, id: newId() }));
    change((before) => [...before, ...added]);
  };
  return { references, change, add };
}

/**
 * A list of references in a chosen style. References are looked up, pasted or filled in, and stored in this browser.
 */
export function CitationTool() {
  useReady();
  const { references, change, add } = useReferences();
  const [style, setStyle] = useState<StyleId | OwnStyle>("apa");
  const [edited, setEdited] = useState<Reference>();
  // How often the page has scrolled to the list.
  const [revealed, setRevealed] = useState(0);
  // Counts the sources saved with the form. The form is remounted, and so emptied, after each.
  const [savedByHand, setSavedByHand] = useState(0);
  const byHand = useRef<HTMLElement>(null);
  const reveal = () => setRevealed((times) => times + 1);
  const addFound = (found: readonly Omit<Reference, "id">[]) => {
    add(found);
    // A lookup may finish later. The page does not scroll to the list if the visitor is in the form by then.
    if (!byHand.current?.contains(document.activeElement)) reveal();
  };
  const save = (reference: Omit<Reference, "id">) => {
    if (edited) {
      change((before) => before.map((other) => (other.id === edited.id ? { ...reference, id: edited.id } : other)));
      setEdited(undefined);
    } else {
      add([reference]);
      setSavedByHand((times) => times + 1);
    }
    reveal();
  };
  const remove = (id: string) => {
    change((before) => before.filter((reference) => reference.id !== id));
    if (edited?.id === id) setEdited(undefined);
  };
  const edit = (reference: Reference) => {
    setEdited(reference);
    byHand.current?.scrollIntoView({ block: "nearest" });
    byHand.current?.focus({ preventScroll: true });
  };
  return (
    <div className="tool citation-tool">
      <div className="tool-source citation-source">
        <CitationSource add={addFound} />
        <StyleField chosen={style} onChoose={setStyle} />
      </div>
      <CitationList references={references} style={style} revealed={revealed} edit={edit} remove={remove} />
      <section ref={byHand} tabIndex={-1} className="tool-source citation-by-hand" aria-labelledby="citation-by-hand">
        <h2 id="citation-by-hand">{word(edited ? "citation_edit_title" : "citation_by_hand")}</h2>
        <CitationForm
          key={edited?.id ?? `new-${savedByHand}`}
          edited={edited}
          save={save}
          cancel={() => setEdited(undefined)}
        />
      </section>
      <div className="tool-more">
        <LocalNote text={word("citation_private")} />
        <p className="tool-hint">{word("citation_credit")}</p>
      </div>
    </div>
  );
}
