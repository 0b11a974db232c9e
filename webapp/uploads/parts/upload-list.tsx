import { useAtomValue } from "jotai/react";
import { Pause, Play, RotateCcw, X } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Button, ButtonLink } from "#shared/ui/controls/button.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { Progress } from "#shared/ui/meter.tsx";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { formatMegabytes } from "#webapp/app/format/format-size.ts";
import {
  cancelUpload,
  dismissUpload,
  attachFile,
  pauseUpload,
  restoreUploads,
  resumeUpload,
  type Upload,
  uploadsAtom,
} from "../uploads.ts";
import { pickFiles } from "./pick-files.ts";
import "./upload-list.css";

const formatMb = (bytes: number) => `${formatMegabytes(bytes)} MB`;

function describeUpload({ state, sentBytes, sizeBytes }: Upload): string {
  const sizes = { done: formatMb(sentBytes), total: formatMb(sizeBytes) };
  switch (state) {
    case "queued":
    case "finishing":
    case "needs_file":
    case "done":
      return t(`uploads.${state}`);
    case "sending":
    case "waiting":
    case "paused":
      return t(`uploads.${state}`, sizes);
    case "failed":
      return "";
    default:
      return state satisfies never;
  }
}

function FailedUpload({ upload: { id, name, problem, canRetry } }: { upload: Upload }) {
  return (
    <li className="upload-row upload-problem">
      <span role="alert" className="upload-words">
        <span className="upload-name">{t("uploads.stopped", { name })}</span>
        <span className="upload-status">{problem}</span>
      </span>
      {canRetry && (
        <IconButton
          label={t("uploads.retry", { name })}
          icon={<RotateCcw aria-hidden />}
          onClick={() => resumeUpload(id)}
        />
      )}
      <IconButton label={t("uploads.dismiss", { name })} icon={<X aria-hidden />} onClick={() => dismissUpload(id)} />
    </li>
  );
}

/** Several failed uploads in one notice, each reason once. */
function FailedUploads({ uploads }: { uploads: readonly Upload[] }) {
  const problems = new Set(uploads.map(({ problem }) => problem));
  const retriable = uploads.filter(({ canRetry }) => canRetry);
  return (
    <li className="upload-row upload-problem">
      <div role="alert" className="upload-words">
        <span className="upload-name">{t("uploads.stopped_several", { count: uploads.length })}</span>
        <ul role="list" className="upload-reasons">
          {[...problems].map((reason) => (
            <li key={reason}>
              <bdi>
                {uploads
                  .filter(({ problem }) => problem === reason)
                  .map(({ name }) => name)
                  .join(", ")}
              </bdi>
              : {reason}
            </li>
          ))}
        </ul>
      </div>
      {retriable.length > 0 && (
        <IconButton
          label={t("uploads.retry_several")}
          icon={<RotateCcw aria-hidden />}
          onClick={() => {
            for (const { id } of retriable) resumeUpload(id);
          }}
        />
      )}
      <IconButton
        label={t("uploads.dismiss_several")}
        icon={<X aria-hidden />}
        onClick={() => {
          for (const { id } of uploads) dismissUpload(id);
        }}
      />
    </li>
  );
}

function FinishedUpload({ upload: { id, name, component } }: { upload: Upload }) {
  return (
    <li className="upload-row">
      <span className="upload-words">
        <span className="upload-name">{name}</span>
        <span className="upload-status">{t("uploads.done")}</span>
      </span>
      {component && (
        <ButtonLink variant="quiet" href={screenPath("page", { id: component.pageId })}>
          {t("uploads.open")}
        </ButtonLink>
      )}
      <IconButton label={t("uploads.dismiss", { name })} icon={<X aria-hidden />} onClick={() => dismissUpload(id)} />
    </li>
  );
}

function ChooseFileAgain({ upload: { id, name } }: { upload: Upload }) {
  const [isDifferentFile, setDifferentFile] = useState(false);
  return (
    <>
      {isDifferentFile && (
        <span role="alert" className="upload-status">
          {t("uploads.other_file", { name })}
        </span>
      )}
      <Button
        onClick={() =>
          pickFiles({
            onFiles: ([file]) => setDifferentFile(file !== undefined && !attachFile(id, file)),
            isSingle: true,
          })
        }
      >
        {t("uploads.choose")}
      </Button>
    </>
  );
}

function Controls({ upload: { id, name, state } }: { upload: Upload }): ReactNode {
  const cancel = (
    <IconButton label={t("uploads.cancel", { name })} icon={<X aria-hidden />} onClick={() => cancelUpload(id)} />
  );
  switch (state) {
    case "paused":
      return (
        <>
          <IconButton
            label={t("uploads.resume", { name })}
            icon={<Play aria-hidden />}
            onClick={() => resumeUpload(id)}
          />
          {cancel}
        </>
      );
    case "queued":
    case "sending":
    case "waiting":
      return (
        <>
          <IconButton
            label={t("uploads.pause", { name })}
            icon={<Pause aria-hidden />}
            onClick={() => pauseUpload(id)}
          />
          {cancel}
        </>
      );
    case "finishing":
      // Finishing happens on the server and cannot be cancelled.
      return null;
    case "needs_file":
    case "failed":
    case "done":
      return cancel;
    default:
      return state satisfies never;
  }
}

function ActiveUpload({ upload }: { upload: Upload }) {
  const { name, state, sentBytes, sizeBytes, notice } = upload;
  const statusText = describeUpload(upload);
  return (
    <li className="upload-row">
      <span className="upload-words">
        <span className="upload-name">{name}</span>
        <span className="upload-status">{statusText}</span>
        {notice !== null && <span className="upload-status">{notice}</span>}
        {state === "needs_file" ? (
          <ChooseFileAgain upload={upload} />
        ) : (
          <Progress label={t("uploads.name", { name })} value={sentBytes} max={sizeBytes} valueText={statusText} />
        )}
      </span>
      <Controls upload={upload} />
    </li>
  );
}

function UploadRow({ upload }: { upload: Upload }) {
  if (upload.state === "failed") return <FailedUpload upload={upload} />;
  return upload.state === "done" ? <FinishedUpload upload={upload} /> : <ActiveUpload upload={upload} />;
}

/** Running and failed uploads of one page, or of all pages. */
export function UploadList({ pageId }: { pageId?: string }) {
  const accountId = useAtomValue(accountIdAtom);
  const uploads = useAtomValue(uploadsAtom).filter((upload) => pageId === undefined || upload.pageId === pageId);
  useEffect(() => {
    if (accountId !== undefined) void restoreUploads(accountId);
  }, [accountId]);
  if (uploads.length === 0) return null;
  const failed = uploads.filter(({ state }) => state === "failed");
  const shown = failed.length > 1 ? uploads.filter((upload) => !failed.includes(upload)) : uploads;
  return (
    <ul className="upload-list" role="list" aria-label={t("uploads.list")}>
      {failed.length > 1 && <FailedUploads uploads={failed} />}
      {shown.map((upload) => (
        <UploadRow key={upload.id} upload={upload} />
      ))}
    </ul>
  );
}
