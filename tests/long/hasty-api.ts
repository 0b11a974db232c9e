// A deliberately broken API: it acknowledges changes while the transaction is still open. Shows that kill-nine.ts can fail.
import { DatabaseSync } from "node:sqlite";

const COMMIT_AFTER_MS = 500;
// oxlint-disable-next-line typescript/unbound-method -- it is called with the database as `this`
const realExec = DatabaseSync.prototype.exec;
const pendingCommits = new WeakSet<DatabaseSync>();

DatabaseSync.prototype.exec = function exec(this: DatabaseSync, sql: string): void {
  if (sql === "BEGIN IMMEDIATE" && this.isTransaction) return;
  if (sql !== "COMMIT") {
    realExec.call(this, sql);
    return;
  }
  if (pendingCommits.has(this)) return;
  pendingCommits.add(this);
  setTimeout(() => {
    pendingCommits.delete(this);
    if (this.isOpen && this.isTransaction) realExec.call(this, "COMMIT");
  }, COMMIT_AFTER_MS);
};

await import("#api/main.ts");
