// Builds the servers that some tests talk to, once and before the tests: files that run at the same time would each build
// the same one. Tests report a server that could not be built.
import { findStripeMock } from "#tests/kit/servers/stripe/stripe-mock.ts";
import { prepareMongoWire } from "#tests/store/mongo-wire.ts";

for (const prepare of [prepareMongoWire, findStripeMock])
  await prepare().catch((cause: unknown) => process.stderr.write(`${String(cause)}\n`));
