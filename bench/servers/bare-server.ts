// The minimal baseline for `api.bench.ts`: Koa, one route, and the reads that the real call needs.
//   argv: database file, token hash
import { createServer } from "node:http";
import { DatabaseSync } from "node:sqlite";
import Koa from "koa";

const [file = "", tokenId = ""] = process.argv.slice(2);
const db = new DatabaseSync(file, { readOnly: true });
const prepareById = (table: string) => db.prepare(`SELECT doc FROM "${table}" WHERE _id = ?`);
const token = prepareById("tokens");
const session = prepareById("sessions");
const user = prepareById("users");
const page = prepareById("pages");
const ownerCondition = "json_extract(doc, '$.ownerId') = ?";
const componentsQuery = db.prepare(
  `SELECT doc FROM components WHERE ${ownerCondition} AND json_extract(doc, '$.pageId') = ?`,
);
const childrenQuery = db.prepare(`SELECT doc FROM pages WHERE ${ownerCondition} AND json_extract(doc, '$.parent') = ?`);

const parseDoc = (row: unknown) => JSON.parse((row as { doc: string }).doc) as Record<string, unknown>;

function read(id: string): unknown {
  const { userId, session: sessionId } = parseDoc(token.get(tokenId)) as { userId: string; session: string };
  parseDoc(session.get(sessionId));
  parseDoc(user.get(userId));
  const children = childrenQuery.all(userId, id).map(parseDoc);
  return { page: parseDoc(page.get(id)), children, components: componentsQuery.all(userId, id).map(parseDoc) };
}

const app = new Koa();
app.use((koa) => {
  koa.body = read(koa.path.split("/").at(-1) ?? "");
});
const handle = app.callback();
const server = createServer((request, response) => void handle(request, response));
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.stdout.write(`${typeof address === "object" && address ? address.port : ""}\n`);
});
