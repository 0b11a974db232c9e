import { Link, Outlet, useLocation } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { documentLanguage, languages } from "#shared/messages/language.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { forgetLanguage } from "#webapp/app/browser/language.ts";
import { readToken } from "#webapp/app/session/token.ts";
import { FramedContext } from "./framed-context.ts";
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

/** The public pages are separate documents, so these links leave the app. */
const pages = [
  ["features", t("marketing.features")],
  ["tools", t("marketing.tools")],
  ["explore", t("marketing.explore")],
  ["pricing", t("marketing.pricing")],
  ["help", t("marketing.help")],
  ["terms", t("marketing.terms")],
  ["privacy", t("marketing.privacy")],
] as const;
/** The header has only the first links, as on the public pages. */
const HEADER_PAGES = 5;

const PageLinks = ({ links }: { links: readonly (typeof pages)[number][] }) => (
  <ul role="list">
    {links.map(([name, label]) => (
      <li key={name}>
        <a href={screenPath(name, {})}>{label}</a>
      </li>
    ))}
  </ul>
);

/** Opens the same address in the other language, as on the public pages. Accounts have a setting. */
function LanguageLink() {
  const other = documentLanguage() === "de" ? "en" : "de";
  const query = new URLSearchParams(useLocation().searchStr);
  query.set("lang", other);
  return (
    <a href={`?${query.toString()}`} hrefLang={other} lang={other} rel="alternate" onClick={forgetLanguage}>
      {languages[other]}
    </a>
  );
}

export const LandingLayout = () => (
  <LandingFrame>
    <Outlet />
  </LandingFrame>
);

/** Header and footer for visitors. */
export function LandingFrame({ children }: { children: ReactNode }) {
  // Checks the token only, so that visitors do not load the session code.
  const isSignedIn = readToken() !== undefined;
  return (
    <>
      <header className="landing-header">
        <Link className="wordmark" to={screenPath("landing", {})}>
          {t("common.product")}
        </Link>
        <nav className="landing-nav" aria-label={t("marketing.nav")}>
          <PageLinks links={pages.slice(0, HEADER_PAGES)} />
          {isSignedIn ? <HomeLink /> : <SignInLinks />}
        </nav>
      </header>
      <main>
        <FramedContext value>{children}</FramedContext>
      </main>
      <footer className="landing-footer">
        <nav aria-label={t("marketing.more")}>
          <PageLinks links={pages} />
        </nav>
        <p>
          {t("marketing.footer")} {!isSignedIn && <LanguageLink />}
        </p>
      </footer>
    </>
  );
}
