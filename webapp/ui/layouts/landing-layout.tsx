import { Link, Outlet } from "@tanstack/react-router";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { readToken } from "#webapp/app/session/token.ts";
import "./landing-layout.css";

const SignInLinks = () => (
  <>
    <Link className="button button-quiet" to={screenPath("login", {})}>
      {t("marketing.sign_in")}
    </Link>
    <Link className="button button-secondary" to={screenPath("register", {})}>
      {t("marketing.start_studying")}
    </Link>
  </>
);

const HomeLink = () => (
  <Link className="button button-secondary" to={screenPath("home", {})}>
    {t("marketing.go_home")}
  </Link>
);

export function LandingLayout() {
  // Checks the token only, so that visitors do not load the session code.
  const isSignedIn = readToken() !== undefined;
  return (
    <>
      <header className="landing-header">
        <Link className="wordmark" to={screenPath("landing", {})}>
          {t("common.product")}
        </Link>
        <nav className="landing-nav" aria-label={t("marketing.nav")}>
          {isSignedIn ? <HomeLink /> : <SignInLinks />}
        </nav>
      </header>
      <main>
        <Outlet />
      </main>
      <footer className="landing-footer">
        {t("marketing.footer")} <Link to={screenPath("pricing", {})}>{t("marketing.pricing")}</Link>
      </footer>
    </>
  );
}
