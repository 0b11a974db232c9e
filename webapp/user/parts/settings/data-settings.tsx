import { useRouter } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { documentLanguage } from "#shared/messages/language.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import type { AccountImportReport, User } from "#shared/user/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { notify } from "#webapp/app/alerts.ts";
import { loadContent } from "#webapp/library/content.ts";
import { openOverlay } from "#webapp/app/overlays.ts";
import {
  importAccountFile,
  deleteAccount,
  downloadCollection,
  downloadEverything,
  downloadNotes,
} from "../../account-state.ts";
import { FormDialog } from "../form-dialog.tsx";
import { CurrentPassword } from "./sign-in-settings.tsx";

const newCollection = () => downloadCollection("new");
const oldCollection = () => downloadCollection("old");

export function DataSettings({ user }: { user: User }) {
  return (
    <>
      <Export text={t("account.export_text")} label={t("account.export")} download={downloadEverything} />
      <Export text={t("account.export_notes_text")} label={t("account.export_notes")} download={downloadNotes} />
      <Export text={t("account.export_decks_text")} label={t("account.export_decks")} download={newCollection} />
      <Export
        text={t("account.export_decks_old_text")}
        label={t("account.export_decks_old")}
        download={oldCollection}
      />
      <Import />
      <div className="settings-line">
        <p>{t("imports.data_text")}</p>
        <Button onClick={() => openOverlay("import")}>{t("imports.title")}</Button>
      </div>
      <Delete user={user} />
    </>
  );
}

interface ExportProps {
  text: string;
  label: string;
  download: () => Promise<void>;
}

function Export({ text, label, download }: ExportProps) {
  const [isPacking, setPacking] = useState(false);
  const run = async () => {
    setPacking(true);
    await download();
    setPacking(false);
  };
  return (
    <div className="settings-line">
      <p>{text}</p>
      <Button pending={isPacking} onClick={() => void run()}>
        {isPacking ? t("account.exporting") : label}
      </Button>
    </div>
  );
}

function Import() {
  const input = useRef<HTMLInputElement>(null);
  const [isReading, setReading] = useState(false);
  const [report, setReport] = useState<AccountImportReport>();
  const read = async (file: File | undefined) => {
    if (!file) return;
    setReading(true);
    const importReport = await importAccountFile(file);
    setReport(importReport);
    setReading(false);
    if (importReport) await loadContent();
  };
  return (
    <div className="settings-line">
      <p role="status">{report ? describeReport(report) : t("account.import_text")}</p>
      <Button pending={isReading} onClick={() => input.current?.click()}>
        {t(isReading ? "account.importing" : "account.import")}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t("account.import")}
        accept=".zip,application/zip"
        onChange={(event) => {
          void read(event.target.files?.[0]);
          event.target.value = "";
        }}
      />
    </div>
  );
}

function describeReport({ documents, files, refused }: AccountImportReport): string {
  const importedText =
    documents === 0 ? t("account.import_already") : t("account.import_done", { documents, count: files });
  return refused === 0 ? importedText : `${importedText} ${t("account.import_refused", { count: refused })}`;
}

function Delete({ user }: { user: User }) {
  const router = useRouter();
  const [isConfirming, setConfirming] = useState(false);
  const [password, setPassword] = useState("");
  const submit = async () => {
    const outcome = await deleteAccount(password);
    if ("error" in outcome) return outcome.error;
    const date = new Date(outcome.deleteAt).toLocaleDateString(documentLanguage(), { dateStyle: "long" });
    notify({ message: t("account.delete_done", { date }), type: "info" });
    // Signing out deletes the account's data from this browser.
    await router.navigate({ to: screenPath("logout", {}) });
    return undefined;
  };
  return (
    <div className="settings-line">
      <p>{t("account.delete_text")}</p>
      <Button variant="danger" onClick={() => setConfirming(true)}>
        {t("account.delete")}
      </Button>
      {isConfirming && (
        <FormDialog
          title={t("account.delete_title")}
          text={t("account.delete_text")}
          action={t("account.delete_confirm")}
          isDanger
          onSubmit={submit}
          onClose={() => setConfirming(false)}
        >
          {user.hasPassword && <CurrentPassword value={password} onValue={setPassword} />}
        </FormDialog>
      )}
    </div>
  );
}
