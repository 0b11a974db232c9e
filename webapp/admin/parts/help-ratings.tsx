import { useCallback } from "react";
import { t } from "#shared/messages/translate.ts";
import { client } from "#webapp/app/client.ts";
import { useAsyncValue } from "#webapp/app/hooks/use-async-value.ts";

/** How often help articles helped; nothing until somebody has answered. */
export function HelpRatings() {
  const read = useCallback(async () => (await client.feedback.listHelpRatings({})).ratings, []);
  const { answer } = useAsyncValue(read);
  if (answer.state !== "ready" || answer.value.length === 0) return null;
  return (
    <section className="admin-section">
      <h2>{t("admin.ratings_title")}</h2>
      <div className="admin-table-frame" role="group" tabIndex={0} aria-label={t("admin.ratings_title")}>
        <table className="admin-table">
          <thead>
            <tr>
              <th scope="col">{t("admin.ratings_article")}</th>
              <th scope="col">{t("admin.ratings_yes")}</th>
              <th scope="col">{t("admin.ratings_no")}</th>
            </tr>
          </thead>
          <tbody>
            {answer.value.map(({ path, yes, no }) => (
              <tr key={path}>
                <th scope="row">
                  <a href={path}>{path}</a>
                </th>
                <td>{yes}</td>
                <td>{no}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
