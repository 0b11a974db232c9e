import { expect, test } from "vitest";
import { corpusFiles } from "#tests/kit/corpus.ts";
import { tryPictures } from "#tests/user/pictures.ts";

const every = corpusFiles("image");

test.skipIf(every.length === 0)(
  "every picture of the corpus becomes a small profile picture, or is refused with a message",
  async () => expect((await tryPictures(every)).length).toBeGreaterThan(5),
  600_000,
);
