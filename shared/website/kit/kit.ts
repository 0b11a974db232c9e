// The packages that every site shares, built once into `dist/site-kit`. The bundle of a site refers to them by these
// names (`KIT_GLOBALS` in `api/website/build/build-messages.ts`).
import katexModule from "katex";
import * as React from "react";
import * as jsxRuntime from "react/jsx-runtime";
import * as ReactDom from "react-dom/client";
import * as tsFsrs from "ts-fsrs";
import { Cite, Words } from "./cite.tsx";
import { Flashcards } from "./flashcards.tsx";
import { Glossary, Pages, Search, Sources, Summary, Timeline } from "./lists.tsx";
import { useProgress } from "./progress.ts";
import { SiteQuiz } from "./quiz.tsx";
import { renderSite, SectionView, Site } from "./site.tsx";

export const kit = {
  Cite,
  Flashcards,
  Glossary,
  Pages,
  Quiz: SiteQuiz,
  renderSite,
  Search,
  Section: SectionView,
  Site,
  Sources,
  Summary,
  Timeline,
  useProgress,
  Words,
};
// `default` serves both `import React from "react"` and `import * as React from "react"`.
export const react = { ...React, default: React };
export const reactDom = { ...ReactDom, default: ReactDom };
export const fsrs = { ...tsFsrs, default: tsFsrs };
export const katex = Object.assign(katexModule, { default: katexModule });
export { jsxRuntime };
