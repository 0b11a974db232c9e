// The API as it must never be: it says "saved" while the transaction is still open. It shows that kill-nine.ts can fail.
import { DatabaseSync } from "node:sqlite";

const COMMIT_AFTER_MS = 500;
// oxlint-disable-next-line typescript/unbound-method -- called on the database that it was called on
const honest = DatabaseSync.prototype.exec;
const waiting = new WeakSet<DatabaseSync>();

DatabaseSync.prototype.exec = function exec(this: DatabaseSync, sql: string): void {
  if (sql === "BEGIN IMMEDIATE" && this.isTransaction) return;
  if (sql !== "COMMIT") {
    honest.call(this, sql);
    return;
  }
  if (waiting.has(this)) return;
  waiting.add(this);
  setTimeout(() => {
    waiting.delete(this);
    if (this.isOpen && this.isTransaction) honest.call(this, "COMMIT");
  }, COMMIT_AFTER_MS);
};

await import("#api/main.ts");
