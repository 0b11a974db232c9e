import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ulid } from "ulid";
import { expect, test } from "vitest";
import { truncateText } from "#shared/flashcards/truncate-text.ts";
import { startApi } from "#tests/kit/api.ts";
import { aCard, aChange, aDeck, aPage, send } from "#tests/store/changes.ts";
import { corpusFolder } from "#tests/kit/corpus.ts";
import { ownFolder } from "#tests/store/own-folder.ts";

const DAY_MS = 86_400_000;

/** A Python that has Anki's own library: `python3 -m venv X && X/bin/pip install anki`, then ANKI_PYTHON=X/bin/python. */
const python = process.env["ANKI_PYTHON"];

/** Opens a package with Anki itself, prints what Anki reads, and exports it again in the given kind and format. */
const SCRIPT = `
import sys, json, os
from anki.collection import Collection, ImportAnkiPackageRequest, ImportAnkiPackageOptions, ExportAnkiPackageOptions
path, inside, out, is_legacy = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4] == "old"
col = Collection(path)
new = -1
if inside.endswith(".colpkg"):
    media, backend = col.media.dir(), col._backend
    col.close()
    backend.import_collection_package(col_path=path, backup_path=inside, media_folder=media, media_db=path.replace(".anki2", ".media.db2"))
    col = Collection(path)
else:
    options = ImportAnkiPackageOptions(with_scheduling=True)
    new = len(col.import_anki_package(ImportAnkiPackageRequest(package_path=inside, options=options)).log.new)
cards = []
for cid in col.find_cards(""):
    c = col.get_card(cid)
    m = c.memory_state
    cards.append(dict(q=c.question(), type=int(c.type), queue=int(c.queue), ivl=c.ivl, due=c.due - col.sched.today if c.type == 2 else 0,
      reps=c.reps, lapses=c.lapses, s=m.stability if m else None, d=m.difficulty if m else None, deck=col.decks.name(c.did),
      log=col.db.scalar("select count() from revlog where cid = ?", cid), tags=c.note().tags))
problems, sound = col.fix_integrity()
report = dict(cards=cards, new=new, problems=problems, sound=sound, media=[[f, os.path.getsize(os.path.join(col.media.dir(), f))] for f in os.listdir(col.media.dir())],
  integrity=col.db.scalar("pragma integrity_check"), decks=[d.name for d in col.decks.all_names_and_ids()], tags=col.tags.all())
if out.endswith(".colpkg"):
    col.export_collection_package(out, True, is_legacy)
else:
    col.export_anki_package(out_path=out, options=ExportAnkiPackageOptions(with_scheduling=True, with_media=True, with_deck_configs=False, legacy=is_legacy), limit=None)
    col.close()
print(json.dumps(report))
`;

interface Found {
  cards: Record<"q" | "type" | "queue" | "due" | "s" | "d" | "deck", string | number | undefined>[];
  new: number;
  problems: string;
  sound: boolean;
  integrity: string;
  media: [name: string, bytes: number][];
  decks: string[];
  tags: string[];
}

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEklEQVR4nGNgYPiPAw1TCQZcAAA5tz/BJVCC7wAAAABJRU5ErkJggg==",
  "base64",
);

if (!python) process.stdout.write("skipped: Anki's own library (set ANKI_PYTHON to a Python that can import anki)\n");

const byText = (a: readonly unknown[], b: readonly unknown[]) => String(a[1]).localeCompare(String(b[1]));

const cloze = (index: number) => ({
  kind: "cloze" as const,
  cloze: { text: "The {{c1::nucleus}} holds {{c2::DNA}}.", index },
  groupId: "cells",
});

const kinds = (["apkg", "colpkg"] as const).flatMap((kind) =>
  (["old", "new"] as const).map((form) => ({ kind, form })),
);

test.skipIf(!python).each(kinds)(
  "Anki opens our $form .$kind without errors, and its re-export imports unchanged",
  async ({ kind, form }) => {
    const api = await startApi();
    const [ada, eve] = [await api.newUser(), await api.newUser()];
    const now = Date.now();
    api.clock.advance(now - api.clock.now());
    const pageId = await aPage(ada);
    const named = [{ field: "file", name: "Zelle [1]: Übersicht?.png", file: new Blob([PNG]) }];
    const { url } = await ada.client.flashcards.addCardPicture({}, named);
    const componentId = await aDeck(ada, pageId, [
      { ...aCard("card-1"), question: "a < b & $x^2$\nsecond line", tags: ["bio", "Ärzte"] },
      { ...aCard("card-2"), ...cloze(1), question: "The ____ holds DNA.", answer: "nucleus" },
      { ...aCard("card-3"), ...cloze(2), question: "The nucleus holds ____.", answer: "DNA" },
      { ...aCard("card-4"), isSuspended: true, question: `card-4? ![](${url})` },
      { ...aCard("card-5"), question: "What does COLLATE nocase do, and COLLATE unicase?" },
    ]);
    for (const [at, daysAgo] of [30, 20, 5].entries()) {
      const review = { _id: ulid(), cardId: "card-1", componentId, mode: "study" as const, durationMs: 3000 };
      const grade = at === 0 ? 4 : 3;
      await send(ada, aChange("review_add", componentId, { ...review, grade, reviewedAt: now - daysAgo * DAY_MS }));
    }
    const { client } = ada;
    const ours = await (kind === "apkg"
      ? client.flashcards.exportDeck({ componentId, form })
      : client.flashcards.exportDecks({ form }));
    const folder = ownFolder();
    const path = (name: string) => join(folder, name);
    const [inside, out] = [path(`ours.${kind}`), path(`theirs.${kind}`)];
    writeFileSync(inside, Buffer.from(await ours.arrayBuffer()));
    const output = execFileSync(python ?? "", ["-c", SCRIPT, path("collection.anki2"), inside, out, form]);
    const found = JSON.parse(output.toString("utf8")) as Found;
    const ownSchedule = (await client.study.getDeckSchedule({ componentId })).schedules[0];
    if (!ownSchedule) throw new Error("it was studied");
    expect(found).toMatchObject({ sound: true, integrity: "ok" });
    expect(found.cards).toHaveLength(5);
    expect(found.new).toBe(kind === "apkg" ? 4 : -1);
    expect(found.media.map(([, bytes]) => bytes)).toEqual([PNG.length]);
    expect(found.decks).toContain("Genes");
    const studied = found.cards.find((card) => card.type === 2);
    if (!studied) throw new Error("one card is in review");
    expect(studied).toMatchObject({ queue: 2, reps: 3, lapses: 0, log: 3, deck: "Genes", tags: ["bio", "Ärzte"] });
    expect(studied.q).toContain("a &lt; b &amp; \\(x^2\\)<br>second line");
    expect(Number(studied.s)).toBeCloseTo(ownSchedule.stability, 2);
    expect(Number(studied.d)).toBeCloseTo(ownSchedule.difficulty, 2);
    expect(Math.abs(Number(studied.due) - (ownSchedule.dueAt - now) / DAY_MS)).toBeLessThan(1.5);
    expect(found.cards.filter((card) => card.queue === -1)).toHaveLength(1);
    const file = new Blob([readFileSync(out)]);
    const report = await eve.client.flashcards.importDecks({}, [{ field: "file", name: `theirs.${kind}`, file }]);
    expect(report).toMatchObject({ cards: 5, reviews: 3, media: 1, losses: [] });
    const { component } = await eve.client.pages.getComponent({ id: report.decks[0]?.componentId ?? "" });
    const cards = component.type === "flash_cards" ? component.content.cards : [];
    expect(cards.map(({ question, answer }) => [question, answer]).toSorted(byText)).toEqual(
      [
        ["a < b & $x^2$\nsecond line", "the answer to card-1"],
        ["The ____ holds DNA.", "nucleus"],
        ["The nucleus holds ____.", "DNA"],
        [expect.stringMatching(/^card-4\? !\[\]\(\/v1\/files\/[0-9a-f]+\.png\)$/), "the answer to card-4"],
        ["What does COLLATE nocase do, and COLLATE unicase?", "the answer to card-5"],
      ].toSorted(byText),
    );
    expect(cards.flatMap(({ tags }) => tags ?? [])).toEqual(["bio", "Ärzte"]);
    expect(cards.filter((card) => card.isSuspended)).toHaveLength(1);
    const importedSchedule = (await eve.client.study.getDeckSchedule({ componentId: component._id })).schedules[0];
    if (!importedSchedule) throw new Error("its schedule came");
    expect(importedSchedule.stability).toBeCloseTo(ownSchedule.stability, 2);
    expect(Math.abs(importedSchedule.dueAt - ownSchedule.dueAt)).toBeLessThan(1.5 * DAY_MS);
  },
  60_000,
);

const texts = corpusFolder("text");

test.skipIf(!python || texts === undefined).each(kinds)(
  "Anki accepts every naughty string as question, tag and picture name in our $form .$kind",
  async ({ kind, form }) => {
    const naughty = (JSON.parse(readFileSync(join(texts ?? "", "blns.json"), "utf8")) as string[]).filter(Boolean);
    const api = await startApi({ env: { RATE_LIMIT_FACTOR: "1000" } });
    const { client, ...ada } = await api.newUser();
    const cards = [];
    for (const [at, name] of naughty.entries()) {
      const file = new Blob([PNG, Buffer.from(String(at))]);
      const { url } = await client.flashcards.addCardPicture({}, [{ field: "file", name: `${name}.png`, file }]);
      cards.push({ ...aCard(`card-${at}`, `${at} ${name}`), questionImage: url, tags: [truncateText(name, 100)] });
    }
    const componentId = await aDeck({ client, ...ada }, await aPage({ client }), cards);
    const ours = await (kind === "apkg"
      ? client.flashcards.exportDeck({ componentId, form })
      : client.flashcards.exportDecks({ form }));
    const folder = ownFolder();
    const path = (name: string) => join(folder, name);
    const [inside, out] = [path(`ours.${kind}`), path(`theirs.${kind}`)];
    writeFileSync(inside, Buffer.from(await ours.arrayBuffer()));
    const output = execFileSync(python ?? "", ["-c", SCRIPT, path("collection.anki2"), inside, out, form], {
      maxBuffer: 64 * 1024 * 1024,
    });
    const found = JSON.parse(output.toString("utf8")) as Found;
    expect(found).toMatchObject({ sound: true, integrity: "ok" });
    expect(found.cards).toHaveLength(naughty.length);
    expect(found.media).toHaveLength(naughty.length);
  },
  120_000,
);
