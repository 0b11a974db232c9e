import { useAtomValue } from "jotai/react";
import { FilePlus2, Trash2 } from "lucide-react";
import { useEffect, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { isSitePath } from "#shared/website/rules.ts";
import type { BuildFault, SiteFile } from "#shared/website/schema.ts";
import { formatSize } from "#webapp/app/format/format-size.ts";
import { store } from "#webapp/app/store.ts";
import { deleteSiteFile, draftsAtom, isBusyAtom, readSiteFile, setDraft, writeSiteFile } from "../state.ts";
import { CodeEditor } from "./code-editor.tsx";

interface Props {
  projectId: string;
  files: readonly SiteFile[];
  /** The id of the current checkpoint. */
  version: string;
  faults: readonly BuildFault[];
}

const ENTRY = "/src/main.tsx";

/** The files of a site, with an editor. */
export function CodeView({ projectId, files, version, faults }: Props) {
  const [path, setPath] = useState(ENTRY);
  const current = files.find((file) => file.path === path) ?? files[0];
  return (
    <div className="website-code">
      <nav aria-label={t("website.files")}>
        <ul role="list">
          {files.map((file) => (
            <li key={file.path}>
              <button
                type="button"
                aria-current={file.path === current?.path || undefined}
                onClick={() => setPath(file.path)}
              >
                <span>{file.path}</span>
                <span className="website-when">{formatSize(file.sizeBytes)}</span>
              </button>
            </li>
          ))}
        </ul>
        <NewFile projectId={projectId} onCreated={setPath} />
      </nav>
      {current && (
        <FileEditor
          key={current.path}
          projectId={projectId}
          path={current.path}
          version={version}
          faults={faults.filter((fault) => fault.path === current.path)}
        />
      )}
    </div>
  );
}

interface EditorProps extends Pick<Props, "projectId" | "version"> {
  path: string;
  faults: readonly BuildFault[];
}

/** The stored text of a file, loaded again for each version. Undefined while it loads, null if loading failed. */
function useStoredText({ projectId, path, version }: Omit<EditorProps, "faults">) {
  const [stored, setStored] = useState<{ text: string | null; version: string }>();
  useEffect(() => {
    let isCurrent = true;
    const load = async () => {
      const found = await readSiteFile(projectId, path);
      if (isCurrent) setStored({ text: found ?? null, version });
    };
    void load();
    return () => {
      isCurrent = false;
    };
  }, [projectId, path, version]);
  const setText = (text: string) => setStored({ text, version });
  return [stored?.text, setText] as const;
}

function FileEditor({ projectId, path, version, faults }: EditorProps) {
  const isBusy = useAtomValue(isBusyAtom);
  const draftKey = `${projectId} ${path}`;
  const draft = useAtomValue(draftsAtom)[draftKey];
  const [stored, setStored] = useStoredText({ projectId, path, version });
  // The editor's text differs from the stored text only while there is a draft. Any other difference is a change by the
  // agent or another version, for which `start` creates a new editor.
  const [shown, setShown] = useState({ text: draft, start: 0 });
  if (stored === null) return <p role="alert">{t("website.file_failed")}</p>;
  if (typeof stored === "string" && draft === undefined && shown.text !== stored)
    setShown({ text: stored, start: shown.start + 1 });
  const isChanged = draft !== undefined;
  const change = (text: string) => {
    setShown({ ...shown, text });
    setDraft(draftKey, text === stored ? undefined : text);
  };
  const save = async () => {
    if (draft === undefined || !(await writeSiteFile(projectId, path, draft))) return;
    setStored(draft);
    // What was typed in the meantime is still unsaved.
    if (store.get(draftsAtom)[draftKey] === draft) setDraft(draftKey, undefined);
  };
  return (
    <div className="website-editor">
      {shown.text !== undefined && (
        <CodeEditor
          key={shown.start}
          path={path}
          initialText={shown.text}
          label={t("website.file_text", { path })}
          faults={faults}
          onChange={change}
          onSave={() => void save()}
        />
      )}
      <div className="website-editor-foot">
        <span className="website-when" role="status">
          {isChanged && t("website.file_unsaved")}
        </span>
        {path !== ENTRY && path !== "/site.json" && (
          <IconButton
            label={t("website.file_delete")}
            icon={<Trash2 aria-hidden />}
            onClick={() => void deleteSiteFile(projectId, path)}
          />
        )}
        <Button variant="primary" disabled={!isChanged} pending={isBusy} onClick={() => void save()}>
          {t("website.file_save")}
        </Button>
      </div>
    </div>
  );
}

function NewFile({ projectId, onCreated }: { projectId: string; onCreated: (path: string) => void }) {
  const [path, setPath] = useState("");
  const create = async () => {
    if (!isSitePath(path) || !(await writeSiteFile(projectId, path, ""))) return;
    onCreated(path);
    setPath("");
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void create();
      }}
    >
      <TextField
        label={t("website.new_file_path")}
        value={path}
        maxLength={200}
        action={
          <IconButton
            type="submit"
            label={t("website.new_file")}
            icon={<FilePlus2 aria-hidden />}
            disabled={!isSitePath(path)}
          />
        }
        onChange={(event) => setPath(event.target.value)}
      />
    </form>
  );
}
