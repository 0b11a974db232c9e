import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { aLamplight, connectExtension, type Extended, openExtended } from "#tests/kit/extension.ts";
import { startServerProcess } from "#tests/kit/server-process.ts";

let extended: Extended;
beforeAll(async () => {
  extended = await openExtended();
});
afterAll(() => extended.browser.close());

async function aLecturePage(): Promise<string> {
  const web = createServer((_, response) =>
    response
      .writeHead(200, { "content-type": "text/html" })
      .end("<!doctype html><title>Ribosomes</title><p>The empty tRNA leaves from the E site.</p>"),
  );
  await new Promise<void>((done) => web.listen(0, "127.0.0.1", done));
  onTestFinished(() => void web.close());
  return `http://127.0.0.1:${(web.address() as AddressInfo).port}/`;
}

test("a press on the toolbar button opens the panel beside the page, and nothing is put into the page", async () => {
  const page = await extended.browser.newPage();
  await page.goto(await aLecturePage());
  const before = await page.content();
  const panel = await extended.openPanel(page);
  await panel.locator("h1").wait();
  expect(await panel.$eval("h1", (heading) => heading.textContent)).toBe("Lamplight");
  expect(await page.content()).toBe(before);
  await page.close();
});

test("the settings take the address of a Lamplight that answers, and say what is wrong with any other", async () => {
  const server = await startServerProcess();
  onTestFinished(() => server.dispose());
  const options = await extended.openPage("options");
  onTestFinished(() => options.close());
  const save = async (address: string) => {
    await options.locator('::-p-aria([name="Server address"])').fill(address);
    await options.locator('::-p-aria([name="Check and save"])').click();
  };
  const reads = (words: string) => options.locator(`::-p-text(${words})`).wait();
  await save("http://study.example.org");
  await reads("Begin with https://");
  await save(await aLecturePage());
  await reads("No Lamplight answers there. Is it running?");
  await save(`${server.origin}/home`);
  await reads("Saved. Lamplight answers there.");
});

test("a student connects the extension with a code, and disconnects it again under connections", async () => {
  const { server, page, client, close } = await aLamplight(extended.browser);
  onTestFinished(close);
  const panel = await extended.openPage("sidepanel");
  onTestFinished(() => panel.close());
  await connectExtension(extended, panel, server.origin);
  await panel.locator("::-p-text(Connected as ada@example.org)").wait();
  const { extensions } = await client.connections.listExtensions({});
  expect(extensions.map(({ name }) => name)).toEqual(["Chrome on Linux"]);
  await page.bringToFront();
  await page.goto(`${server.origin}/connections`);
  await page.locator('::-p-aria([name="Disconnect Chrome on Linux"])').click();
  await page.waitForFunction(() => !document.body.innerText.includes("Chrome on Linux"));
  expect((await client.connections.listExtensions({})).extensions).toEqual([]);
});
