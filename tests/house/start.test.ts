import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { InvalidSettingError, readSettings } from "#api/settings.ts";
import { startServerProcess } from "#tests/kit/servers/server-process.ts";

async function start(env: Record<string, string>): Promise<{ code: number | null; output: string }> {
  const folder = await mkdtemp(join(tmpdir(), "lamplight-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "api/main.ts"], {
    env: { ...process.env, NODE_ENV: "production", DATA_DIR: folder, ...env },
  });
  let output = "";
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, output: output.trim() };
}

/** The message with which settings are refused. */
function refusalOf(env: Record<string, string>): string {
  try {
    readSettings(env);
  } catch (error) {
    if (error instanceof InvalidSettingError) return error.message;
    throw error;
  }
  throw new Error("These settings are accepted");
}

test.each([
  ["PORT", "eighty"],
  ["PORT", "70000"],
  ["LOG_LEVEL", "loud"],
  ["TRUST_PROXY", "yes"],
  ["DEFAULT_PLAN", "GOLD"],
  ["PUBLIC_URL", "study.example.org"],
  ["MONGODB_URI", "postgres://x"],
  ["AI_BASE_URL", "not a url"],
])("an invalid %s (%s) is refused with one line that names it and gives an example", (name, value) => {
  const refusal = refusalOf({ [name]: value });
  expect(refusal.split("\n")).toHaveLength(1);
  expect(refusal).toContain(name);
  expect(refusal).toContain(`Example: ${name}=`);
});

test.each([
  ["HOST", "0.0.0.0"],
  ["PUBLIC_URL", "https://study.example.org"],
  ["TRUST_PROXY", "1"],
])("a publicly reachable server (%s=%s) must set who may register", (name, value) => {
  const refusal = refusalOf({ [name]: value });
  expect(refusal).toMatch(/^REGISTRATION must be set[^\n]*Example: REGISTRATION=closed$/);
  expect(refusal).toContain(name);
});

test("a refused setting prevents startup, and its line is all that is printed", async () => {
  const env = { TRUST_PROXY: "1" };
  const { code, output } = await start(env);
  expect(code).not.toBe(0);
  expect(output).toBe(refusalOf(env));
});

test("a server that only this machine reaches needs no settings, under any loopback name", () => {
  for (const PUBLIC_URL of ["http://localhost:3000", "http://127.0.0.1:80", "http://[::1]:3000", ""])
    expect(readSettings({ PUBLIC_URL }).REGISTRATION).toBeUndefined();
  for (const PUBLIC_URL of ["http://127.0.0.1.example.org", "http://localhost.example.org", "http://192.168.1.2"])
    expect(() => readSettings({ PUBLIC_URL })).toThrow("REGISTRATION must be set");
});

test("a port in use prevents startup with one line that says what to do", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  onTestFinished(() => void taken.close());
  const address = taken.address();
  const port = typeof address === "object" && address ? address.port : 0;
  // Websites are served on the next port, which another program may use.
  const { code, output } = await start({ PORT: String(port), SITES_PORT: "0" });
  expect(code).not.toBe(0);
  expect(output).toMatch(new RegExp(`^Port ${port} is in use[^\\n]*$`));
});

test("a signal stops the server cleanly", async () => {
  const server = await startServerProcess();
  onTestFinished(() => server.dispose());
  expect(await server.stop()).toBe(0);
});

test.each([
  ["takes no calls", "noteId(); setInterval(() => {}, 1000);"],
  [
    "takes calls but does not reply",
    'import { createServer } from "node:http"; createServer(noteId).listen(Number(process.env.PORT), "127.0.0.1");',
  ],
])("a server that %s is ended after the time to answer, so that nothing waits for it", async (_, program) => {
  const folder = await mkdtemp(join(tmpdir(), "lamplight-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [entry, pidFile] = [join(folder, "silent.mjs"), join(folder, "pid")];
  await writeFile(
    entry,
    `import { writeFileSync } from "node:fs";
    const noteId = () => writeFileSync(process.env.PID_FILE, String(process.pid));
    ${program}`,
  );
  const timeout = new AbortController();
  const started = startServerProcess({ PID_FILE: pidFile }, entry, () => timeout.signal).catch(String);
  const readPid = () => readFile(pidFile, "utf8").catch(() => "");
  await expect.poll(readPid).not.toBe("");
  const pid = Number(await readPid());
  timeout.abort();
  expect(await started).toContain("did not answer in time");
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
});

test("the server stops when its parent npm process ended without passing on the signal", async () => {
  const script = `import { onNpmExit } from "./scripts/runtime.mjs";
    setTimeout(() => process.exit(1), 15_000);
    onNpmExit(() => { process.stdout.write("ended"); process.exit(0); });
    process.stdout.write("ready ");`;
  const npm = spawn(
    process.execPath,
    [
      "-e",
      `require("node:child_process").spawn(process.execPath, ["--input-type=module", "-e", process.argv[1]], { stdio: "inherit" })`,
      script,
    ],
    { env: { ...process.env, npm_lifecycle_event: "start" } },
  );
  let output = "";
  npm.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
    if (output === "ready ") npm.kill("SIGKILL");
  });
  await once(npm, "close");
  expect(output).toBe("ready ended");
});

test("every setting has a default or is optional", () => {
  expect(readSettings({})).toMatchObject({ PORT: 3000, HOST: "127.0.0.1", DATA_DIR: ".data", LOG_LEVEL: "info" });
});
