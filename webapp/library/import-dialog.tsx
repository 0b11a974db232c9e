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
import { userAtom } from "#webapp/app/session/session.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { sayWhen } from "#webapp/app/format/when.ts";
import {
  earlierImportsAtom,
  forgetImport,
  importFiles,
  importingAtom,
  isBusy,
  loadImports,
  sayFailed,
  undoImport,
} from "./import-state.ts";
import { ImportProgress } from "./parts/import-progress.tsx";
import { ImportReport } from "./parts/import-report.tsx";
import "./import-dialog.css";

const MB = 1024 * 1024;

/** Imports notes from other apps and reports the result. Closing the dialog does not stop the import. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const importing = useAtomValue(importingAtom);
  const navigate = useNavigate();
  useEffect(() => void loadImports(), []);
  const close = () => {
    if (!isBusy(importing)) forgetImport();
    onClose();
  };
  const go = (folderId: string) => {
    close();
    void navigate({ to: screenPath("folder", { id: folderId }) });
  };
  return (
    <Dialog open title={t("imports.title")} closeLabel={t("common.close")} onClose={close} closeOnBackdrop={false}>
      <div className="import">
        {isBusy(importing) && <ImportProgress importing={importing} />}
        {importing.state === "done" && <ImportReport report={importing.report} onGo={go} onMore={forgetImport} />}
        {importing.state === "failed" && <p role="alert">{importing.message}</p>}
        {(importing.state === "idle" || importing.state === "failed") && <Choose />}
        {!isBusy(importing) && importing.state !== "done" && <Earlier onGo={go} />}
      </div>
    </Dialog>
  );
}

/** Folder selection uses an attribute that React does not support. */
const asFolder = (input: HTMLInputElement | null) => input?.setAttribute("webkitdirectory", "");

interface DoorProps {
  label: string;
  icon: ReactNode;
  way: "zip" | "folder" | "files";
  onFiles: (files: readonly File[]) => void;
}

const NOTES = ".md,.markdown,.txt,.html,.htm,.csv,.png,.jpg,.jpeg,.gif,.webp,.pdf,.docx,.pptx";

/** A button that opens the system's file dialog through a hidden input. */
function Door({ label, icon, way, onFiles }: DoorProps) {
  const id = useId();
  return (
    <>
      <Button
        variant={way === "zip" ? "primary" : "secondary"}
        icon={icon}
        onClick={() => document.getElementById(id)?.click()}
      >
        {label}
      </Button>
      <input
        id={id}
        ref={way === "folder" ? asFolder : null}
        type="file"
        hidden
        multiple={way === "files"}
        aria-label={label}
        accept={way === "zip" ? ".zip,application/zip" : way === "files" ? NOTES : undefined}
        onChange={({ target }) => {
          const chosen = [...(target.files ?? [])];
          target.value = "";
          onFiles(chosen);
        }}
      />
    </>
  );
}

function Choose() {
  const user = useAtomValue(userAtom);
  const take = (chosen: readonly File[]) => {
    const size = chosen.reduce((sum, file) => sum + file.size, 0);
    const max = user ? limitsOf(user.plan, Date.now()).fileSizeMb : Number.POSITIVE_INFINITY;
    if (chosen.length === 0) return sayFailed(t("imports.none_chosen"));
    if (size > max * MB) return sayFailed(t("imports.too_large", { size: Math.ceil(size / MB), max }));
    return void importFiles(chosen);
  };
  return (
    <>
      <p>{t("imports.intro")}</p>
      <ul className="import-ways">
        <li>{t("imports.notion")}</li>
        <li>{t("imports.obsidian")}</li>
      </ul>
      <div className="import-doors">
        <Door way="zip" label={t("imports.choose_zip")} icon={<FileArchive aria-hidden />} onFiles={take} />
        <Door way="folder" label={t("imports.choose_folder")} icon={<FolderInput aria-hidden />} onFiles={take} />
        <Door way="files" label={t("imports.choose_files")} icon={<Files aria-hidden />} onFiles={take} />
      </div>
      <p className="import-quiet">{t("imports.safe")}</p>
    </>
  );
}

function Earlier({ onGo }: { onGo: (folderId: string) => void }) {
  const earlier = useAtomValue(earlierImportsAtom);
  if (earlier.length === 0) return null;
  return (
    <section className="import-earlier" aria-label={t("imports.earlier")}>
      <h3>{t("imports.earlier")}</h3>
      <ul role="list">
        {earlier.map((one) => (
          <EarlierRow key={one._id} one={one} onGo={onGo} />
        ))}
      </ul>
    </section>
  );
}

function EarlierRow({ one, onGo }: { one: NotesImport; onGo: (folderId: string) => void }) {
  const { _id, name, kind, pages, createdAt, removedAt, folderId, state } = one;
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
        <span className="import-name">{t("imports.earlier_row", { name, when: sayWhen(createdAt, now) })}</span>
        <span className="import-quiet">{facts.join(" · ")}</span>
        {hasFailed && <span role="alert">{t("imports.undo_failed")}</span>}
      </span>
      {removedAt === null && folderId !== null && (
        <Button variant="quiet" onClick={() => onGo(folderId)}>
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
