import { useNavigate } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { FileArchive, Files, FolderInput } from "lucide-react";
import { useEffect, useId, useState, type ReactNode } from "react";
import { limitsOf } from "#shared/billing/rules.ts";
import type { NotesImport } from "#shared/library/import-schema.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { userAtom } from "#webapp/app/session/session.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { formatRelativeDate } from "#webapp/app/format/format-date.ts";
import { ListLoadError } from "#webapp/ui/list-load-error.tsx";
import {
  earlierImportsAtom,
  resetImport,
  importFiles,
  importingAtom,
  isBusy,
  loadImports,
  failImport,
  undoImport,
} from "./import-state.ts";
import { ImportProgress } from "../parts/import-progress.tsx";
import { ImportReport } from "../parts/import-report.tsx";
import "./import-dialog.css";

const MB = 1024 * 1024;

/** Imports notes from other apps and reports the result. Closing the dialog does not stop the import. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const importing = useAtomValue(importingAtom);
  const navigate = useNavigate();
  useEffect(() => void loadImports(), []);
  const close = () => {
    if (!isBusy(importing)) resetImport();
    onClose();
  };
  const openFolder = (folderId: string) => {
    close();
    void navigate({ to: screenPath("folder", { id: folderId }) });
  };
  return (
    <Dialog open title={t("imports.title")} closeLabel={t("common.close")} onClose={close} closeOnBackdrop={false}>
      <div className="import">
        {isBusy(importing) && <ImportProgress importing={importing} />}
        {importing.state === "done" && (
          <ImportReport report={importing.report} onOpenFolder={openFolder} onMore={resetImport} />
        )}
        {importing.state === "failed" && <p role="alert">{importing.message}</p>}
        {(importing.state === "idle" || importing.state === "failed") && <ImportOptions />}
        {!isBusy(importing) && importing.state !== "done" && <EarlierImports onOpenFolder={openFolder} />}
      </div>
    </Dialog>
  );
}

/** React does not support the attribute for choosing a folder. */
const enableFolderSelection = (input: HTMLInputElement | null) => input?.setAttribute("webkitdirectory", "");

interface FileButtonProps {
  label: string;
  icon: ReactNode;
  source: "zip" | "folder" | "files";
  onFiles: (files: readonly File[]) => void;
}

const NOTE_FILE_TYPES = ".md,.markdown,.txt,.html,.htm,.csv,.png,.jpg,.jpeg,.gif,.webp,.pdf,.docx,.pptx";

/** A button that opens the system's file dialog through a hidden input. */
function FileButton({ label, icon, source, onFiles }: FileButtonProps) {
  const id = useId();
  return (
    <>
      <Button
        variant={source === "zip" ? "primary" : "secondary"}
        icon={icon}
        onClick={() => document.getElementById(id)?.click()}
      >
        {label}
      </Button>
      <input
        id={id}
        ref={source === "folder" ? enableFolderSelection : null}
        type="file"
        hidden
        multiple={source === "files"}
        aria-label={label}
        accept={source === "zip" ? ".zip,application/zip" : source === "files" ? NOTE_FILE_TYPES : undefined}
        onChange={({ target }) => {
          const chosen = [...(target.files ?? [])];
          target.value = "";
          onFiles(chosen);
        }}
      />
    </>
  );
}

function ImportOptions() {
  const user = useAtomValue(userAtom);
  const importChosen = (chosen: readonly File[]) => {
    const size = chosen.reduce((sum, file) => sum + file.size, 0);
    const max = user ? limitsOf(user.plan, Date.now()).fileSizeMb : Number.POSITIVE_INFINITY;
    if (chosen.length === 0) return failImport(t("imports.none_chosen"));
    if (size > max * MB) return failImport(t("imports.too_large", { size: Math.ceil(size / MB), max }));
    return void importFiles(chosen);
  };
  return (
    <>
      <p>{t("imports.intro")}</p>
      <ul className="import-sources">
        <li>{t("imports.notion")}</li>
        <li>{t("imports.obsidian")}</li>
      </ul>
      <div className="import-doors">
        <FileButton
          source="zip"
          label={t("imports.choose_zip")}
          icon={<FileArchive aria-hidden />}
          onFiles={importChosen}
        />
        <FileButton
          source="folder"
          label={t("imports.choose_folder")}
          icon={<FolderInput aria-hidden />}
          onFiles={importChosen}
        />
        <FileButton
          source="files"
          label={t("imports.choose_files")}
          icon={<Files aria-hidden />}
          onFiles={importChosen}
        />
      </div>
      <p className="import-quiet">{t("imports.safe")}</p>
    </>
  );
}

function EarlierImports({ onOpenFolder }: { onOpenFolder: (folderId: string) => void }) {
  const earlier = useAtomValue(earlierImportsAtom);
  if (earlier.state === "loading") return <Skeleton label={t("common.loading")} lines={[60]} />;
  if (earlier.state !== "ready")
    return (
      <ListLoadError className="import-row" message={t("imports.earlier_failed")} onRetry={() => void loadImports()} />
    );
  if (earlier.imports.length === 0) return null;
  return (
    <section className="import-earlier" aria-label={t("imports.earlier")}>
      <h3>{t("imports.earlier")}</h3>
      <ul role="list">
        {earlier.imports.map((notesImport) => (
          <EarlierRow key={notesImport._id} notesImport={notesImport} onOpenFolder={onOpenFolder} />
        ))}
      </ul>
    </section>
  );
}

function EarlierRow({
  notesImport,
  onOpenFolder,
}: {
  notesImport: NotesImport;
  onOpenFolder: (folderId: string) => void;
}) {
  const { _id, name, kind, pages, createdAt, removedAt, folderId, state } = notesImport;
  const now = useNow();
  const [isUndoing, setUndoing] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const undo = async () => {
    setUndoing(true);
    setFailed(!(await undoImport(_id)));
    setUndoing(false);
  };
  const facts = [
    t(`imports.kind_${kind}`),
    t("imports.done", { count: pages }),
    ...(state === "stopped" ? [t("imports.stopped")] : []),
    ...(removedAt === null ? [] : [t("imports.undone")]),
  ];
  return (
    <li className="import-row">
      <span className="import-words">
        <span className="import-name">
          {t("imports.earlier_row", { name, when: formatRelativeDate(createdAt, now) })}
        </span>
        <span className="import-quiet">{facts.join(" · ")}</span>
        {hasFailed && <span role="alert">{t("imports.undo_failed")}</span>}
      </span>
      {removedAt === null && folderId !== null && (
        <Button variant="quiet" onClick={() => onOpenFolder(folderId)}>
          {t("imports.show")}
        </Button>
      )}
      {removedAt === null && pages > 0 && (
        <Button pending={isUndoing} aria-label={t("imports.earlier_undo", { name })} onClick={() => void undo()}>
          {t(isUndoing ? "imports.undoing" : "imports.undo")}
        </Button>
      )}
    </li>
  );
}
