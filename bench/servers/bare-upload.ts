// The minimal baseline for `upload.bench.ts`: busboy, with each file piped to disk.
//   argv: folder
import { createWriteStream } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import busboy from "busboy";

const [folder = ""] = process.argv.slice(2);
let count = 0;

const server = createServer((request, response) => {
  const parser = busboy({ headers: request.headers });
  const writes: Promise<void>[] = [];
  parser.on("file", (_name, source) => {
    count += 1;
    writes.push(pipeline(source, createWriteStream(join(folder, `${count}`), { flush: true })));
  });
  parser.on("close", () => {
    void Promise.all(writes).then(() => response.end("{}"));
  });
  request.pipe(parser);
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.stdout.write(`${typeof address === "object" && address ? address.port : ""}\n`);
});
