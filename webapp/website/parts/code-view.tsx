import { useAtomValue } from "jotai/react";
import { FilePlus2, Trash2 } from "lucide-react";
import { useEffect, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { isSitePath } from "#shared/website/rules.ts";
import type { SiteFile } from "#shared/website/schema.ts";
import { formatSize } from "#webapp/app/format/format-size.ts";
import { deleteSiteFile, isBusyAtom, readSiteFile, writeSiteFile } from "../state.ts";

interface Props {
  projectId: string;
  files: readonly SiteFile[];
}

const ENTRY = "/src/main.tsx";

/** The files of a site, each as text that can be changed. */
export function CodeView({ projectId, files }: Props) {
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
      {current && <FileEditor key={`${current.path} ${current.sizeBytes}`} projectId={projectId} path={current.path} />}
    </div>
  );
}

function FileEditor({ projectId, path }: { projectId: string; path: string }) {
  const isBusy = useAtomValue(isBusyAtom);
  const [stored, setStored] = useState<string | null>();
  const [text, setText] = useState("");
  useEffect(() => {
    let isCurrent = true;
    const load = async () => {
      const found = await readSiteFile(projectId, path);
      if (!isCurrent) return;
      setStored(found ?? null);
      setText(found ?? "");
    };
    void load();
    return () => {
      isCurrent = false;
    };
  }, [projectId, path]);
  if (stored === null) return <p role="alert">{t("website.file_failed")}</p>;
  const isChanged = stored !== undefined && text !== stored;
  const save = async () => {
    if (isChanged && (await writeSiteFile(projectId, path, text))) setStored(text);
  };
  return (
    <div className="website-editor">
      <textarea
        aria-label={t("website.file_text", { path })}
        spellCheck={false}
        dir="ltr"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "s" || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          void save();
        }}
      />
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
