import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { DriveFile } from "#shared/connections/contract.ts";
import { t } from "#shared/messages/translate.ts";
import type { Component } from "#shared/pages/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { kindOfComponent, type LibraryItemKind, libraryItemPath } from "#webapp/library/library-items.ts";
import { formatSize } from "#webapp/app/format/format-size.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { formatRelativeDate } from "#webapp/app/format/format-date.ts";
import { LibraryItemIcon } from "#webapp/ui/sidebar/library-item-icon.tsx";
import { type ImportResult, importDriveFile } from "../drive-api.ts";

function fileKind(mimeType: string): LibraryItemKind {
  if (mimeType.startsWith("video/")) return "video";
  return mimeType.startsWith("image/") ? "image" : "pdf";
}

function describeFile({ sizeBytes, modifiedAt, canImport }: DriveFile, now: number): string {
  if (!canImport) return t("connections.unsupported_type");
  const size = sizeBytes === null ? t("connections.as_pdf") : formatSize(sizeBytes);
  return modifiedAt === null
    ? size
    : `${size} · ${t("connections.changed", { when: formatRelativeDate(modifiedAt, now) })}`;
}

type Step = "offered" | "importing" | ImportResult;

export function DriveRow({ connectionId, file }: { connectionId: string; file: DriveFile }) {
  const now = useNow();
  const [step, setStep] = useState<Step>("offered");
  const startImport = async () => {
    setStep("importing");
    setStep(await importDriveFile(connectionId, file.id));
  };
  const isImported = typeof step === "object" && "component" in step;
  const { name, mimeType, canImport } = file;
  return (
    <li className="drive-row">
      <span className="drive-icon" aria-hidden>
        <LibraryItemIcon kind={fileKind(mimeType)} emoji={null} />
      </span>
      <div className="drive-words">
        <span className="drive-name">{name || t("common.untitled")}</span>
        <span className="drive-about">{describeFile(file, now)}</span>
        {typeof step === "object" && "problem" in step && (
          <span className="drive-problem" role="alert">
            {step.problem}
          </span>
        )}
      </div>
      <span role="status" className="drive-status">
        {isImported && t("connections.imported")}
      </span>
      {isImported ? (
        <Link
          className="button button-secondary"
          aria-label={t("connections.open_of", { name })}
          to={importedPath(step)}
        >
          {t("connections.open")}
        </Link>
      ) : (
        canImport && (
          <Button
            pending={step === "importing"}
            aria-label={t("connections.import_of", { name })}
            onClick={() => void startImport()}
          >
            {t(step === "importing" ? "connections.importing" : "connections.import")}
          </Button>
        )
      )}
    </li>
  );
}

function importedPath({ component }: { component: Component }): string {
  const { _id: id, type, pageId } = component;
  const fileId = component.type === "image" ? component.content.file.id : undefined;
  return libraryItemPath({ id, kind: kindOfComponent({ type, ...(fileId && { fileId }) }) ?? "page", pageId });
}
