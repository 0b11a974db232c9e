// The minimal baseline for `api.bench.ts`: Koa, one route, and the reads that the real call needs.
//   argv: database file, token hash
import { createServer } from "node:http";
import { DatabaseSync } from "node:sqlite";
import Koa from "koa";

const [file = "", tokenId = ""] = process.argv.slice(2);
const db = new DatabaseSync(file, { readOnly: true });
const byId = (table: string) => db.prepare(`SELECT doc FROM "${table}" WHERE _id = ?`);
const token = byId("tokens");
const user = byId("users");
const page = byId("pages");
const owned = "json_extract(doc, '$.ownerId') = ?";
const parts = db.prepare(`SELECT doc FROM components WHERE ${owned} AND json_extract(doc, '$.pageId') = ?`);
const below = db.prepare(`SELECT doc FROM pages WHERE ${owned} AND json_extract(doc, '$.parent') = ?`);

const parsed = (row: unknown) => JSON.parse((row as { doc: string }).doc) as Record<string, unknown>;

function read(id: string): unknown {
  const { userId } = parsed(token.get(tokenId)) as { userId: string };
  parsed(user.get(userId));
  const children = below.all(userId, id).map(parsed);
  return { page: parsed(page.get(id)), children, components: parts.all(userId, id).map(parsed) };
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
