import { expect, test } from "vitest";
import { extension as deExtension } from "#shared/messages/de/app/extension.ts";
import { extensionPage as dePage } from "#shared/messages/de/app/extension-page.ts";
import { extensionPanel as dePanel } from "#shared/messages/de/app/extension-panel.ts";
import { assist as deAssist } from "#shared/messages/de/study/assist.ts";
import { mails as deMails } from "#shared/messages/de/account/mails.ts";
import { assist } from "#shared/messages/en/study/assist.ts";
import { extension } from "#shared/messages/en/app/extension.ts";
import { extensionPage } from "#shared/messages/en/app/extension-page.ts";
import { extensionPanel } from "#shared/messages/en/app/extension-panel.ts";
import { mails } from "#shared/messages/en/account/mails.ts";
import { english } from "#shared/messages/english.ts";
import { table, titles } from "#shared/messages/german.ts";
import { screens } from "#shared/screens.ts";
import { screenComponents } from "#webapp/routes/screen-components.ts";

type Words = Readonly<Record<string, Readonly<Record<string, string>>>>;

const placeholders = (message: string) =>
  [...message.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = ""]) => name).toSorted((a, b) => a.localeCompare(b));
const entriesOf = (words: Words) =>
  Object.entries(words).flatMap(([feature, messages]) =>
    Object.entries(messages).map(([key, message]) => [`${feature}.${key}`, message] as const),
  );

// The extension, mails and the server's texts about cards have separate tables.
const inEnglish = new Map(entriesOf({ ...english, extension, extensionPage, extensionPanel, mails, assist }));
const inGerman = new Map(
  entriesOf({
    ...table,
    extension: deExtension,
    extensionPage: dePage,
    extensionPanel: dePanel,
    mails: deMails,
    assist: deAssist,
  }),
);

test("the German messages have exactly the keys of the English ones", () => {
  expect([...inEnglish.keys()].filter((key) => !inGerman.has(key))).toEqual([]);
  expect([...inGerman.keys()].filter((key) => !inEnglish.has(key))).toEqual([]);
});

test("a German message has the same placeholders as the English one", () => {
  const wrong = [...inGerman].filter(
    ([key, message]) => String(placeholders(message)) !== String(placeholders(inEnglish.get(key) ?? "")),
  );
  expect(wrong).toEqual([]);
});

test("every existing screen has a German title", () => {
  const shown = Object.keys(screenComponents).map((name) => screens[name as keyof typeof screenComponents].title);
  expect([...new Set(shown)].filter((title) => titles[title] === undefined)).toEqual([]);
});
