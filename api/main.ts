import type { Server } from "node:http";
import { existsSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { join, resolve } from "node:path";
import { createApp } from "./app.ts";
import { assemble } from "./assemble.ts";
import { systemClock } from "./clock.ts";
import { createLog } from "./log.ts";
import { describeDamage, StorageUnusableError } from "#api/store/storage-unusable.ts";
import {
  arePaymentsConfigured,
  getDefaultPlan,
  getSitesPort,
  InvalidSettingError,
  isLocalOnly,
  readSettings,
  type Settings,
} from "./settings.ts";

/** How long a shutdown waits for running requests and jobs; an unfinished job resumes at the next start. */
const SHUTDOWN_TIMEOUT_MS = 15_000;

async function main(): Promise<void> {
  const settings = readSettings(process.env);
  const log = createLog(settings.LOG_LEVEL);
  const assembled = await assemble(settings, { clock: systemClock, log });
  const webFolder = join(import.meta.dirname, "..", "dist", "web");
  await listenForSites(assembled, settings);
  const server = createApp({ deps: assembled.deps, ...(existsSync(webFolder) ? { webFolder } : {}) });
  try {
    await listen(server, settings);
  } catch (error) {
    await assembled.close();
    throw error;
  }
  await announce(settings, assembled);
  stopOnSignal(server, () => assembled.close());
  // Node does it only at a regular exit, which a server that is killed never has.
  flushCompileCache();
}

async function listenForSites(assembled: Awaited<ReturnType<typeof assemble>>, settings: Settings): Promise<void> {
  try {
    await assembled.listenForSites(settings.PORT);
  } catch (error) {
    await assembled.close();
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    const sitesPort = getSitesPort(settings);
    throw new ListenError(
      `Port ${sitesPort}, on which generated websites are served, cannot be used (${reason}). Choose another one. Example: SITES_PORT=${sitesPort + 10} npm start`,
    );
  }
}

function listen(server: Server, { PORT, HOST }: Settings): Promise<void> {
  return new Promise((resolvePromise, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(new ListenError(describeListenError(error, PORT, HOST))),
    );
    server.listen(PORT, HOST, resolvePromise);
  });
}

class ListenError extends Error {}

function describeListenError(error: NodeJS.ErrnoException, port: number, host: string): string {
  if (error.code === "EADDRINUSE")
    return `Port ${port} is in use. Lamplight may already be running at http://localhost:${port}. Otherwise choose another port. Example: PORT=${port + 1} npm start`;
  if (error.code === "EACCES")
    return `This user account may not use port ${port}. Choose another one. Example: PORT=3000 npm start`;
  return `Cannot listen on ${host}:${port} (${error.code ?? error.message}). Example: HOST=127.0.0.1 PORT=3000 npm start`;
}

async function announce(settings: Settings, { deps, damage }: Awaited<ReturnType<typeof assemble>>): Promise<void> {
  const { defaultModel } = await deps.models.list();
  const address =
    settings.PUBLIC_URL ?? `http://${settings.HOST === "127.0.0.1" ? "localhost" : settings.HOST}:${settings.PORT}`;
  const lines = [
    "",
    `  Lamplight     ${address}`,
    `  Your data     ${resolve(settings.DATA_DIR)} (${deps.store.kind})`,
    `  Websites      ${deps.previews.origin}`,
    `  Model engine  ${defaultModel}`,
    ...describePayments(settings),
    ...describeAdministrators(settings),
    "",
    "  Press Ctrl+C to stop. Your data is saved.",
    "",
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
  if (damage !== undefined)
    process.stderr.write(`${describeDamage(settings.DATA_DIR, damage)} Until then it is served read-only.\n`);
}

/** The default plan changes with the first payment settings, and only for accounts that are made afterwards. */
function describePayments(settings: Settings): string[] {
  if (!arePaymentsConfigured(settings)) return [];
  return [`  Payments      Stripe. New accounts are ${getDefaultPlan(settings)}, earlier ones keep their plan`];
}

/** If other computers can reach the server, the first account does not become an administrator. */
function describeAdministrators(settings: Settings): string[] {
  if (isLocalOnly(settings) || settings.ADMIN_EMAILS !== "") return [];
  return [
    "  Administrators are not named. Example: ADMIN_EMAILS=ada@example.org, or npm run admin -- grant ada@example.org",
  ];
}

/** Stops accepting requests, finishes the running ones, then closes; a second signal exits at once. */
function stopOnSignal(server: Server, close: () => Promise<void>): void {
  let isStopping = false;
  const stop = async () => {
    if (isStopping) process.exit(1);
    isStopping = true;
    const exitTimer = setTimeout(() => process.exit(1), SHUTDOWN_TIMEOUT_MS);
    exitTimer.unref();
    const closed = new Promise<void>((resolveClosed) => server.close(() => resolveClosed()));
    server.closeIdleConnections();
    await close();
    server.closeAllConnections();
    await closed;
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void stop());
}

try {
  await main();
} catch (error) {
  const isExpected =
    error instanceof InvalidSettingError || error instanceof ListenError || error instanceof StorageUnusableError;
  const text = error instanceof Error ? (isExpected ? error.message : error.stack) : String(error);
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
