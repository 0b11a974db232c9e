// Records a data folder for data-folder.test.ts: `node tests/store/data-folders/make-data-folder.ts 1`, where 1 is the
// data version. Run it with the last program of a version, before a migration to the next version is added. Commit the
// two files that it writes: a backup of the folder, and the answers to the account's calls.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ulid } from "ulid";
import { createClient } from "#shared/client/client.ts";
import { fetchTransport } from "#shared/client/fetch-transport.ts";
import { v1 } from "#shared/contract/v1.ts";
import { createBackup } from "#api/store/create-backup.ts";
import type { V1Client } from "#tests/kit/api.ts";
import { PASSWORD } from "#tests/kit/account.ts";
import { startServerProcess } from "#tests/kit/servers/server-process.ts";
import { tinyPdf } from "#tests/kit/pdf/tiny-pdf.ts";
import { ask, aQuestion } from "#tests/kit/tutor.ts";
import { aCard, aChange, anAnnotation, aDeck, aPage, aText, send, textContent } from "../changes.ts";
import { readEverything } from "./read-everything.ts";

const email = "ada@example.org";
const version = Number(process.argv[2]);
if (!Number.isInteger(version)) throw new Error("Enter the data version");

async function fill(client: V1Client): Promise<void> {
  const user = { client };
  const pageId = await aPage(user, "Genes and proteins");
  const text = await aText(user, pageId, "A codon names an amino acid.");
  const newContent = textContent("A codon is three nucleotides.");
  await send(user, aChange("component_content_update", text, { newContent }, { baseVersion: 1 }));
  const deck = await aDeck(user, pageId, [aCard("codon"), aCard("site"), aCard("gene")]);
  const given = { durationMs: 900, mode: "study" } as const;
  for (const [at, cardId] of ["codon", "site", "codon"].entries()) {
    const reviewedAt = Date.now() - (3 - at) * 60_000;
    const review = { _id: ulid(), componentId: deck, cardId, grade: 3 as const, reviewedAt, ...given };
    await send(user, aChange("review_add", deck, review));
  }
  await client.study.saveDeckSettings({ componentId: deck, desiredRetention: 0.93 });
  const folder = ulid();
  await send(user, aChange("folder_create", folder, { title: "Biology", color: "GREEN", createdAt: 1 }));
  await send(
    user,
    aChange("folder_update", folder, { items: [{ item_id: pageId, item_type: "page", created_at: 1 }] }),
  );
  const files = [{ field: "file", file: tinyPdf([["A codon names one amino acid."]]), name: "genes.pdf" }];
  const { component } = await client.uploads.uploadImageComponent({ pageId }, files);
  const annotation = anAnnotation(ulid(), component._id, { note: "why?", color: "blue" });
  await send(user, aChange("annotation_put", annotation._id, { annotation }));
  await client.library.addFavorite({ itemId: pageId, itemType: "page" });
  await client.user.savePreferences({ conversation: { max_words: 99 } });
  await client.pdf.getPassages({ id: component._id });
  await ask(client, aQuestion({ text: "What does a codon name?" }));
}

const server = await startServerProcess({ REGISTRATION: "open" });
try {
  const clientFor = (token?: string) => createClient(v1, fetchTransport({ origin: server.origin, token: () => token }));
  const { token } = await clientFor().auth.register({ name: "Ada", email, password: PASSWORD });
  await clientFor().auth.login({ email, password: PASSWORD });
  const client = clientFor(token);
  await fill(client);
  const madeAt = Date.now();
  const everything = await readEverything(client);
  await server.stop();
  const base = join(import.meta.dirname, `version-${version}`);
  await createBackup(server.dataDir, `${base}.backup`);
  writeFileSync(`${base}.json`, `${JSON.stringify({ madeAt, email, token, everything }, null, 1)}\n`);
} finally {
  await server.dispose();
}
