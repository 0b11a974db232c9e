import { Link, Outlet } from "@tanstack/react-router";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { FramedContext } from "./framed-context.ts";
import "./centered-layout.css";

export function CenteredLayout() {
  return (
    <div className="centered">
      <header className="centered-header">
        <Link className="wordmark" to={screenPath("landing", {})}>
          {t("common.product")}
        </Link>
      </header>
      <main className="centered-main">
        <FramedContext value>
          <Outlet />
        </FramedContext>
      </main>
    </div>
  );
}
