import type { ReactNode } from "react";
import { screenPath, type ScreenName } from "#shared/screens.ts";
import { siteWords, type SiteLanguage, type SitePage, type SiteWords } from "./pages.ts";

interface SiteFrameProps {
  page: SitePage;
  children: ReactNode;
}

const isCurrent = (page: SitePage, path: string) =>
  page.path === path ? "page" : page.path.startsWith(`${path}/`) ? "true" : undefined;

/** Header, content and footer of every public page. */
export function SiteFrame({ page, children }: SiteFrameProps) {
  const words = siteWords[page.language];
  return (
    <>
      <a className="site-skip" href="#content">
        {words.skip}
      </a>
      <Header page={page} words={words} />
      <main id="content">{children}</main>
      <Footer page={page} words={words} />
    </>
  );
}

const headerLinks = (words: SiteWords): readonly (readonly [label: string, path: string])[] => [
  [words.features, screenPath("features", {})],
  [words.tools, screenPath("tools", {})],
  [words.explore, screenPath("explore", {})],
  [words.pricing, screenPath("pricing", {})],
  [words.help, screenPath("help", {})],
];

function Header({ page, words }: { page: SitePage; words: SiteWords }) {
  const links = headerLinks(words).map(([label, path]) => (
    <li key={path}>
      <a href={path} aria-current={isCurrent(page, path)}>
        {label}
      </a>
    </li>
  ));
  return (
    <header className="site-header">
      <a className="wordmark" href="/">
        {words.product}
      </a>
      <nav className="site-nav" aria-label={words.nav}>
        <ul role="list">{links}</ul>
      </nav>
      <div className="site-actions">
        <a className="button button-quiet for-guests" href={screenPath("login", {})}>
          {words.sign_in}
        </a>
        <a className="button button-secondary for-guests" href={screenPath("register", {})}>
          {words.start}
        </a>
        <a className="button button-secondary for-members" href={screenPath("home", {})}>
          {words.workspace}
        </a>
      </div>
      <details className="site-menu">
        <summary className="button button-quiet">{words.menu}</summary>
        <nav aria-label={words.menu}>
          <ul role="list">
            {links}
            <li className="for-guests">
              <a href={screenPath("login", {})}>{words.sign_in}</a>
            </li>
          </ul>
        </nav>
      </details>
    </header>
  );
}

const footerGroups = (words: SiteWords): readonly (readonly [string, readonly (readonly [string, ScreenName])[]])[] => [
  [
    words.footer_product,
    [
      [words.features, "features"],
      [words.tools, "tools"],
      [words.study_ai, "aiStudy"],
      [words.explore, "explore"],
      [words.pricing, "pricing"],
    ],
  ],
  [
    words.footer_learn,
    [
      [words.help, "help"],
      [words.faq, "faq"],
      [words.blog, "blog"],
      [words.changelog, "changelog"],
    ],
  ],
  [
    words.footer_about,
    [
      [words.terms, "terms"],
      [words.privacy, "privacy"],
      [words.refunds, "refundPolicy"],
    ],
  ],
];

/** Links to the operator's community. The server fills in the addresses, and removes links without an address. */
const communityLinks = (words: SiteWords) =>
  (["CHAT", "FORUM"] as const)
    .map((name) => {
      const label = name === "CHAT" ? words.chat : words.forum;
      const link = `<li><a href="{{COMMUNITY_${name}_URL}}" rel="noopener">${label}</a></li>`;
      return `<!--if COMMUNITY_${name}_URL-->${link}<!--/if-->`;
    })
    .join("");

function Footer({ page, words }: { page: SitePage; words: SiteWords }) {
  const other: SiteLanguage = page.language === "en" ? "de" : "en";
  return (
    <footer className="site-footer">
      <nav aria-label={words.footer}>
        {footerGroups(words).map(([title, links]) => (
          <div key={title}>
            <h2>{title}</h2>
            <ul role="list">
              {links.map(([label, name]) => (
                <li key={name}>
                  <a href={screenPath(name, {})}>{label}</a>
                </li>
              ))}
            </ul>
          </div>
        ))}
        <ul role="list" className="site-community" dangerouslySetInnerHTML={{ __html: communityLinks(words) }} />
      </nav>
      <p>
        {words.licence}{" "}
        <a href={`?lang=${other}`} hrefLang={other} lang={other} rel="alternate">
          {words.language}
        </a>
      </p>
    </footer>
  );
}
