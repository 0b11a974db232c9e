import type { Protection } from "./protection.ts";

/** Protections against hostile content and excessive use. */
export const bounds: readonly Protection[] = [
  {
    id: "F3",
    what: "link previews and screens are rate-limited",
    edits: [
      {
        file: "api/app.ts",
        from: '    await limits.consume(isShareLink(koa.path) ? "anonymous" : "web", koa.ip);\n',
        to: "",
      },
    ],
    tests: "tests/sharing/bounded.test.ts",
    title: "are rate-limited",
  },
  {
    id: "F3b",
    what: "a preview stops reading at 300 characters",
    edits: [{ file: "api/sharing/excerpt.ts", from: "      if (text.length === MAX_READ_CHARS) break;\n", to: "" }],
    tests: "tests/sharing/bounded.test.ts",
    title: "reads one long text",
  },
  {
    id: "F3c",
    what: "previews are cached by version",
    edits: [
      {
        file: "api/sharing/excerpt.ts",
        from: "texts.get(cacheKey(share), version,",
        to: "texts.get(cacheKey(share), String(Math.random()),",
      },
    ],
    tests: "tests/sharing/bounded.test.ts",
    title: "reads one long text",
  },
  {
    id: "MARKDOWN",
    what: "a long list is parsed in parts, and a heading is searched for in a limited number of characters",
    edits: [
      {
        file: "shared/pages/bounded-lexer.ts",
        from: "return super.list(cutAtItem(src));",
        to: "return super.list(src);",
      },
      {
        file: "shared/pages/bounded-lexer.ts",
        from: "return super.lheading(src.slice(0, end));",
        to: "return super.lheading(src);",
      },
    ],
    tests: "tests/long/reading/pathological-markdown.test.ts",
    title: "on the lines of a list item",
  },
  {
    id: "SOCKETS",
    what: "a handshake counts for the client's address, not the proxy's",
    edits: [
      {
        file: "api/website/socket/attach-sockets.ts",
        from: "findAddress(request)",
        to: 'request.socket.remoteAddress ?? ""',
      },
    ],
    tests: "tests/website/socket.test.ts",
    title: "behind proxies",
  },
  {
    id: "F3d",
    what: "a part of a shared page has a limited size",
    edits: [{ file: "api/sharing/shared-part.ts", from: "const MAX_CHARS = 500_000;", to: "const MAX_CHARS = 1e12;" }],
    tests: "tests/sharing/bounded.test.ts",
    title: "few components",
  },
  {
    id: "F3e",
    what: "guessed tokens are counted by address",
    edits: [{ file: "api/http/mount.ts", from: '    await options.limits.consume("ordinary", koa.ip);\n', to: "" }],
    tests: "tests/sharing/bounded.test.ts",
    title: "token guesses",
  },
  {
    id: "F7",
    what: "the shape of a body is checked before it is parsed",
    edits: [{ file: "api/http/json-body.ts", from: "  checkJsonShape(bytes);\n", to: "" }],
    tests: "tests/http/json-shape.test.ts",
  },
  {
    id: "F8",
    what: "media are served from our own addresses",
    edits: [
      {
        file: "shared/pages/file-address.ts",
        from: "export function withOwnAddresses<T extends FileContent>(content: T): T {\n",
        to: "export function withOwnAddresses<T extends FileContent>(content: T): T {\n  if (content) return content;\n",
      },
    ],
    tests: "tests/pages/foreign-media.test.ts",
  },
  {
    id: "F9",
    what: "storage is counted in one step with its limit",
    edits: [
      {
        file: "api/blobs/storage-quota.ts",
        from: "{ _id: own.ownerId, usedBytes: { lte: limit - bytes } }",
        to: "{ _id: own.ownerId }",
      },
    ],
    tests: "tests/user/storage.test.ts",
    title: "concurrent uploads",
  },
  {
    id: "F9b",
    what: "no file is accepted while the disk is nearly full",
    edits: [
      {
        file: "api/blobs/storage-quota.ts",
        from: "if (free !== undefined && free < settings.FREE_DISK_FLOOR_GB * GIGABYTE)",
        to: "if (false)",
      },
    ],
    tests: "tests/user/storage.test.ts",
    title: "nearly full",
  },
  {
    id: "F17",
    what: "long answers are serialised in chunks",
    edits: [{ file: "api/http/paced-json.ts", from: "    if (pacer.isOver()) await pacer.nextTurn();\n", to: "" }],
    tests: "tests/http/paced-json.test.ts",
  },
  {
    id: "F17b",
    what: "long pages and exports are read in chunks",
    edits: [
      { file: "api/store/read-in-slices.ts", from: "      if (pacer.isOver()) await pacer.nextTurn();\n", to: "" },
    ],
    tests: "tests/store/read-in-slices.test.ts",
  },
  {
    id: "F18",
    what: "zod compiles no code in the browser",
    edits: [{ file: "webapp/build/zod-without-eval.ts", from: "{ jitless: true }", to: "{}" }],
    tests: "tests/http/zod-without-eval.test.ts",
  },
  {
    id: "FRAMES",
    what: "no other site may frame a page",
    edits: [
      {
        file: "api/http/responses.ts",
        from: "img-src data:; frame-ancestors 'none'; sandbox",
        to: "img-src data:; sandbox",
      },
    ],
    tests: "tests/http/framing.test.ts",
  },
  {
    id: "REBIND",
    what: "a host name that became private is refused when it is resolved again",
    edits: [
      {
        file: "api/outside/checked-connection.ts",
        from: "const isAddressAllowed = (address: string) => check.isAllowed || isPublicAddress(address);",
        to: "const isAddressAllowed = (_address: string) => true;",
      },
    ],
    tests: "tests/outside/https.test.ts",
  },
];
