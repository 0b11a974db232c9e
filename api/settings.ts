import { createPrivateKey } from "node:crypto";
import { z } from "zod";
import { lookupKinds } from "#shared/marketing/references.ts";
import type { PlanType } from "#shared/user/schema.ts";

function isSigningKey(text: string): boolean {
  try {
    return createPrivateKey(text).asymmetricKeyType === "ec";
  } catch {
    return false;
  }
}

const oneOf = <const T extends string>(values: readonly [T, ...T[]]) => z.enum(values);
const port = z.coerce.number().int().min(0).max(65535);
const optional = <T extends z.ZodType>(schema: T) => z.preprocess((v) => (v === "" ? undefined : v), schema.optional());

/** The schema of all environment variables; each has an example, which is shown for an invalid value. */
const entries = {
  NODE_ENV: { schema: oneOf(["production", "development", "test"]).default("production"), example: "production" },
  PORT: { schema: port.default(3000), example: "3000" },
  HOST: { schema: z.string().min(1).default("127.0.0.1"), example: "127.0.0.1" },
  PUBLIC_URL: { schema: optional(z.url({ protocol: /^https?$/ })), example: "https://study.example.org" },
  /** The second listener, which serves generated websites; the default is the port after PORT. */
  SITES_PORT: { schema: optional(port), example: "3001" },
  SITES_URL: { schema: optional(z.url({ protocol: /^https?$/ })), example: "https://sites.example.net" },
  DATA_DIR: { schema: z.string().min(1).default(".data"), example: "/var/lib/lamplight" },
  MONGODB_URI: {
    schema: optional(z.string().regex(/^mongodb(\+srv)?:\/\/./)),
    example: "mongodb://127.0.0.1:27017/lamplight?replicaSet=rs0",
  },
  ADMIN_EMAILS: { schema: z.string().default(""), example: "ada@example.org,grace@example.org" },
  REGISTRATION: { schema: optional(oneOf(["open", "invite", "closed"])), example: "open" },
  DEFAULT_PLAN: { schema: optional(oneOf(["FREE", "PLUS", "ULTIMATE", "ENTERPRISE"])), example: "FREE" },
  /** Number of proxies in front of the server; each appends the address that it saw. */
  TRUST_PROXY: { schema: z.coerce.number().int().min(0).max(10).default(0), example: "1" },
  // Who runs this installation, for the legal pages; they stay marked as templates without a name.
  OPERATOR_NAME: { schema: optional(z.string().max(200)), example: "Example School" },
  OPERATOR_ADDRESS: { schema: optional(z.string().max(500)), example: "1 Example Street, 12345 Example Town" },
  OPERATOR_EMAIL: { schema: optional(z.email()), example: "study@example.org" },
  OPERATOR_COUNTRY: { schema: optional(z.string().max(100)), example: "Germany" },
  COMMUNITY_CHAT_URL: { schema: optional(z.url({ protocol: /^https?$/ })), example: "https://chat.example.org/invite" },
  COMMUNITY_FORUM_URL: { schema: optional(z.url({ protocol: /^https?$/ })), example: "https://forum.example.org" },
  // Where students get the browser extension.
  EXTENSION_CHROME_URL: {
    schema: optional(z.url({ protocol: /^https?$/ })),
    example: "https://store.example.org/chrome",
  },
  EXTENSION_FIREFOX_URL: {
    schema: optional(z.url({ protocol: /^https?$/ })),
    example: "https://store.example.org/firefox",
  },
  METRICS_TOKEN: { schema: optional(z.string().min(16)), example: "a long random text of your own" },
  // Storage of an account's files by plan.
  STORAGE_GB_FREE: { schema: z.coerce.number().min(0).default(1), example: "1" },
  STORAGE_GB_PLUS: { schema: z.coerce.number().min(0).default(20), example: "20" },
  STORAGE_GB_ULTIMATE: { schema: z.coerce.number().min(0).default(100), example: "100" },
  // No file is accepted while less than this is free on the disk.
  FREE_DISK_FLOOR_GB: { schema: z.coerce.number().min(0).default(1), example: "1" },
  RATE_LIMIT_FACTOR: { schema: z.coerce.number().positive().default(1), example: "1" },
  GOOGLE_CLIENT_ID: { schema: optional(z.string()), example: "1234.apps.googleusercontent.com" },
  GOOGLE_CLIENT_SECRET: { schema: optional(z.string()), example: "the secret that Google gave you" },
  GOOGLE_ISSUER: {
    schema: z.url({ protocol: /^https?$/ }).default("https://accounts.google.com"),
    example: "https://accounts.google.com",
  },
  GOOGLE_API_BASE: {
    schema: z.url({ protocol: /^https?$/ }).default("https://www.googleapis.com"),
    example: "https://www.googleapis.com",
  },
  APPLE_CLIENT_ID: { schema: optional(z.string()), example: "org.example.study" },
  APPLE_TEAM_ID: { schema: optional(z.string()), example: "A1B2C3D4E5" },
  APPLE_KEY_ID: { schema: optional(z.string()), example: "F6G7H8J9K0" },
  APPLE_PRIVATE_KEY: {
    // The text of the .p8 file; line ends may be written as \n.
    schema: optional(
      z
        .string()
        .transform((text) => text.replaceAll(String.raw`\n`, "\n"))
        .refine(isSigningKey, "not a private key"),
    ),
    example: String.raw`-----BEGIN PRIVATE KEY-----\nMIGT…\n-----END PRIVATE KEY-----`,
  },
  APPLE_ISSUER: {
    schema: z.url({ protocol: /^https?$/ }).default("https://appleid.apple.com"),
    example: "https://appleid.apple.com",
  },
  STRIPE_SECRET_KEY: {
    schema: optional(z.string().regex(/^(sk|rk)_./)),
    example: "sk_live_… (a secret or restricted key)",
  },
  STRIPE_WEBHOOK_SECRET: { schema: optional(z.string().regex(/^whsec_./)), example: "whsec_…" },
  STRIPE_API_BASE: {
    schema: z.url({ protocol: /^https?$/ }).default("https://api.stripe.com"),
    example: "https://api.stripe.com",
  },
  STRIPE_TIMEOUT_MS: { schema: z.coerce.number().int().min(100).max(60_000).default(10_000), example: "10000" },
  SMTP_URL: { schema: optional(z.url({ protocol: /^smtps?$/ })), example: "smtp://user:password@mail.example.org:587" },
  MAIL_FROM: { schema: optional(z.string().regex(/@/)), example: "Lamplight <study@example.org>" },
  FETCH_ALLOW_HOSTS: {
    // Hosts in private networks from which users may fetch.
    schema: z
      .string()
      .regex(/^([^\s,:/]+:\d{1,5}(,\s*[^\s,:/]+:\d{1,5})*)?$/)
      .default("")
      .transform((value) =>
        value
          .split(",")
          .map((host) => host.trim())
          .filter(Boolean),
      ),
    example: "files.school.example:8080",
  },
  LOG_LEVEL: { schema: oneOf(["debug", "info", "warn", "error", "silent"]).default("info"), example: "info" },
  OLLAMA_URL: {
    schema: z.url({ protocol: /^https?$/ }).default("http://127.0.0.1:11434"),
    example: "http://127.0.0.1:11434",
  },
  AI_BASE_URL: { schema: optional(z.url({ protocol: /^https?$/ })), example: "http://127.0.0.1:11434/v1" },
  AI_API_KEY: { schema: optional(z.string()), example: "the key your model server gave you" },
  AI_MODEL: { schema: optional(z.string()), example: "llama3.1:8b" },
  AI_MODELS: { schema: z.string().default(""), example: "llama3.1:8b,qwen2.5:7b" },
  AI_TIMEOUT: { schema: z.coerce.number().int().min(1).max(3600).default(300), example: "600 (seconds)" },
  // Prompts and answers are logged only if the operator turns this on.
  AI_PROMPT_LOG: { schema: oneOf(["off", "on"]).default("off"), example: "on" },
  AI_EMBEDDING_MODEL: { schema: optional(z.string()), example: "nomic-embed-text" },
  STT_BASE_URL: { schema: optional(z.url({ protocol: /^https?$/ })), example: "http://127.0.0.1:8000/v1" },
  STT_API_KEY: { schema: optional(z.string()), example: "the key your speech server gave you" },
  STT_MODEL: { schema: z.string().min(1).default("whisper-1"), example: "whisper-1" },
  TTS_BASE_URL: { schema: optional(z.url({ protocol: /^https?$/ })), example: "http://127.0.0.1:8880/v1" },
  TTS_API_KEY: { schema: optional(z.string()), example: "the key your speech server gave you" },
  TTS_MODEL: { schema: z.string().min(1).default("tts-1"), example: "kokoro" },
  TTS_VOICES: {
    // The voice of the server for each guest.
    schema: z
      .string()
      .regex(/^([A-Z]+_(FEMALE|MALE)=[^,=\s]+(,\s*[A-Z]+_(FEMALE|MALE)=[^,=\s]+)*)?$/)
      .default(""),
    example: "MAYA_FEMALE=af_heart,NOAH_MALE=am_adam",
  },
  YOUTUBE_BASE_URL: {
    schema: z.url({ protocol: /^https?$/ }).default("https://www.youtube.com"),
    example: "https://www.youtube.com",
  },
  // Where research sessions may look besides the student's own library.
  RESEARCH_SOURCES: {
    schema: z
      .string()
      .regex(/^(library|wikipedia|crossref|europepmc|arxiv)(,\s*(library|wikipedia|crossref|europepmc|arxiv))*$/)
      .default("library,wikipedia,crossref,europepmc,arxiv")
      .transform((value) => value.split(",").map((name) => name.trim())),
    example: "library,wikipedia",
  },
  RESEARCH_CONTACT: { schema: optional(z.string().min(3)), example: "study@example.org" },
  SEARCH_URL: { schema: optional(z.url({ protocol: /^https?$/ })), example: "http://127.0.0.1:8888" },
  SEARCH_PROVIDER: { schema: oneOf(["searxng", "tavily", "brave", "exa"]).default("searxng"), example: "searxng" },
  SEARCH_API_KEY: { schema: optional(z.string()), example: "the key your search service gave you" },
  KIWIX_URL: { schema: optional(z.url({ protocol: /^https?$/ })), example: "http://127.0.0.1:8080" },
  OPENALEX_API_KEY: { schema: optional(z.string()), example: "the key OpenAlex gave you" },
  // `{language}` stands for the language of the question.
  WIKIPEDIA_URL: {
    schema: z
      .string()
      .regex(/^https?:\/\/./)
      .default("https://{language}.wikipedia.org"),
    example: "https://{language}.wikipedia.org",
  },
  CROSSREF_URL: {
    schema: z.url({ protocol: /^https?$/ }).default("https://api.crossref.org"),
    example: "https://api.crossref.org",
  },
  OPENLIBRARY_URL: {
    schema: z.url({ protocol: /^https?$/ }).default("https://openlibrary.org"),
    example: "https://openlibrary.org",
  },
  // Whether Explore lists the starter pages of the build; "new" lists them only in installations without accounts.
  STARTER_PAGES: { schema: oneOf(["new", "on", "off"]).default("new"), example: "on" },
  // What visitors of the citation generator may look up.
  CITATION_LOOKUPS: {
    schema: z
      .string()
      .regex(/^((doi|isbn|url)(,\s*(doi|isbn|url))*)?$/)
      .default("")
      .transform((value) => lookupKinds.filter((kind) => value.split(/,\s*/).includes(kind))),
    example: "doi,isbn,url",
  },
  EUROPEPMC_URL: {
    schema: z.url({ protocol: /^https?$/ }).default("https://www.ebi.ac.uk"),
    example: "https://www.ebi.ac.uk",
  },
  ARXIV_URL: {
    schema: z.url({ protocol: /^https?$/ }).default("https://export.arxiv.org"),
    example: "https://export.arxiv.org",
  },
  OPENALEX_URL: {
    schema: z.url({ protocol: /^https?$/ }).default("https://api.openalex.org"),
    example: "https://api.openalex.org",
  },
  AI_DAILY_BUDGET: { schema: optional(z.coerce.number().min(0)), example: "200000 (tokens a day)" },
  // US dollars per million tokens, read and written, for the figures of the administration.
  AI_PRICES: { schema: z.string().default(""), example: "gpt-4o-mini=0.15/0.6,qwen2.5:7b=0/0" },
} as const;

type Entries = typeof entries;
export type Settings = { readonly [K in keyof Entries]: z.output<Entries[K]["schema"]> };

export class InvalidSettingError extends Error {}

const isLoopbackHost = (host: string) => /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(host);

type Reachability = Pick<Settings, "HOST" | "PUBLIC_URL" | "TRUST_PROXY">;

/** The setting that makes the server reachable from other computers; undefined if only this machine reaches it. */
function findPublicSetting({ HOST, PUBLIC_URL, TRUST_PROXY }: Reachability): string | undefined {
  if (!isLoopbackHost(HOST)) return `HOST (${HOST})`;
  if (PUBLIC_URL !== undefined && !isLoopbackHost(new URL(PUBLIC_URL).hostname)) return `PUBLIC_URL (${PUBLIC_URL})`;
  return TRUST_PROXY > 0 ? `TRUST_PROXY (${TRUST_PROXY})` : undefined;
}

/** Whether the server can be reached only from this machine. */
export const isLocalOnly = (settings: Reachability) => findPublicSetting(settings) === undefined;

/** The URL at which browsers reach this server, without a trailing slash. */
export function getPublicUrl({ PUBLIC_URL, PORT }: Pick<Settings, "PUBLIC_URL" | "PORT">): string {
  return (PUBLIC_URL ?? `http://localhost:${PORT}`).replace(/\/$/, "");
}

/** The port of the sites' listener; 0 (any free port) if the port of the app is 0 too. */
export const getSitesPort = ({ SITES_PORT, PORT }: Pick<Settings, "SITES_PORT" | "PORT">): number =>
  SITES_PORT ?? (PORT === 0 ? 0 : (PORT % 65_535) + 1);

/**
 * Who may create an account. The default is "open", if only this machine reaches the server; otherwise the operator
 * must choose.
 */
export function getRegistrationMode(settings: Settings): "open" | "invite" | "closed" {
  return settings.REGISTRATION ?? "open";
}

export const arePaymentsConfigured = ({ STRIPE_SECRET_KEY }: Pick<Settings, "STRIPE_SECRET_KEY">): boolean =>
  STRIPE_SECRET_KEY !== undefined;

/** The plan of new accounts: without configured payments nobody could upgrade, so everything is included. */
export function getDefaultPlan(settings: Settings): PlanType {
  return settings.DEFAULT_PLAN ?? (arePaymentsConfigured(settings) ? "FREE" : "ULTIMATE");
}

/** Reads the environment; throws `InvalidSettingError` with one line that names the variable, the problem and an example. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const settings: Record<string, unknown> = {};
  for (const [name, { schema, example }] of Object.entries(entries)) {
    const parsed = schema.safeParse(env[name]);
    if (!parsed.success) {
      const problem = parsed.error.issues[0]?.message ?? "not usable";
      throw new InvalidSettingError(
        `${name} is set to ${JSON.stringify(env[name])}: ${problem}. Example: ${name}=${example}`,
      );
    }
    settings[name] = parsed.data;
  }
  const read = settings as Settings;
  if (read.SMTP_URL && !read.MAIL_FROM)
    throw new InvalidSettingError(
      `MAIL_FROM must be set when SMTP_URL is set. It is the sender's address. Example: MAIL_FROM=${entries.MAIL_FROM.example}`,
    );
  if (read.STRIPE_SECRET_KEY && !read.STRIPE_WEBHOOK_SECRET)
    throw new InvalidSettingError(
      `STRIPE_WEBHOOK_SECRET must be set when STRIPE_SECRET_KEY is set. It is the signing secret of the webhook. Example: STRIPE_WEBHOOK_SECRET=${entries.STRIPE_WEBHOOK_SECRET.example}`,
    );
  const publicSetting = findPublicSetting(read);
  if (publicSetting !== undefined && read.REGISTRATION === undefined)
    throw new InvalidSettingError(
      `REGISTRATION must be set because ${publicSetting} makes the server reachable from other computers. It says who may create an account. Example: REGISTRATION=closed`,
    );
  return read;
}
