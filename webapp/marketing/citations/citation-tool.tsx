import { useRef, useState } from "react";
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
import { useReferences } from "./list/use-references.ts";

/** The key of the draft of a source that is not in the list. */
const NEW = "new";

/** What was typed for each source and not saved yet, so that looking at another source loses nothing. */
function useDrafts() {
  const [drafts, setDrafts] = useState<Readonly<Record<string, Omit<Reference, "id">>>>({});
  const setDraft = (key: string, draft: Omit<Reference, "id">) => setDrafts((before) => ({ ...before, [key]: draft }));
  const dropDraft = (key: string) =>
    setDrafts((before) => Object.fromEntries(Object.entries(before).filter(([other]) => other !== key)));
  return { drafts, setDraft, dropDraft };
}

/** What the form shows: a source of the list, or one that is not in it yet. */
function useForm() {
  const { drafts, setDraft, dropDraft } = useDrafts();
  const [edited, setEdited] = useState<Reference>();
  const key = edited?.id ?? NEW;
  return {
    key,
    edited,
    setEdited,
    values: drafts[key] ?? edited ?? { type: "book" as const },
    setValues: (values: Omit<Reference, "id">) => setDraft(key, values),
    /** Forgets what was typed for a source. The form shows the source that is not in the list yet, if it showed this. */
    drop: (id: string) => {
      dropDraft(id);
      if (id === key) setEdited(undefined);
    },
  };
}

/** Another tab may have removed the source meanwhile. It is added again then. */
const putChanged = (list: readonly Reference[], changed: Reference): readonly Reference[] =>
  list.some(({ id }) => id === changed.id)
    ? list.map((other) => (other.id === changed.id ? changed : other))
    : [...list, changed];

/**
 * A list of references in a chosen style. References are looked up, pasted or filled in, and stored in this browser.
 */
export function CitationTool() {
  useReady();
  const { references, change, add } = useReferences();
  const { key, edited, setEdited, values, setValues, drop } = useForm();
  const [style, setStyle] = useState<StyleId | OwnStyle>("apa");
  // How often the page has scrolled to the list.
  const [revealed, setRevealed] = useState(0);
  const byHand = useRef<HTMLElement>(null);
  const reveal = () => setRevealed((times) => times + 1);
  const addFound = (found: readonly Omit<Reference, "id">[]) => {
    add(found);
    // A lookup may finish later. The page does not scroll to the list if the visitor is in the form by then.
    if (!byHand.current?.contains(document.activeElement)) reveal();
  };
  const save = () => {
    if (edited) change((before) => putChanged(before, { ...values, id: edited.id }));
    else add([values]);
    drop(key);
    reveal();
  };
  const remove = (id: string) => {
    change((before) => before.filter((reference) => reference.id !== id));
    drop(id);
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
          key={key}
          values={values}
          onValues={setValues}
          isEdit={edited !== undefined}
          save={save}
          cancel={() => drop(key)}
        />
      </section>
      <div className="tool-more">
        <LocalNote text={word("citation_private")} />
        <p className="tool-hint">{word("citation_credit")}</p>
      </div>
    </div>
  );
}
