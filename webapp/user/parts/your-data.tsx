import { useRouter } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { languageHere } from "#shared/messages/language.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import type { ImportReport, User } from "#shared/user/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { notify } from "#webapp/app/alerts.ts";
import { loadContent } from "#webapp/library/content.ts";
import { openOverlay } from "#webapp/app/overlays.ts";
import { bringIn, deleteAccount, downloadCollection, downloadEverything, downloadNotes } from "../account-state.ts";
import { AskingDialog } from "./asking-dialog.tsx";
import { CurrentPassword } from "./sign-in.tsx";

const newCollection = () => downloadCollection("new");
const oldCollection = () => downloadCollection("old");

export function YourData({ user }: { user: User }) {
  return (
    <>
      <Export text={t("account.export_text")} label={t("account.export")} pack={downloadEverything} />
      <Export text={t("account.export_notes_text")} label={t("account.export_notes")} pack={downloadNotes} />
      <Export text={t("account.export_decks_text")} label={t("account.export_decks")} pack={newCollection} />
      <Export text={t("account.export_decks_old_text")} label={t("account.export_decks_old")} pack={oldCollection} />
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
  pack: () => Promise<void>;
}

function Export({ text, label, pack }: ExportProps) {
  const [isPacking, setPacking] = useState(false);
  const run = async () => {
    setPacking(true);
    await pack();
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
  const [report, setReport] = useState<ImportReport>();
  const read = async (file: File | undefined) => {
    if (!file) return;
    setReading(true);
    const done = await bringIn(file);
    setReport(done);
    setReading(false);
    if (done) await loadContent();
  };
  return (
    <div className="settings-line">
      <p role="status">{report ? saidOf(report) : t("account.import_text")}</p>
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

function saidOf({ documents, files, refused }: ImportReport): string {
  const came = documents === 0 ? t("account.import_already") : t("account.import_done", { documents, count: files });
  return refused === 0 ? came : `${came} ${t("account.import_refused", { count: refused })}`;
}

function Delete({ user }: { user: User }) {
  const router = useRouter();
  const [isAsking, setAsking] = useState(false);
  const [password, setPassword] = useState("");
  const submit = async () => {
    const outcome = await deleteAccount(password);
    if ("fault" in outcome) return outcome.fault;
    const date = new Date(outcome.deleteAt).toLocaleDateString(languageHere(), { dateStyle: "long" });
    notify({ message: t("account.delete_done", { date }), type: "info" });
    // Signing out deletes the account's data from this browser.
    await router.navigate({ to: screenPath("logout", {}) });
    return undefined;
  };
  return (
    <div className="settings-line">
      <p>{t("account.delete_text")}</p>
      <Button variant="danger" onClick={() => setAsking(true)}>
        {t("account.delete")}
      </Button>
      {isAsking && (
        <AskingDialog
          title={t("account.delete_title")}
          text={t("account.delete_text")}
          action={t("account.delete_confirm")}
          isDanger
          onSubmit={submit}
          onClose={() => setAsking(false)}
        >
          {user.hasPassword && <CurrentPassword value={password} onValue={setPassword} />}
        </AskingDialog>
      )}
    </div>
  );
}
