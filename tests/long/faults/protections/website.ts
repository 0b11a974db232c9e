import type { Protection } from "./protection.ts";

const HEADERS = "api/website/preview/site-headers.ts";
const SITES = "api/website/preview/sites.ts";
const PAGE = "api/website/preview/site-page.ts";
const MODULES = "api/website/build/site-modules.ts";
const STYLES = "api/website/build/site-styles.ts";
const BUILD = "api/website/build/build-child.ts";
const SOCKETS = "api/website/socket/attach-sockets.ts";
const SOCKET = "api/website/socket/open-socket.ts";
const RULES = "shared/website/rules.ts";

interface Wall {
  what: string;
  file: string;
  from: string;
  to: string;
  tests: string;
  title: string;
}

const SERVED = { tests: "tests/website/sites.test.ts", title: "a preview is built, served" };
const LIMITS = "tests/website/limits.test.ts";
const SOCKET_TESTS = "tests/website/socket.test.ts";
const VISITS = { tests: "tests/website/publish.test.ts", title: "are rate-limited by address" };
const IMPORTED = { tests: "tests/website/imports.test.ts" };

const walls: readonly Wall[] = [
  {
    what: "a site is sandboxed",
    file: HEADERS,
    from: '    "sandbox allow-scripts allow-forms allow-modals allow-downloads",\n',
    to: "",
    ...SERVED,
  },
  {
    what: "a site's origin is opaque",
    file: HEADERS,
    from: "allow-modals allow-downloads",
    to: "allow-modals allow-same-origin allow-downloads",
    ...SERVED,
  },
  {
    what: "only a site's own scripts run",
    file: HEADERS,
    from: "`script-src ${base}/ ${PRELUDE_SOURCE}`",
    to: '"script-src *"',
    ...SERVED,
  },
  { what: "it reaches no network", file: HEADERS, from: "`connect-src ${base}/`", to: '"connect-src *"', ...SERVED },
  {
    what: "a site cannot submit forms",
    file: HEADERS,
    from: '    "form-action \'none\'",\n    "base-uri \'none\'",\n    "frame-src \'none\'",\n    "worker-src',
    to: '    "base-uri \'none\'",\n    "frame-src \'none\'",\n    "worker-src',
    ...SERVED,
  },
  { what: "it frames nothing", file: HEADERS, from: "    \"frame-src 'none'\",\n", to: "", ...SERVED },
  {
    what: "the prelude is in the document",
    file: PAGE,
    from: "<script>${PRELUDE}</script>\n<meta",
    to: "<meta",
    ...SERVED,
  },
  {
    what: "the prelude is first in each script",
    file: PAGE,
    from: "body: withPrelude(text)",
    to: "body: withPrelude(text).slice(0, 0) + text",
    ...SERVED,
  },
  {
    what: "no script is served without the prelude",
    file: PAGE,
    from: 'type !== undefined && !name.endsWith(".js") && ',
    to: "type !== undefined && ",
    tests: SERVED.tests,
    title: "files of /public/",
  },
  {
    what: "a site opened in its own tab is framed",
    file: SITES,
    from: 'file === "" && isOpenedAsTab(request, query)',
    to: 'file === "" && isOpenedAsTab(request, query) && file !== ""',
    tests: SERVED.tests,
    title: "opened in its own tab",
  },
  {
    what: "a path names a file of the site",
    file: RULES,
    from: 'if (!path.startsWith("/") || path.length > 200 || !EXTENSIONS.test(path)) return false;',
    to: "if (path.length > 0) return true;",
    tests: SERVED.tests,
    title: "a path outside the site",
  },
  {
    what: "stylesheets come from the site",
    file: STYLES,
    from: 'const content = path.endsWith(".css") ? files.get(path) : undefined;',
    to: 'const content = path.endsWith(".css") ? (files.get(path) ?? readFileSync(path, "utf8")) : undefined;',
    ...IMPORTED,
    title: "load",
  },
  {
    what: "stylesheets load no plug-in",
    file: STYLES,
    from: "loadModule: (name) => refuse(`The plug-in ${JSON.stringify(name.slice(0, 120))}`),",
    to: "loadModule: async (name, base) => ({ path: name, base, module: ((await import(name)) as { default: never }).default }),",
    ...IMPORTED,
    title: "load",
  },
  {
    what: "nesting is measured before parsing",
    file: BUILD,
    from: "  if (tooDeep.length > 0) return { ok: false, faults: tooDeep };\n",
    to: "",
    tests: LIMITS,
    title: "a nesting bomb",
  },
  {
    what: "brackets in strings of JSON do not count",
    file: RULES,
    from: 'nestingOf(source.replaceAll(/"[^"\\\\\\n]*(?:\\\\.[^"\\\\\\n]*)*"/g, \'""\'))',
    to: "nestingOf(source)",
    tests: LIMITS,
    title: "brackets in a student's text",
  },
  {
    what: "a word that may be a class has a limit",
    file: STYLES,
    from: "    if (word.length > MAX_WORD_CHARS) continue;\n",
    to: "",
    tests: LIMITS,
    title: "brackets in a student's text",
  },
  {
    what: "a file has a limit",
    file: RULES,
    from: "fileBytes: 512 * 1024",
    to: "fileBytes: 512 * 1024 * 1024",
    tests: LIMITS,
    title: "10,000 files",
  },
  {
    what: "a socket from another origin is refused",
    file: SOCKETS,
    from: "  if (origin === undefined) return true;\n",
    to: "  if (origin !== host) return true;\n",
    tests: SOCKET_TESTS,
    title: "from another site's page",
  },
  {
    what: "handshakes are counted",
    file: SOCKETS,
    from: 'await limits.consume("anonymous", findAddress(request));',
    to: "findAddress(request);",
    tests: SOCKET_TESTS,
    title: "the number of handshakes",
  },
  {
    what: "an ended session ends its socket",
    file: SOCKET,
    from: "    await requireCaller(this.#deps, this.#request.token);\n    this.#deps.previews.touch",
    to: "    this.#deps.previews.touch",
    tests: SOCKET_TESTS,
    title: "closes a silent socket",
  },
  {
    what: "a thread belongs to the project",
    file: SOCKET,
    from: "if (!project || thread?.projectId !== projectId)",
    to: "if (!project)",
    tests: SOCKET_TESTS,
    title: "4003 for another account's project",
  },
  {
    what: "one message claims a project",
    file: "api/website/store.ts",
    from: "patch({ _id, messageJob: messageJob ?? null }, { set });",
    to: 'patch({ _id, ...(messageJob === "" ? { messageJob } : {}) }, { set });',
    tests: SOCKET_TESTS,
    title: "of two messages at once",
  },
  {
    what: "a path of a tool is checked",
    file: "api/website/agent/tools.ts",
    from: "  if (!isSitePath(path))\n    return failed(",
    to: '  if (path === "")\n    return failed(',
    tests: SOCKET_TESTS,
    title: "an outside path and a wrong edit",
  },
  {
    what: "only the student's words open sources",
    file: "api/website/agent/choose-sources.ts",
    from: '(message.role === "user" ? textOf(message) : [])',
    to: "textOf(message)",
    tests: "tests/website/agent.test.ts",
    title: "named only by the model",
  },
  {
    what: "changes that the student made meanwhile stay",
    file: "api/website/agent/files/merge-files.ts",
    from: "const files = new Map(present);",
    to: "const files = new Map(changed);",
    tests: "tests/website/agent.test.ts",
    title: "the student's changes during",
  },
  {
    what: "a restart does not repeat a stored change",
    file: "api/website/agent/message-job.ts",
    from: "if (isRepeated && (await hasChangedSite(run)))",
    to: 'if (isRepeated && (await hasChangedSite(run)) && run.input.text === "")',
    tests: "tests/website/restart.test.ts",
    title: "is not made again after the restart",
  },
  {
    what: "a silent model is abandoned",
    file: "api/website/agent/silence-timer.ts",
    from: "this.#abort.abort();",
    to: "void this.#abort;",
    tests: "tests/website/silence.test.ts",
    title: "a silent model ends",
  },
  {
    what: "visits to sites are counted",
    file: SITES,
    from: '    await this.#countRequest("web", request);\n',
    to: "",
    ...VISITS,
  },
  {
    what: "guessed addresses of sites are counted",
    file: SITES,
    from: '    await this.#countRequest("anonymous", request);\n',
    to: "",
    ...VISITS,
  },
  {
    what: "builds for visitors are counted",
    file: "api/sharing/published-sites.ts",
    from: "      await beforeBuild();\n",
    to: "",
    ...VISITS,
  },
  {
    what: "a build that one visitor's limit stopped is done for another visitor",
    file: "api/sharing/published-sites.ts",
    from: "if (hasStartedBuild || !isRefusal(error)) throw error;",
    to: "throw error;",
    tests: "tests/website/publish.test.ts",
    title: "limit stops a build",
  },
];

/** Protections that separate generated sites from everything else. */
export const website: readonly Protection[] = [
  ...walls.map(({ what, tests, title, ...edit }, at) => ({ id: `W${at + 1}`, what, edits: [edit], tests, title })),
  {
    id: "W-BUNDLER",
    what: "the bundler's modules come from the site alone: both hooks",
    edits: [
      {
        file: MODULES,
        from: 'if ("refused" in found) throw new Error(found.refused);',
        to: 'if ("refused" in found) return null;',
      },
      {
        file: MODULES,
        from: "if (path === undefined || text === undefined) throw new Error(`${quote(id)} is not a file of this site`);",
        to: "if (path === undefined || text === undefined) return null;",
      },
    ],
    ...IMPORTED,
    title: "a script cannot import",
  },
];
