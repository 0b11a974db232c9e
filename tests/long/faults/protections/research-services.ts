import type { Protection } from "./protection.ts";

const WEB = "tests/research/web-session.test.ts";
const ADAPTERS = "tests/research/search-adapters.test.ts";
const PROTECTIONS = "tests/research/protections.test.ts";
const politeFetch = "api/research/search/polite-fetch.ts";

/** Protections of search services, and of a session from the pages that they name. */
export const researchServices: readonly Protection[] = [
  {
    id: "RS31",
    what: "requests that wait for a slot are not sent once the host has asked to wait",
    edits: [
      {
        file: politeFetch,
        from: "        this.#refusePaused(host);\n        return this.#fetch",
        to: "        return this.#fetch",
      },
    ],
    tests: PROTECTIONS,
    title: "wait for their turn",
  },
  {
    id: "RS32",
    what: "a service with a minimum interval is not asked earlier",
    edits: [{ file: politeFetch, from: "if (intervalMs === 0) return;", to: "if (intervalMs >= 0) return;" }],
    tests: PROTECTIONS,
    title: "one request in seven seconds",
  },
  {
    id: "RS33",
    what: "an error of Wikipedia is not mistaken for an empty result",
    edits: [
      {
        file: "api/research/search/wikipedia.ts",
        from: "if (!failed.success) return readAnswer(schema, answer);",
        to: "if (!failed.success || answer !== null) return readAnswer(schema, answer);",
      },
    ],
    tests: ADAPTERS,
    title: "Wikipedia's error",
  },
  {
    id: "RS34",
    what: "an error of arXiv is not mistaken for a paper",
    edits: [
      { file: "api/research/search/paper-adapters.ts", from: 'if (id.includes("/api/errors")) return [];', to: "" },
    ],
    tests: ADAPTERS,
    title: "is not a paper",
  },
  {
    id: "RS35",
    what: "a key is not sent where its service redirects",
    edits: [
      {
        file: "api/outside/fetch-outside.ts",
        from: '"user-agent"]);',
        to: '"user-agent", "x-api-key", "x-subscription-token"]);',
      },
    ],
    tests: ADAPTERS,
    title: "goes to its service only",
  },
  {
    id: "RS36",
    what: "only web addresses of a result list are opened",
    edits: [
      {
        file: "api/research/run/search-web.ts",
        from: "if (!parsed || !/^https?:$/.test(parsed.protocol)) return undefined;",
        to: "if (!parsed) return undefined;",
      },
    ],
    tests: WEB,
    title: "name no web address",
  },
  {
    id: "RS37",
    what: "a page is decoded with the encoding that it names",
    edits: [
      {
        file: "api/research/search/read-page.ts",
        from: 'const text = kind === "pdf" ? bytes : toUtf8(response.header("content-type") ?? "", bytes);',
        to: "const text = (void toUtf8, bytes);",
      },
    ],
    tests: WEB,
    title: "other encodings",
  },
  {
    id: "RS38",
    what: "a service that asked to wait is named once in a run",
    edits: [
      {
        file: "api/research/run/search-web.ts",
        from: "return isShown && searchServicesOf(deps).isPaused(name);",
        to: 'return isShown && searchServicesOf(deps).isPaused(name) && name === "library";',
      },
    ],
    tests: WEB,
    title: "services that answer",
  },
  {
    id: "RS48",
    what: "a run whose screen was left is announced after a reload",
    edits: [{ file: "webapp/routes/deferred-overlays.tsx", from: "  useWatchedResearch(accountId);\n", to: "" }],
    tests: "tests/research/screen/session-screen.test.tsx",
    title: "reloaded while",
  },
  {
    id: "RS49",
    what: "texts of research are in the copy of unsaved changes",
    edits: [
      {
        file: "webapp/offline/unsaved-changes.ts",
        from: "exportUnsaved({ research: store.get(unsavedResearchTextsAtom) })",
        to: "exportUnsaved({ research: store.get(unsavedResearchTextsAtom).slice(0, 0) })",
      },
    ],
    tests: "tests/research/screen/own-texts.test.tsx",
    title: "offers a copy",
  },
  {
    id: "RS50",
    what: "a watched run is watched again after its account has signed in again",
    edits: [{ file: "webapp/research/watch-run.ts", from: "  watched.clear();\n", to: "" }],
    tests: "tests/research/screen/session-screen.test.tsx",
    title: "signed out and in again",
  },
  {
    id: "RS51",
    what: "prose under a heading such as “References” is searched",
    edits: [
      {
        file: "shared/research/evidence/bibliographies.ts",
        from: "return entries > 0 || !isProse(all);",
        to: "return entries > 0 || isProse(all) || !isProse(all);",
      },
    ],
    tests: "tests/research/answers.test.ts",
    title: "is a list of works",
  },
  {
    id: "RS52",
    what: "a request before a question is researched",
    edits: [
      {
        file: "shared/research/plan/decompose.ts",
        from: " || REQUEST.test(sentence);",
        to: " || (void REQUEST, false);",
      },
    ],
    tests: "tests/research/answers.test.ts",
    title: "a request without a question mark",
  },
];
