// Used by `api.bench.ts` to compare without storage: our server, or bare Koa, serving one page from memory.
//   argv: "ours" | "bare", database file, token hash, page id, an empty folder
import { createServer, type Server } from "node:http";
import { DatabaseSync } from "node:sqlite";
import Koa from "koa";
import { createApp } from "#api/app.ts";
import { assemble } from "#api/assemble.ts";
import { systemClock } from "#api/clock.ts";
import { createLog } from "#api/log.ts";
import { readSettings } from "#api/settings.ts";
import type { Collection, CollectionSpec, Doc, DocumentStore } from "#api/store/port.ts";

const [variant = "", file = "", tokenId = "", pageId = "", folder = ""] = process.argv.slice(2);

function readDocs() {
  const db = new DatabaseSync(file, { readOnly: true });
  const docs = (table: string, where: string, value: string) =>
    db
      .prepare(`SELECT doc FROM "${table}" WHERE ${where} = ?`)
      .all(value)
      .map((row) => JSON.parse((row as { doc: string }).doc) as Doc);
  const [token] = docs("tokens", "_id", tokenId);
  const { userId, session: sessionId } = token as unknown as { userId: string; session: string };
  const [session] = docs("sessions", "_id", sessionId);
  const [user] = docs("users", "_id", userId);
  const [page] = docs("pages", "_id", pageId);
  const components = docs("components", "json_extract(doc, '$.pageId')", pageId);
  db.close();
  return { token, session, user, page, components };
}

const { token, session, user, page, components } = readDocs();
const singleDocs: Record<string, Doc | undefined> = { tokens: token, sessions: session, users: user, pages: page };
const docLists: Record<string, readonly Doc[]> = { components };

/** Returns the documents of one page for every query. */
function stubStore(store: DocumentStore): DocumentStore {
  const collection = <T extends Doc>(spec: CollectionSpec<T>): Collection<T> => {
    const real = store.collection(spec);
    if (!singleDocs[spec.name] && !docLists[spec.name]) return real;
    return Object.assign(Object.create(real) as Collection<T>, {
      get: async () => singleDocs[spec.name] as T,
      find: async () => (docLists[spec.name] ?? []) as T[],
      count: async () => docLists[spec.name]?.length ?? 0,
    });
  };
  return {
    kind: store.kind,
    collection,
    checkHealth: () => store.checkHealth(),
    close: () => store.close(),
    removeOwned: () => Promise.resolve(0),
  };
}

async function startOurs(): Promise<Server> {
  const env = { NODE_ENV: "production", LOG_LEVEL: "error", RATE_LIMIT_FACTOR: "1000000", DATA_DIR: folder };
  const settings = readSettings(env);
  const { deps } = await assemble(settings, { clock: systemClock, log: createLog(settings.LOG_LEVEL) });
  return createApp({ deps: { ...deps, store: stubStore(deps.store) } });
}

function startBare(): Server {
  const app = new Koa();
  app.use((koa) => {
    koa.body = { page, children: [], components };
  });
  const handle = app.callback();
  return createServer((request, response) => void handle(request, response));
}

const server = variant === "ours" ? await startOurs() : startBare();
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.stdout.write(`${typeof address === "object" && address ? address.port : ""}\n`);
});
