import { FileText, GraduationCap, Layers, Library, Plus, Upload, Video, X } from "lucide-react";
import { useAtomValue } from "jotai/react";
import { useEffect, useId, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { t } from "#shared/messages/translate.ts";
import { uploadAccept } from "#shared/uploads/rules.ts";
import type { AnswerScope } from "#shared/tutor/schema.ts";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { chooseFile } from "#webapp/app/browser/choose-files.ts";
import { useCallSignal } from "#webapp/app/hooks/use-call-signal.ts";
import { contentAtom, loadContent, type Content } from "#webapp/library/content.ts";
import { uploadSource } from "../state.ts";

export interface ScopeSource {
  kind: "page" | "file" | "deck" | "video";
  id: string;
  title: string;
}
/** The sources an answer may use; an empty list means everything. */
export type ScopeSources = readonly ScopeSource[];

export function scopeFromSources(chosen: ScopeSources): AnswerScope {
  if (chosen.length === 0) return { kind: "everything" };
  const pageIds = chosen.filter(({ kind }) => kind === "page").map(({ id }) => id);
  const componentIds = chosen.filter(({ kind }) => kind !== "page").map(({ id }) => id);
  return { kind: "chosen", pageIds, componentIds };
}

/**
 * The sources of a stored scope with their current titles. Sources that cannot be found are labelled as deleted, or as
 * loading until the content has loaded.
 */
export function sourcesFromScope(scope: AnswerScope, content: Content): ScopeSources {
  if (scope.kind === "everything") return [];
  const known = new Map(listSources(content).map((source) => [source.id, source]));
  const isLoaded = content.state === "ready";
  const toSource = (kind: ScopeSource["kind"]) => (id: string) =>
    known.get(id) ?? { kind, id, title: t(isLoaded ? "tutor.scope_deleted" : "common.loading") };
  return [...scope.pageIds.map(toSource("page")), ...scope.componentIds.map(toSource("file"))];
}

const MAX_RESULTS = 30;
const icons = { page: FileText, file: FileText, deck: Layers, video: Video } as const;
const kindByComponentType: Partial<Record<string, ScopeSource["kind"]>> = {
  image: "file",
  flash_cards: "deck",
  video: "video",
};

function listSources(content: Content): ScopeSource[] {
  if (content.state !== "ready") return [];
  const pages = content.pages
    .filter((page) => !page.archived)
    .map((page) => ({ kind: "page" as const, id: page._id, title: page.title || t("common.untitled") }));
  const livePageIds = new Set(pages.map(({ id }) => id));
  const components = content.components.flatMap((component): ScopeSource[] => {
    const kind = kindByComponentType[component.type];
    if (kind === undefined || component.isArchived || !livePageIds.has(component.pageId)) return [];
    return [{ kind, id: component._id, title: component.title || t("common.untitled") }];
  });
  return [...pages, ...components];
}

/** Uploads dropped or pasted files and adds them to the scope. */
export function useScopeUploads(chosen: ScopeSources, onChange: (next: ScopeSources) => void) {
  const [uploading, setUploading] = useState<string | null>(null);
  const latest = useRef(chosen);
  useEffect(() => {
    latest.current = chosen;
  }, [chosen]);
  const uploadFiles = async (files: readonly File[]) => {
    if (files.length === 0) return;
    for (const file of files) {
      setUploading(file.name);
      const source = await uploadSource(file);
      if (!source) continue;
      latest.current = [...latest.current, { kind: "file", id: source.componentId, title: source.title }];
      onChange(latest.current);
    }
    setUploading(null);
    void loadContent();
  };
  return { uploading, uploadFiles: (files: readonly File[]) => void uploadFiles(files) };
}

interface AddSourceProps {
  chosen: ScopeSources;
  onAdd: (source: ScopeSource) => void;
  onClose: () => void;
}

/** Closing the dialog aborts its upload, because the scope may then be that of another question. */
function AddSource({ chosen, onAdd, onClose }: AddSourceProps) {
  const { begin } = useCallSignal();
  const content = useAtomValue(contentAtom);
  const [query, setQuery] = useState("");
  const [uploading, setUploading] = useState<string | null>(null);
  const chosenIds = new Set(chosen.map(({ id }) => id));
  const normalizedQuery = query.trim().toLowerCase();
  const matches = listSources(content).filter(
    ({ id, title }) => !chosenIds.has(id) && title.toLowerCase().includes(normalizedQuery),
  );
  const upload = async (file: File) => {
    const signal = begin();
    setUploading(file.name);
    const source = await uploadSource(file, { signal });
    if (signal.aborted) return;
    setUploading(null);
    if (source) onAdd({ kind: "file", id: source.componentId, title: source.title });
    void loadContent();
  };
  return (
    <Dialog open title={t("tutor.scope_add")} onClose={onClose} closeLabel={t("common.close")}>
      <TextField label={t("tutor.scope_search")} value={query} onChange={(event) => setQuery(event.target.value)} />
      <ul role="list" className="scope-list">
        {matches.slice(0, MAX_RESULTS).map((source) => {
          const Icon = icons[source.kind];
          return (
            <li key={source.id}>
              <button type="button" className="scope-item" disabled={uploading !== null} onClick={() => onAdd(source)}>
                <Icon aria-hidden />
                <span>{source.title}</span>
              </button>
            </li>
          );
        })}
      </ul>
      {matches.length === 0 && <p className="scope-none">{t("tutor.scope_none")}</p>}
      <button
        type="button"
        className="scope-item"
        disabled={uploading !== null}
        onClick={() => chooseFile(uploadAccept, (file) => void upload(file))}
      >
        <Upload aria-hidden />
        <span>{uploading === null ? t("tutor.scope_upload") : t("tutor.scope_uploading", { name: uploading })}</span>
      </button>
    </Dialog>
  );
}

/** The answer scope as removable chips, with a button to add sources. */
export function ScopeChooser({ chosen, onChange }: { chosen: ScopeSources; onChange: (next: ScopeSources) => void }) {
  const [isAdding, setAdding] = useState(false);
  const labelId = useId();
  return (
    <>
      <span id={labelId} className="visually-hidden">
        {t("tutor.scope")}
      </span>
      <ul role="list" aria-labelledby={labelId} className="scope-chips">
        {chosen.length === 0 && (
          <li className="scope-chip">
            <Library aria-hidden />
            {t("tutor.scope_everything")}
          </li>
        )}
        {chosen.map((source) => (
          <li key={source.id} className="scope-chip">
            <GraduationCap aria-hidden />
            <span className="composer-chip-words">{source.title}</span>
            <IconButton
              label={t("tutor.scope_remove", { title: source.title })}
              icon={<X aria-hidden />}
              onClick={() => onChange(chosen.filter(({ id }) => id !== source.id))}
            />
          </li>
        ))}
      </ul>
      <IconButton label={t("tutor.scope_add")} icon={<Plus aria-hidden />} onClick={() => setAdding(true)} />
      {isAdding &&
        // Outside the composer's form, so that Enter in the search field does not submit a question.
        createPortal(
          <AddSource
            chosen={chosen}
            onClose={() => setAdding(false)}
            onAdd={(source) => {
              onChange([...chosen, source]);
              setAdding(false);
            }}
          />,
          document.body,
        )}
    </>
  );
}
