import { Link, Outlet } from "@tanstack/react-router";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import "./landing-layout.css";

export function LandingLayout() {
  return (
    <>
      <header className="landing-header">
        <Link className="wordmark" to={screenPath("landing", {})}>
          {t("common.product")}
        </Link>
        <nav className="landing-nav" aria-label={t("marketing.nav")}>
          <Link className="button button-quiet" to={screenPath("login", {})}>
            {t("marketing.sign_in")}
          </Link>
          <Link className="button button-secondary" to={screenPath("register", {})}>
            {t("marketing.start_studying")}
          </Link>
        </nav>
      </header>
      <main>
        <Outlet />
      </main>
      <footer className="landing-footer">{t("marketing.footer")}</footer>
    </>
  );
}
