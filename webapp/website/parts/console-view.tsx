import { t } from "#shared/messages/translate.ts";
import type { BuildFault } from "#shared/website/schema.ts";
import type { ConsoleLine } from "./preview-reports.ts";

/** The errors for which the latest state does not build. */
export function FaultList({ faults, hasPreview }: { faults: readonly BuildFault[]; hasPreview: boolean }) {
  if (faults.length === 0) return null;
  return (
    <div className="website-faults" role="alert">
      <p>
        <strong>{t("website.faults_title")}</strong> {hasPreview && t("website.faults_text")}
      </p>
      <ul>
        {faults.map(({ message, path, line }, index) => (
          <li key={index}>
            {path !== null && line !== null && <code>{t("website.fault_at", { path, line })}</code>} {message}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Errors that the site reported while it ran. */
export function ConsoleView({ lines }: { lines: readonly ConsoleLine[] }) {
  return (
    <details className="website-console">
      <summary>
        {t("website.console")}{" "}
        <span data-errors={lines.length > 0}>
          {lines.length === 0 ? t("website.console_empty") : t("website.console_errors", { count: lines.length })}
        </span>
      </summary>
      {lines.length > 0 && (
        <ul>
          {lines.map(({ type, text }, index) => (
            <li key={index}>
              <code>{type === "blocked" ? t("website.console_blocked", { text }) : text}</code>
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}
