import type { Protection } from "./protection.ts";

const SESSIONS = "tests/auth/sessions.test.ts";
const EXTENSION = "tests/connections/extension.test.ts";
const authenticate = "api/http/authenticate.ts";

/** Protections of accounts, sessions and tokens. */
export const accounts: readonly Protection[] = [
  {
    id: "F1",
    what: "a temporary token works only as long as its session",
    edits: [
      {
        file: authenticate,
        from: "    findSession(deps.store, token.session),",
        to: `    findSession(deps.store, token.session).then(
      (found) => found ?? (token.kind === "temp" ? ({ ...token, _id: token.session } as never as SessionDoc) : undefined),
    ),`,
      },
      {
        file: "api/http/sessions/end-sessions.ts",
        from: "  await removeTokensOfSession(store, id);\n",
        to: "",
      },
      { file: "api/http/sessions/end-sessions.ts", from: "  await removeTokensOfUser(store, userId);\n", to: "" },
    ],
    tests: SESSIONS,
    title: "after",
  },
  {
    id: "F1b",
    what: "an open stream checks again whether its session still exists",
    edits: [
      {
        file: "api/http/guard-stream.ts",
        from: "      if (!(await findActiveSession(store, caller.sessionId, clock.now()))) return;\n",
        to: "",
      },
    ],
    tests: SESSIONS,
    title: "an open stream ends",
  },
  {
    id: "F2",
    what: "an approval is used up by the first poll",
    edits: [
      {
        file: "api/connections/extension-store.ts",
        from: '{ set: { state: "spent" } }',
        to: '{ set: { state: "allowed" } }',
      },
    ],
    tests: EXTENSION,
  },
  {
    id: "F2b",
    what: "every revocation ends pending approvals",
    edits: [
      {
        file: "api/connections/extension.ts",
        from: "if (!user || (user.revocations ?? 0) !== request.revocations)",
        to: "if (!user)",
      },
    ],
    tests: EXTENSION,
    title: "wasn't collected",
  },
  {
    id: "F4",
    what: "a public address needs a choice of who may register",
    edits: [
      {
        file: "api/settings.ts",
        from: "  return TRUST_PROXY > 0 ? `TRUST_PROXY (${TRUST_PROXY})` : undefined;",
        to: "  return undefined;",
      },
    ],
    tests: "tests/house/start.test.ts",
    title: "publicly reachable",
  },
  {
    id: "F4b",
    what: "only a server for this machine makes its first account an administrator",
    edits: [
      {
        file: "api/auth/accounts.ts",
        from: "if (isLocalOnly(ctx.settings) && (await",
        to: "if ((await",
      },
    ],
    tests: "tests/auth/api.test.ts",
    title: "other computers can reach",
  },
  {
    id: "F5",
    what: "only the addresses that proxies appended are believed",
    edits: [{ file: "api/app.ts", from: "  app.maxIpsCount = deps.settings.TRUST_PROXY;\n", to: "" }],
    tests: "tests/admin/api.test.ts",
    title: "forged client addresses",
  },
  {
    id: "F5b",
    what: "all addresses of one IPv6 subscriber count as one",
    edits: [{ file: "api/http/rate-limits.ts", from: 'if (!caller.includes(":") || ', to: "if (caller || " }],
    tests: "tests/admin/api.test.ts",
    title: "IPv6 subscriber",
  },
  {
    id: "F6",
    what: "a replaced token works for reads only",
    edits: [
      {
        file: "api/http/mount.ts",
        from: 'if (caller.readOnlyUntil !== null && row.method !== "GET")',
        to: "if (false)",
      },
    ],
    tests: SESSIONS,
    title: "valid for reads",
  },
  {
    id: "F10",
    what: "removing an extension ends its session",
    edits: [
      {
        file: "api/connections/extension.ts",
        from: "    await endSession(store, own.ownerId, extension.sessionId);\n",
        to: "",
      },
    ],
    tests: EXTENSION,
    title: "removed extension|disconnecting",
  },
  {
    id: "F11",
    what: "a sign-in is counted before its password is checked",
    edits: [
      {
        file: "api/auth/handlers.ts",
        from: "    const attempts = await countSignIn(ctx.store, key, now);\n",
        to: "    let attempts = 0;\n",
      },
      {
        file: "api/auth/handlers.ts",
        from: "      if (user && attempts === MAX_FAILURES) notifyLockout(ctx, user);\n",
        to: "      attempts = await countSignIn(ctx.store, key, now);\n",
      },
    ],
    tests: "tests/auth/api.test.ts",
    title: "concurrent guesses",
  },
  {
    id: "F12",
    what: "metrics and health details are for the operator",
    edits: [
      {
        file: "api/admin/operator.ts",
        from: "isLocalOnly(settings) && FORWARDING_HEADERS.every((name) => ctx.header(name) === undefined)",
        to: "true",
      },
    ],
    tests: "tests/admin/api.test.ts",
    title: "this machine only",
  },
  {
    id: "F14",
    what: "an extension's token opens only the endpoints on its list",
    edits: [{ file: "api/http/mount.ts", from: "if (caller.isExtension && !row.forExtension)", to: "if (false)" }],
    tests: "tests/connections/extension-rights.test.ts",
    title: "on the list",
  },
  {
    id: "F15",
    what: "a media address ends with its session",
    edits: [
      {
        file: "api/http/file-tickets.ts",
        from: " || !(await findActiveSession(store, sessionId, now))",
        to: "",
      },
    ],
    tests: SESSIONS,
    title: "after",
  },
  {
    id: "F16",
    what: "an answer with a token is not stored",
    edits: [{ file: "api/http/mount.ts", from: 'if (row.noStore) koa.set("cache-control", "no-store");', to: "" }],
    tests: "tests/http/no-store.test.ts",
  },
  {
    id: "OWNER",
    what: "a document is read by its owner only",
    edits: [{ file: "api/store/owned-store.ts", from: "doc?.ownerId === ownerId ? doc : undefined", to: "doc" }],
    tests: "tests/house/refusals.test.ts",
  },
  {
    id: "F13",
    what: "a copy under another account's id is refused",
    edits: [
      { file: "api/pages/create/copy-page.ts", from: "  await refuseForeignPageId(to, copyId);\n", to: "" },
      {
        file: "api/pages/create/copy-page.ts",
        from: "    await componentsOf(to).remove({ pageId: copyId });\n",
        to: "",
      },
    ],
    tests: "tests/pages/taken-ids.test.ts",
  },
];
