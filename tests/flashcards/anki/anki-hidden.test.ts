import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ulid } from "ulid";
import { expect, test } from "vitest";
import { buildOcclusionCards } from "#shared/flashcards/card-builders.ts";
import type { Flashcard, Region } from "#shared/flashcards/schema.ts";
import { startApi, type TestUser } from "#tests/kit/api.ts";
import { aCard, aDeck, aPage } from "#tests/store/changes.ts";
import { ownFolder } from "#tests/store/own-folder.ts";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEklEQVR4nGNgYPiPAw1TCQZcAAA5tz/BJVCC7wAAAABJRU5ErkJggg==",
  "base64",
);
const regions: Region[] = [
  { id: "part-a", x: 0.1, y: 0.2, w: 0.3, h: 0.1, label: "Nucleus" },
  { id: "part-b", x: 0.123_456, y: 0.5, w: 0.25, h: 0.333_333, label: "a }} b :: {{c1::c}} <i> & $x_{1}^{2}$" },
  { id: "part-c", x: 0.7, y: 0, w: 0.3, h: 1, label: "Membrane" },
];

async function aHiddenDeck(user: TestUser, hidesAll: boolean) {
  const named = [{ field: "file", name: "Zelle {1}.png", file: new Blob([PNG]) }];
  const { url } = await user.client.flashcards.addCardPicture({}, named);
  const hidden = buildOcclusionCards(
    { image: url, question: "What stands here?", regions, hidesAll, citation: null },
    () => ulid(),
  );
  // The student rewrote one answer and deleted one of the three cards.
  const cards = hidden
    .slice(0, 2)
    .map((card, index) => (index === 0 ? { ...card, answer: "The nucleus\nof a cell" } : card));
  return aDeck(user, await aPage(user), [...cards, aCard("plain")]);
}

const importPackage = (user: TestUser, bytes: Uint8Array) =>
  user.client.flashcards.importDecks({}, [{ field: "file", name: "cells.apkg", file: new Blob([Buffer.from(bytes)]) }]);

async function cardsOf(user: TestUser, componentId: string): Promise<Flashcard[]> {
  const { component } = await user.client.pages.getComponent({ id: componentId });
  return component.type === "flash_cards" ? component.content.cards : [];
}

/** What a card asks, shows and covers, without ids. */
function withoutIds({ question, answer, kind, occlusion, questionImage }: Flashcard) {
  const index = occlusion?.regions.findIndex(({ id }) => id === occlusion.regionId);
  const parts = occlusion?.regions.map(({ id: _id, ...part }) => part);
  return {
    question,
    answer,
    kind,
    index,
    parts,
    hidesAll: occlusion?.hidesAll ?? false,
    hasImage: questionImage !== null,
  };
}

const answers = ["The nucleus\nof a cell", "a }} b :: {{c1::c}} <i> & $x_{1}^{2}$"];
const parts = [
  { ...regions[0], label: answers[0] },
  { ...regions[1], x: 0.1235, h: 0.3333, label: answers[1] },
  regions[2],
].map((part) => expect.objectContaining({ x: part?.x, y: part?.y, w: part?.w, h: part?.h, label: part?.label }));

const wanted = (hidesAll: boolean) =>
  answers.map((answer, index) => {
    const asked = { question: "What stands here?", answer, kind: "occlusion", index };
    return { ...asked, parts, hidesAll, hasImage: true };
  });

const forms = (["old", "new"] as const).flatMap((form) => [true, false].map((hidesAll) => ({ form, hidesAll })));

test.each(forms)(
  "image occlusion survives export and import in the $form format, hiding the other parts: $hidesAll",
  async ({ form, hidesAll }) => {
    const api = await startApi();
    const ada = await api.newUser();
    let sent = await ada.client.flashcards.exportDeck({ componentId: await aHiddenDeck(ada, hidesAll), form });
    // Exported and imported twice, so that an imported deck must survive as well.
    for (let round = 0; round < 2; round += 1) {
      const next = await api.newUser();
      const bytes = new Uint8Array(await sent.arrayBuffer());
      const report = await importPackage(next, bytes);
      expect(report).toMatchObject({ cards: 3, media: 1, losses: [] });
      const componentId = report.decks[0]?.componentId ?? "";
      const hidden = (await cardsOf(next, componentId)).filter(({ kind }) => kind === "occlusion");
      expect(hidden.map(withoutIds)).toEqual(wanted(hidesAll));
      expect(new Set(hidden.map(({ groupId }) => groupId)).size).toBe(1);
      expect((await importPackage(next, bytes)).cards).toBe(0);
      sent = await next.client.flashcards.exportDeck({ componentId, form });
    }
  },
);

test("an occlusion card without its image file is exported as a text question", async () => {
  const api = await startApi();
  const [ada, eve] = [await api.newUser(), await api.newUser()];
  const image = "/v1/files/nothing-is-there.png";
  const hidden = buildOcclusionCards({ image, question: "What?", regions, hidesAll: true, citation: null }, () =>
    ulid(),
  );
  const componentId = await aDeck(ada, await aPage(ada), hidden);
  const sent = await ada.client.flashcards.exportDeck({ componentId });
  const report = await importPackage(eve, new Uint8Array(await sent.arrayBuffer()));
  const imported = await cardsOf(eve, report.decks[0]?.componentId ?? "");
  expect(imported.map(({ question, answer }) => [question, answer])).toEqual(
    regions.map(({ label }) => ["What?", label]),
  );
});

const python = process.env["ANKI_PYTHON"];
if (!python) process.stdout.write("skipped: Anki's own library (set ANKI_PYTHON to a Python that can import anki)\n");

/** Prints the notes as Anki reads them beside an image occlusion note of Anki's own, then exports everything again. */
const SCRIPT = `
import sys, json, os
from anki.collection import Collection, ImportAnkiPackageRequest, ImportAnkiPackageOptions, ExportAnkiPackageOptions
col, inside, out, is_legacy, png = Collection(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4] == "old", sys.argv[5]
col.add_image_occlusion_notetype()
own = col.models.by_name("Image Occlusion")
col.import_anki_package(ImportAnkiPackageRequest(package_path=inside, options=ImportAnkiPackageOptions(with_scheduling=True)))
notes = []
for nid in col.find_notes('note:"Lamplight image occlusion"'):
    note, cards = col.get_image_occlusion_note(note_id=nid).note, col.get_note(nid).cards()
    shapes = sorted((o.ordinal, s.shape, {p.name: p.value for p in s.properties}) for o in note.occlusions for s in o.shapes)
    notes.append(dict(shapes=shapes, header=note.header, image=note.image_file_name, hides_all=note.occlude_inactive,
      bytes=len(note.image_data), questions=[c.question() for c in cards], answers=[c.answer() for c in cards], ords=[c.ord for c in cards]))
col.add_image_occlusion_note(notetype_id=own["id"], image_path=png, header="Of Anki", back_extra="See above", tags=[],
  occlusions="{{c1::image-occlusion:rect:left=.1:top=.2:width=.3:height=.4:oi=1}}<br>{{c2::image-occlusion:ellipse:left=.5:top=.25:rx=.1:ry=.05}}<br>")
problems, sound = col.fix_integrity()
col.export_anki_package(out_path=out, options=ExportAnkiPackageOptions(with_scheduling=True, with_media=True, with_deck_configs=False, legacy=is_legacy), limit=None)
print(json.dumps(dict(notes=notes, sound=sound, problems=problems, cards=col.card_count())))
`;

test.skipIf(!python).each(forms)(
  "Anki hides the parts of the $form format, and its own export imports again, hiding the others: $hidesAll",
  async ({ form, hidesAll }) => {
    const api = await startApi();
    const [ada, eve] = [await api.newUser(), await api.newUser()];
    const sent = await ada.client.flashcards.exportDeck({ componentId: await aHiddenDeck(ada, hidesAll), form });
    const folder = ownFolder();
    const path = (name: string) => join(folder, name);
    writeFileSync(path("ours.apkg"), Buffer.from(await sent.arrayBuffer()));
    writeFileSync(path("own.png"), PNG);
    const files = ["collection.anki2", "ours.apkg", "theirs.apkg"].map(path);
    const output = execFileSync(python ?? "", ["-c", SCRIPT, ...files, form, path("own.png")]).toString("utf8");
    const found = JSON.parse(output) as { notes: Record<string, unknown>[]; sound: boolean; cards: number };
    expect(found).toMatchObject({ sound: true, cards: 5 });
    const other = hidesAll ? { oi: "1" } : {};
    expect(found.notes).toMatchObject([
      {
        shapes: [
          [0, "rect", { left: "0.7", top: "0", width: "0.3", height: "1", ...other }],
          [1, "rect", { left: "0.1", top: "0.2", width: "0.3", height: "0.1", ...other }],
          [2, "rect", { left: "0.1235", top: "0.5", width: "0.25", height: "0.3333", ...other }],
        ],
        header: "What stands here?",
        hides_all: hidesAll,
        bytes: PNG.length,
        ords: [0, 1],
      },
    ]);
    const [{ questions, answers: backs } = { questions: [], answers: [] }] = found.notes as Record<string, string[]>[];
    expect(questions?.[0]).toMatch(/class="cloze" data-ordinal="1" data-shape="rect"/);
    expect(questions?.join("")).not.toContain("nucleus");
    // Each card answers its own part only.
    expect(backs?.map((back) => [back.includes("The nucleus"), back.includes("a &#125;&#125; b")])).toEqual([
      [true, false],
      [false, true],
    ]);
    const theirs = readFileSync(path("theirs.apkg"));
    const report = await importPackage(eve, theirs);
    expect(report).toMatchObject({ cards: 5, losses: [] });
    const imported = (await Promise.all(report.decks.map(({ componentId }) => cardsOf(eve, componentId)))).flat();
    const hidden = imported.filter(({ kind }) => kind === "occlusion").map(withoutIds);
    expect(hidden.filter(({ question }) => question === "What stands here?")).toEqual(wanted(hidesAll));
    expect(hidden.filter(({ question }) => question === "Of Anki")).toMatchObject([
      {
        answer: "See above",
        at: 0,
        hidesAll: true,
        parts: [
          { x: 0.1, w: 0.3 },
          { x: 0.5, w: 0.2, h: 0.1 },
        ],
      },
      { answer: "See above", at: 1, hidesAll: true },
    ]);
  },
  60_000,
);
