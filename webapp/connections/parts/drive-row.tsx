import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { DriveFile } from "#shared/connections/contract.ts";
import { t } from "#shared/messages/translate.ts";
import type { Component } from "#shared/pages/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { kindOfComponent, type PlaceKind, placeAddress } from "#webapp/library/places.ts";
import { saySize } from "#webapp/app/format/size.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { sayWhen } from "#webapp/app/format/when.ts";
import { PlaceIcon } from "#webapp/ui/sidebar/place-icon.tsx";
import { type Imported, importFile } from "../drive-files.ts";

function kindOf(mimeType: string): PlaceKind {
  if (mimeType.startsWith("video/")) return "video";
  return mimeType.startsWith("image/") ? "image" : "pdf";
}

function aboutOf({ sizeBytes, modifiedAt, canImport }: DriveFile, now: number): string {
  if (!canImport) return t("connections.cannot");
  const size = sizeBytes === null ? t("connections.as_pdf") : saySize(sizeBytes);
  return modifiedAt === null ? size : `${size} · ${t("connections.changed", { when: sayWhen(modifiedAt, now) })}`;
}

type Step = "offered" | "importing" | Imported;

export function DriveRow({ connectionId, file }: { connectionId: string; file: DriveFile }) {
  const now = useNow();
  const [step, setStep] = useState<Step>("offered");
  const bring = async () => {
    setStep("importing");
    setStep(await importFile(connectionId, file.id));
  };
  const isThere = typeof step === "object" && "component" in step;
  const { name, mimeType, canImport } = file;
  return (
    <li className="drive-row">
      <span className="drive-icon" aria-hidden>
        <PlaceIcon kind={kindOf(mimeType)} emoji={null} />
      </span>
      <div className="drive-words">
        <span className="drive-name">{name || t("common.untitled")}</span>
        <span className="drive-about">{aboutOf(file, now)}</span>
        {typeof step === "object" && "problem" in step && (
          <span className="drive-problem" role="alert">
            {step.problem}
          </span>
        )}
      </div>
      <span role="status" className="drive-said">
        {isThere && t("connections.imported")}
      </span>
      {isThere ? (
        <Link className="button button-secondary" aria-label={t("connections.open_of", { name })} to={addressOf(step)}>
          {t("connections.open")}
        </Link>
      ) : (
        canImport && (
          <Button
            pending={step === "importing"}
            aria-label={t("connections.import_of", { name })}
            onClick={() => void bring()}
          >
            {t(step === "importing" ? "connections.importing" : "connections.import")}
          </Button>
        )
      )}
    </li>
  );
}

function addressOf({ component }: { component: Component }): string {
  const { _id: id, type, pageId } = component;
  const fileId = component.type === "image" ? component.content.file.id : undefined;
  return placeAddress({ id, kind: kindOfComponent({ type, ...(fileId && { fileId }) }) ?? "page", pageId });
}
