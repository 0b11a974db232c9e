import { FileText, GraduationCap, Layers, Library, Plus, Upload, Video, X } from "lucide-react";
import { useAtomValue } from "jotai/react";
import { useEffect, useId, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { t } from "#shared/messages/translate.ts";
import { uploadAccept } from "#shared/pdf/upload-rules.ts";
import type { Ground } from "#shared/tutor/schema.ts";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { chooseFile } from "#webapp/app/browser/choose-files.ts";
import { contentAtom, loadContent, type Content } from "#webapp/library/content.ts";
import { uploadSource } from "../state.ts";

export interface ChosenSource {
  kind: "page" | "file" | "deck" | "video";
  id: string;
  title: string;
}
/** The sources an answer may use; an empty list means everything. */
export type ChosenGround = readonly ChosenSource[];

export function groundOf(chosen: ChosenGround): Ground {
  if (chosen.length === 0) return { kind: "everything" };
  const pageIds = chosen.filter(({ kind }) => kind === "page").map(({ id }) => id);
  const componentIds = chosen.filter(({ kind }) => kind !== "page").map(({ id }) => id);
  return { kind: "chosen", pageIds, componentIds };
}

/**
 * The sources of a stored scope under their current titles. Missing sources are listed as missing instead of left out.
 */
export function chosenOf(ground: Ground, content: Content): ChosenGround {
  if (ground.kind === "everything") return [];
  const known = new Map(sourcesIn(content).map((source) => [source.id, source]));
  const isRead = content.state === "ready";
  const named = (kind: ChosenSource["kind"]) => (id: string) =>
    known.get(id) ?? { kind, id, title: t(isRead ? "tutor.ground_gone" : "common.loading") };
  return [...ground.pageIds.map(named("page")), ...ground.componentIds.map(named("file"))];
}

const MAX_SHOWN = 30;
const icons = { page: FileText, file: FileText, deck: Layers, video: Video } as const;
const kinds: Partial<Record<string, ChosenSource["kind"]>> = { image: "file", flash_cards: "deck", video: "video" };

function sourcesIn(content: Content): ChosenSource[] {
  if (content.state !== "ready") return [];
  const pages = content.pages
    .filter((page) => !page.archived)
    .map((page) => ({ kind: "page" as const, id: page._id, title: page.title || t("common.untitled") }));
  const live = new Set(pages.map(({ id }) => id));
  const parts = content.components.flatMap((part): ChosenSource[] => {
    const kind = kinds[part.type];
    if (kind === undefined || part.isArchived || !live.has(part.pageId)) return [];
    return [{ kind, id: part._id, title: part.title || t("common.untitled") }];
  });
  return [...pages, ...parts];
}

/** Uploads dropped or pasted files and adds them to the scope. */
export function useGivenFiles(chosen: ChosenGround, onChange: (next: ChosenGround) => void) {
  const [uploading, setUploading] = useState<string | null>(null);
  const latest = useRef(chosen);
  useEffect(() => {
    latest.current = chosen;
  }, [chosen]);
  const give = async (files: readonly File[]) => {
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
  return { uploading, give: (files: readonly File[]) => void (files.length > 0 && give(files)) };
}

interface AddProps {
  chosen: ChosenGround;
  onAdd: (source: ChosenSource) => void;
  onClose: () => void;
}

function AddSource({ chosen, onAdd, onClose }: AddProps) {
  const content = useAtomValue(contentAtom);
  const [wanted, setWanted] = useState("");
  const [uploading, setUploading] = useState<string | null>(null);
  const taken = new Set(chosen.map(({ id }) => id));
  const words = wanted.trim().toLowerCase();
  const found = sourcesIn(content).filter(({ id, title }) => !taken.has(id) && title.toLowerCase().includes(words));
  const upload = async (file: File) => {
    setUploading(file.name);
    const source = await uploadSource(file);
    setUploading(null);
    if (source) onAdd({ kind: "file", id: source.componentId, title: source.title });
    void loadContent();
  };
  return (
    <Dialog open title={t("tutor.ground_add")} onClose={onClose} closeLabel={t("common.close")}>
      <TextField label={t("tutor.ground_search")} value={wanted} onChange={(event) => setWanted(event.target.value)} />
      <ul role="list" className="ground-list">
        {found.slice(0, MAX_SHOWN).map((source) => {
          const Icon = icons[source.kind];
          return (
            <li key={source.id}>
              <button type="button" className="ground-item" onClick={() => onAdd(source)}>
                <Icon aria-hidden />
                <span>{source.title}</span>
              </button>
            </li>
          );
        })}
      </ul>
      {found.length === 0 && <p className="ground-none">{t("tutor.ground_none")}</p>}
      <button
        type="button"
        className="ground-item"
        disabled={uploading !== null}
        onClick={() => chooseFile(uploadAccept, (file) => void upload(file))}
      >
        <Upload aria-hidden />
        <span>{uploading === null ? t("tutor.ground_upload") : t("tutor.ground_uploading", { name: uploading })}</span>
      </button>
    </Dialog>
  );
}

/** The answer scope as removable chips, with a button to add sources. */
export function GroundChooser({ chosen, onChange }: { chosen: ChosenGround; onChange: (next: ChosenGround) => void }) {
  const [isAdding, setAdding] = useState(false);
  const labelId = useId();
  return (
    <>
      <span id={labelId} className="visually-hidden">
        {t("tutor.ground")}
      </span>
      <ul role="list" aria-labelledby={labelId} className="ground-chips">
        {chosen.length === 0 && (
          <li className="ground-chip">
            <Library aria-hidden />
            {t("tutor.ground_everything")}
          </li>
        )}
        {chosen.map((source) => (
          <li key={source.id} className="ground-chip">
            <GraduationCap aria-hidden />
            <span className="composer-chip-words">{source.title}</span>
            <IconButton
              label={t("tutor.ground_remove", { title: source.title })}
              icon={<X aria-hidden />}
              onClick={() => onChange(chosen.filter(({ id }) => id !== source.id))}
            />
          </li>
        ))}
      </ul>
      <IconButton label={t("tutor.ground_add")} icon={<Plus aria-hidden />} onClick={() => setAdding(true)} />
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
