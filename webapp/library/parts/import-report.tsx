import { useState } from "react";
import type { NotesImportLoss, NotesImport } from "#shared/library/import-schema.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { undoImport } from "../import/import-state.ts";

const summarize = ({ pages, known }: NotesImport) =>
  pages === 0 && known > 0
    ? t("imports.nothing_new")
    : [t("imports.done", { count: pages }), ...(known > 0 ? [t("imports.known", { count: known })] : [])].join(" ");

function describeDetails({ pages, folders, files, links, decks }: NotesImport): string {
  const facts = [
    ...(pages > 0 && folders > 0 ? [t("imports.facts_folders", { count: folders })] : []),
    ...(files > 0 ? [t("imports.facts_files", { count: files })] : []),
    ...(links > 0 ? [t("imports.facts_links", { count: links })] : []),
    ...(decks > 0 ? [t("imports.facts_decks", { count: decks })] : []),
  ];
  return facts.length === 0 ? "" : t("imports.including", { facts: facts.join(", ") });
}

const describeLoss = ({ what, count, examples }: NotesImportLoss) =>
  [
    t(`imports.loss_${what}`, { count }),
    ...(examples.length > 0 ? [t("imports.examples", { names: examples.join(", ") })] : []),
  ].join(": ");

interface Props {
  report: NotesImport;
  onOpenFolder: (folderId: string) => void;
  onMore: () => void;
}

/** Shows what was imported and what was lost, with buttons to open the folder or undo the import. */
export function ImportReport({ report, onOpenFolder, onMore }: Props) {
  const { _id, folderId, pages, losses, removedAt } = report;
  const [isUndoing, setUndoing] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const undo = async () => {
    setUndoing(true);
    setFailed(!(await undoImport(_id)));
    setUndoing(false);
  };
  return (
    <div className="import-report">
      <p role="status">
        {removedAt === null ? [summarize(report), describeDetails(report)].join(" ") : t("imports.undone")}
      </p>
      {losses.length > 0 && removedAt === null && (
        <section>
          <h3>{t("imports.changed")}</h3>
          <ul>
            {losses.map((loss) => (
              <li key={loss.what}>{describeLoss(loss)}</li>
            ))}
          </ul>
        </section>
      )}
      {hasFailed && <p role="alert">{t("imports.undo_failed")}</p>}
      <div className="import-doors">
        {removedAt === null && folderId !== null && (
          <Button variant="primary" onClick={() => onOpenFolder(folderId)}>
            {t("imports.show")}
          </Button>
        )}
        {removedAt === null && pages > 0 && (
          <Button pending={isUndoing} onClick={() => void undo()}>
            {t(isUndoing ? "imports.undoing" : "imports.undo")}
          </Button>
        )}
        <Button variant="quiet" onClick={onMore}>
          {t("imports.another")}
        </Button>
      </div>
    </div>
  );
}
