import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ulid } from "ulid";
import { expect, test } from "vitest";
import { startApi } from "#tests/kit/api.ts";
import { aCard, aChange, aDeck, aPage, send } from "#tests/kit/changes.ts";

const DAY_MS = 86_400_000;

/** A Python that has Anki's own library: `python3 -m venv X && X/bin/pip install anki`, then ANKI_PYTHON=X/bin/python. */
const python = process.env["ANKI_PYTHON"];

/** Opens the package with Anki itself, says what it found, and writes it out again in its newest form. */
const SCRIPT = `
import sys, json
from anki.collection import Collection, ImportAnkiPackageRequest, ImportAnkiPackageOptions, ExportAnkiPackageOptions
path, inside, out = sys.argv[1:4]
col = Collection(path)
options = ImportAnkiPackageOptions(with_scheduling=True)
log = col.import_anki_package(ImportAnkiPackageRequest(package_path=inside, options=options)).log
cards = []
for cid in col.find_cards(""):
    c = col.get_card(cid)
    m = c.memory_state
    cards.append(dict(q=c.question(), type=int(c.type), queue=int(c.queue), ivl=c.ivl, due=c.due - col.sched.today if c.type == 2 else 0,
      reps=c.reps, lapses=c.lapses, s=m.stability if m else None, d=m.difficulty if m else None, deck=col.decks.name(c.did),
      log=col.db.scalar("select count() from revlog where cid = ?", cid), tags=c.note().tags))
report = dict(cards=cards, new=len(log.new), problems=col.fix_integrity()[0], media=[f for f in __import__("os").listdir(col.media.dir())])
col.export_anki_package(out_path=out, options=ExportAnkiPackageOptions(with_scheduling=True, with_media=True, with_deck_configs=False, legacy=False), limit=None)
col.close()
print(json.dumps(report))
`;

interface Found {
  cards: Record<"q" | "type" | "queue" | "due" | "s" | "d" | "deck", string | number | undefined>[];
  new: number;
  problems: string;
}

if (!python) process.stdout.write("skipped: Anki's own library (set ANKI_PYTHON to a Python that can import anki)\n");

const byText = (a: readonly string[], b: readonly string[]) => a.join("\n").localeCompare(b.join("\n"));

const cloze = (index: number) => ({
  kind: "cloze" as const,
  cloze: { text: "The {{c1::nucleus}} holds {{c2::DNA}}.", index },
  groupId: "cells",
});

test.skipIf(!python)(
  "Anki itself opens a package of ours, finds it sound, and what it writes comes back unchanged",
  async () => {
    const api = await startApi();
    const [ada, eve] = [await api.newUser(), await api.newUser()];
    const now = Date.now();
    api.clock.advance(now - api.clock.now());
    const pageId = await aPage(ada);
    const componentId = await aDeck(ada, pageId, [
      { ...aCard("card-1"), question: "a < b & $x^2$\nsecond line", tags: ["bio"] },
      { ...aCard("card-2"), ...cloze(1), question: "The ____ holds DNA.", answer: "nucleus" },
      { ...aCard("card-3"), ...cloze(2), question: "The nucleus holds ____.", answer: "DNA" },
      { ...aCard("card-4"), isSuspended: true },
    ]);
    for (const [at, daysAgo] of [30, 20, 5].entries()) {
      const named = { _id: ulid(), cardId: "card-1", componentId, mode: "study" as const, durationMs: 3000 };
      await send(
        ada,
        aChange("review_add", componentId, { ...named, grade: at === 0 ? 4 : 3, reviewedAt: now - daysAgo * DAY_MS }),
      );
    }
    const folder = mkdtempSync(join(tmpdir(), "lamplight-anki-"));
    const paths = ["collection.anki2", "ours.apkg", "theirs.apkg"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    const ours = await ada.client.flashcards.exportDeck({ componentId });
    writeFileSync(paths[1], Buffer.from(await ours.arrayBuffer()));
    const found = JSON.parse(execFileSync(python ?? "", ["-c", SCRIPT, ...paths], { encoding: "utf8" })) as Found;
    const mine = (await ada.client.study.getDeckSchedule({ componentId })).schedules[0];
    if (!mine) throw new Error("it was studied");
    expect(found.cards).toHaveLength(4);
    expect(found.new).toBe(3);
    const studied = found.cards.find((card) => card.type === 2);
    if (!studied) throw new Error("one card is in review");
    expect(studied).toMatchObject({ queue: 2, reps: 3, lapses: 0, log: 3, deck: "Genes", tags: ["bio"] });
    expect(studied.q).toContain("a &lt; b &amp; \\(x^2\\)<br>second line");
    expect(Number(studied.s)).toBeCloseTo(mine.stability, 2);
    expect(Number(studied.d)).toBeCloseTo(mine.difficulty, 2);
    expect(Math.abs(Number(studied.due) - (mine.dueAt - now) / DAY_MS)).toBeLessThan(1.5);
    expect(found.cards.filter((card) => card.queue === -1)).toHaveLength(1);
    const report = await eve.client.flashcards.importDecks({}, [
      { field: "file", name: "theirs.apkg", file: new Blob([readFileSync(paths[2])]) },
    ]);
    expect(report).toMatchObject({ cards: 4, reviews: 3, losses: [] });
    const { component } = await eve.client.pages.getComponent({ id: report.decks[0]?.componentId ?? "" });
    const cards = component.type === "flash_cards" ? component.content.cards : [];
    expect(cards.map(({ question, answer }) => [question, answer]).toSorted(byText)).toEqual(
      [
        ["a < b & $x^2$\nsecond line", "the answer to card-1"],
        ["The ____ holds DNA.", "nucleus"],
        ["The nucleus holds ____.", "DNA"],
        ["card-4?", "the answer to card-4"],
      ].toSorted(byText),
    );
    const theirs = (await eve.client.study.getDeckSchedule({ componentId: component._id })).schedules[0];
    if (!theirs) throw new Error("its schedule came");
    expect(theirs.stability).toBeCloseTo(mine.stability, 2);
    expect(Math.abs(theirs.dueAt - mine.dueAt)).toBeLessThan(1.5 * DAY_MS);
  },
  60_000,
);
