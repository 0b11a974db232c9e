import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import type { LookupKind } from "#shared/marketing/references.ts";
import { countWord, word } from "../tools/words.ts";
import { fetchLookupKinds, type FoundSource, lookUpReference, type LookupProblem } from "./look-up-reference.ts";
import { isReferenceFile, readReferences } from "./formats/read-references.ts";

type Phase = "idle" | "working" | "none" | "off" | "looked_up" | LookupProblem | { added: number };

/** Names the kinds of text that the field accepts, such as "DOI, ISBN or web address". */
function listKinds(kinds: readonly LookupKind[], others: readonly string[] = []): string {
  const names = [...kinds.map((kind) => word(`lookup_${kind}`)), ...others];
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} ${word("lookup_or")} ${last}`;
}

/** The text of the field, the state of its lookup, and the kinds of sources that this server can look up. */
function useSource(add: (found: readonly FoundSource[]) => void) {
  // Until the server has responded, all kinds, because most servers look up either all kinds or none.
  const [kinds, setKinds] = useState<readonly LookupKind[]>(["doi", "isbn", "url"]);
  const [text, setText] = useState("");
  const [phase, setPhase] = useState<Phase>("idle");
  const controllerRef = useRef<AbortController>(undefined);
  useEffect(() => {
    const loadKinds = async () => {
      const supported = await fetchLookupKinds();
      if (supported) setKinds(supported);
    };
    void loadKinds();
  }, []);
  useEffect(() => () => controllerRef.current?.abort(), []);
  const finish = (found: readonly FoundSource[], next: Phase) => {
    add(found);
    setText("");
    setPhase(next);
  };
  const readEntries = () => {
    const found = readReferences(text);
    return found.length === 0 ? setPhase("none") : finish(found, { added: found.length });
  };
  const lookUp = async () => {
    if (kinds.length === 0) return setPhase("off");
    const controller = new AbortController();
    controllerRef.current = controller;
    setPhase("working");
    const result = await lookUpReference(text, kinds, controller.signal);
    if (controller.signal.aborted) return undefined;
    return typeof result === "string" ? setPhase(result) : finish([result], "looked_up");
  };
  const submit = () => {
    if (phase === "working" || text.trim() === "") return;
    if (isReferenceFile(text)) readEntries();
    else void lookUp();
  };
  const cancel = () => {
    controllerRef.current?.abort();
    setPhase("idle");
  };
  return { kinds, text, setText, phase, submit, cancel };
}

/** One field for all sources that need not be filled in: they are looked up, or read from BibTeX or RIS. */
export function CitationSource({ add }: { add: (found: readonly FoundSource[]) => void }) {
  const { kinds, text, setText, phase, submit, cancel } = useSource(add);
  const id = useId();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  };
  return (
    <form
      className="tool-form"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <label htmlFor={id}>{listKinds(kinds, ["BibTeX", "RIS"])}</label>
      <div className="citation-lookup">
        <textarea
          id={id}
          rows={1}
          value={text}
          autoComplete="off"
          spellCheck={false}
          placeholder={word(kinds.length === 0 ? "lookup_example_entry" : "lookup_example")}
          aria-describedby={`${id}-hint`}
          onKeyDown={onKeyDown}
          onChange={(event) => setText(event.target.value)}
        />
        <button type="submit" className="button button-primary" disabled={phase === "working" || text.trim() === ""}>
          {word("lookup_button")}
        </button>
      </div>
      <p className="tool-hint" id={`${id}-hint`}>
        {word(kinds.length === 0 ? "lookup_none" : "lookup_private")}
      </p>
      <SourcePhase phase={phase} kinds={kinds} cancel={cancel} />
    </form>
  );
}

function SourcePhase({ phase, kinds, cancel }: { phase: Phase; kinds: readonly LookupKind[]; cancel: () => void }) {
  if (phase === "idle") return null;
  if (phase === "working")
    return (
      <div className="tool-phase" role="status">
        <span>{word("lookup_working")}</span>
        <button type="button" className="button button-quiet" onClick={cancel}>
          {word("stop")}
        </button>
      </div>
    );
  if (phase === "looked_up" || typeof phase === "object")
    return (
      <p className="tool-phase" role="status">
        {phase === "looked_up" ? word("citation_looked_up") : countWord("citation_imported", phase.added)}
      </p>
    );
  return (
    <div className="tool-phase" role="alert" data-kind="failed">
      <p>
        {phase === "none"
          ? word("citation_import_none")
          : word(`lookup_${phase}`, { kinds: listKinds(kinds, ["BibTeX", "RIS"]) })}
      </p>
    </div>
  );
}
