import { useAtomValue } from "jotai/react";
import { X } from "lucide-react";
import { useMemo } from "react";
import { t } from "#shared/messages/translate.ts";
import { IconButton } from "#shared/ui/icon-button.tsx";
import { Progress } from "#shared/ui/meter.tsx";
import { dismissUpload, uploadsOfAtom, type Upload } from "../uploads.ts";
import "./upload-list.css";

const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

function UploadRow({ upload }: { upload: Upload }) {
  const { id, name, sentBytes, totalBytes, notice, problem } = upload;
  if (problem !== null)
    return (
      <li className="upload-row upload-problem">
        <span role="alert" className="upload-words">
          {t("pages.upload_stopped", { name })}
          <br />
          {problem}
        </span>
        <IconButton label={t("common.dismiss")} icon={<X aria-hidden />} onClick={() => dismissUpload(id)} />
      </li>
    );
  const isSent = totalBytes > 0 && sentBytes >= totalBytes;
  const said = isSent
    ? t("pages.upload_reading")
    : t("pages.upload_done", { done: megabytes(sentBytes), total: megabytes(totalBytes) });
  return (
    <li className="upload-row">
      <span className="upload-words">
        {t("pages.uploading", { name })}
        <span className="upload-said">{said}</span>
        <Progress label={t("pages.uploading", { name })} value={sentBytes} max={totalBytes} valueText={said} />
        {notice !== null && <span className="upload-said">{notice}</span>}
      </span>
      <IconButton label={t("pages.cancel_upload")} icon={<X aria-hidden />} onClick={upload.cancel} />
    </li>
  );
}

/** Files on their way to this page, and those that did not get there. */
export function UploadList({ pageId }: { pageId: string }) {
  const uploads = useAtomValue(useMemo(() => uploadsOfAtom(pageId), [pageId]));
  if (uploads.length === 0) return null;
  return (
    <ul className="upload-list" role="list">
      {uploads.map((upload) => (
        <UploadRow key={upload.id} upload={upload} />
      ))}
    </ul>
  );
}
