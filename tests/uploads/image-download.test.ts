import { expect, test } from "vitest";
import { startApi } from "#tests/kit/api.ts";
import { anOutsideServer } from "#tests/kit/servers/outside-server.ts";

const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

async function aWorld() {
  const server = await anOutsideServer((request, response) => {
    switch (request.url ?? "") {
      case "/cell.html":
        return response.writeHead(200, { "content-type": "text/html" }).end(pixel);
      case "/empty":
        return response.end();
      case "/drawing.svg":
        return response
          .writeHead(200, { "content-type": "image/svg+xml" })
          .end('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
      case "/inside":
        return response.writeHead(302, { location: "http://127.0.0.1/admin" }).end();
      case "/huge":
        return response.writeHead(200, { "content-length": 21 * 1024 * 1024 }).end();
      default:
        return response.writeHead(404).end("no");
    }
  });
  const api = await startApi({ env: { FETCH_ALLOW_HOSTS: server.place } });
  return { api, server, ada: await api.newUser() };
}

test("downloads a web image through the server, typed by its content", async () => {
  const { api, server, ada } = await aWorld();
  const response = await fetch(
    `${api.origin}/v1/image_download?url=${encodeURIComponent(`${server.origin}/cell.html`)}`,
    { headers: { authorization: `Bearer ${ada.token}` } },
  );
  expect(Buffer.from(await response.arrayBuffer()).equals(pixel)).toBe(true);
  expect(response.headers.get("content-type")).toBe("image/png");
  expect(response.headers.get("content-disposition")).toContain("attachment");
  expect(response.headers.get("content-security-policy")).toContain("sandbox");
});

test.each([
  ["/empty", "invalid_file", "No data received"],
  [
    "/drawing.svg",
    "unsupported_file_type",
    'File type "image/svg+xml" is not supported. Please upload a PDF or image file.',
  ],
  ["/missing", "bad_input", "This address answered with status 404 instead of a file."],
  ["/inside", "bad_input", "This address could not be downloaded. Check it and try again."],
  ["/huge", "too_large", "The file at this address is larger than 20 MB."],
])("refuses %s as %s", async (path, code, message) => {
  const { server, ada } = await aWorld();
  await expect(ada.client.uploads.downloadImage({ url: server.origin + path })).rejects.toMatchObject({
    code,
    message,
  });
});

test("refuses addresses in the server's network and invalid ones", async () => {
  const api = await startApi();
  const ada = await api.newUser();
  for (const url of [
    `${api.origin}/health`,
    "http://localhost/",
    "http://169.254.169.254/latest/meta-data",
    "cell.png",
  ])
    await expect(ada.client.uploads.downloadImage({ url })).rejects.toMatchObject({ code: "bad_input" });
});
