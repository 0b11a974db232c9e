import type { v1 } from "#shared/contract/v1.ts";

/** Features that screens belong to: those of the contract, and those without endpoints so far. */
type Feature = keyof typeof v1 | "library" | "sharing" | "website" | "connections" | "capture" | "marketing";

export interface Screen {
  /** `:name` is one path segment, `*name` the rest of the path. */
  path: string;
  feature: Feature;
  /** `guest`: signed-in users are redirected to /home. */
  access: "public" | "guest" | "user" | "admin";
  layout: "landing" | "default" | "centered" | "none";
  /** The document's title. */
  title: string;
}

type Row<P extends string, F extends Feature, A extends Screen["access"], L extends Screen["layout"]> = [
  path: P,
  feature: F,
  access: A,
  layout: L,
  title: string,
];
const screen = <const P extends string, F extends Feature, A extends Screen["access"], L extends Screen["layout"]>(
  ...[path, feature, access, layout, title]: Row<P, F, A, L>
) => ({ path, feature, access, layout, title }) satisfies Screen;
const marketing = <const P extends string>(path: P, title: string) =>
  screen(path, "marketing", "public", "landing", title);
const admin = <const P extends string>(path: P, title: string) => screen(path, "admin", "admin", "default", title);

/** Every route of the product. Router, sitemap and deep links are generated from it. */
export const screens = {
  landing: screen("/", "marketing", "guest", "landing", "Lamplight: read it once, keep it"),
  home: screen("/home", "study", "user", "default", "Home"),
  chat: screen("/chat", "tutor", "user", "default", "Tutor"),
  search: screen("/search", "library", "user", "default", "Search"),
  billing: screen("/billing", "billing", "user", "centered", "Billing"),
  pricing: screen("/pricing", "billing", "public", "landing", "Pricing"),
  login: screen("/login", "auth", "guest", "centered", "Sign in"),
  register: screen("/register", "auth", "guest", "centered", "Create account"),
  logout: screen("/logout", "auth", "public", "centered", "Sign out"),
  settings: screen("/settings", "user", "user", "default", "Settings"),
  assistant: screen("/assistant", "tutor", "user", "none", "Assistant"),
  labs: screen("/labs", "user", "user", "default", "Labs"),
  canvas: screen("/canvas", "tutor", "user", "none", "Canvas"),
  connections: screen("/connections", "connections", "user", "default", "Connections"),
  changelog: screen("/changelog", "marketing", "public", "landing", "What's new"),
  knowledge: screen("/knowledge", "library", "user", "default", "Sources"),
  onboarding: screen("/onboarding", "user", "user", "none", "Welcome"),
  faq: marketing("/faq", "Questions and answers"),
  help: marketing("/help", "Help"),
  helpArticle: marketing("/help/*slug", "Help"),
  blog: marketing("/blog", "Blog"),
  blogPost: marketing("/blog/:post", "Blog"),
  topic: marketing("/topic/:blog_topic", "Topic"),
  explore: screen("/explore", "sharing", "public", "landing", "Explore"),
  exploreSearch: screen("/explore/search", "sharing", "public", "landing", "Search shared content"),
  exploreItem: screen("/explore/*slug", "sharing", "public", "landing", "Explore"),
  share: screen("/s/:share", "sharing", "public", "none", "Shared with you"),
  forgotPassword: screen("/forgot_password", "auth", "guest", "centered", "Reset password"),
  resetPassword: screen("/reset_password", "auth", "public", "centered", "New password"),
  verifyEmail: screen("/verify_email", "auth", "public", "centered", "Verify email"),
  googleCallback: screen("/oauth/google/callback", "auth", "public", "centered", "Signing in"),
  duplicatePage: screen("/duplicate/page/:pageId", "sharing", "user", "centered", "Copy page"),
  duplicatePdf: screen("/duplicate/pdf/:pdfId", "sharing", "user", "centered", "Copy PDF"),

  aiStudy: marketing("/ai/study", "Study with AI"),
  aiTools: marketing("/ai/tools", "AI tools"),
  aiTutor: marketing("/ai/tutor", "AI tutor"),
  aiAssistant: marketing("/ai/assistant", "AI assistant"),
  aiExamPrep: marketing("/ai/exam-prep", "Exam preparation"),
  aiHomeworkHelp: marketing("/ai/homework-help", "Homework help"),
  aiToolsForStudents: marketing("/ai/tools-for-students", "AI tools for students"),
  tos: marketing("/docs/tos", "Terms of service"),
  terms: marketing("/docs/terms", "Terms"),
  privacy: marketing("/docs/privacy", "Privacy"),
  refundPolicy: marketing("/docs/refund-policy", "Refunds"),
  features: marketing("/features", "Features"),
  featureAi: marketing("/features/ai", "AI"),
  featurePdf: marketing("/features/pdf", "PDF study"),
  featureNotes: marketing("/features/notes", "Notes"),
  featureEssays: marketing("/features/essays", "Essays"),
  featureQuizzes: marketing("/features/quizzes", "Quizzes"),
  featureResearch: marketing("/features/research", "Research"),
  featureFlashcards: marketing("/features/flashcards", "Flashcards"),
  tools: marketing("/tools", "Tools"),
  toolAiFlashcards: marketing("/tools/ai-flashcards", "AI flashcards"),
  toolFlashcardMaker: marketing("/tools/flashcard-maker", "Flashcard maker"),
  toolPdfToFlashcards: marketing("/tools/pdf-to-flashcards", "PDF to flashcards"),
  toolImageToFlashcards: marketing("/tools/image-to-flashcards", "Image to flashcards"),
  toolYoutubeToFlashcards: marketing("/tools/youtube-to-flashcards", "YouTube to flashcards"),
  toolPowerpointToFlashcards: marketing("/tools/powerpoint-to-flashcards", "PowerPoint to flashcards"),
  toolCitationGenerator: marketing("/tools/citation-generator", "Citation generator"),
  toolStudySchedule: marketing("/tools/study-schedule-generator", "Study schedule generator"),

  content: screen("/content/all", "library", "user", "default", "All content"),
  folder: screen("/folder/:id", "library", "user", "default", "Folder"),
  page: screen("/page/:id", "pages", "user", "none", "Page"),
  deck: screen("/page/:id/flashcard/*slug", "flashcards", "user", "none", "Flashcards"),
  study: screen("/page/:id/study/:flashcard", "study", "user", "none", "Study"),
  printFlashcards: screen("/page/:id/print_flashcards/:flashcard", "flashcards", "user", "none", "Print flashcards"),
  pdf: screen("/pdf/*slug", "pdf", "user", "none", "PDF"),
  video: screen("/video/*slug", "video", "user", "none", "Video"),
  research: screen("/research", "research", "user", "default", "Research"),
  researchSession: screen("/research/:id", "research", "user", "default", "Research"),
  podcasts: screen("/podcasts", "podcasts", "user", "default", "Podcasts"),
  podcast: screen("/podcast/:id", "podcasts", "user", "default", "Podcast"),
  websites: screen("/website", "website", "user", "default", "Websites"),
  website: screen("/website/:id", "website", "user", "none", "Website"),

  admin: admin("/admin", "Administration"),
  adminStats: admin("/admin/stats", "Figures"),
  adminUser: admin("/admin/user", "Accounts"),
  adminBlog: admin("/admin/blog", "Posts"),
  adminBlogCreate: admin("/admin/blog/create", "New post"),
  adminFileUser: admin("/admin/llm/file_user", "Model calls by file and account"),
  adminFeedback: admin("/admin/product_feedback", "Feedback"),
  adminDemographics: admin("/admin/user_demographics", "Who studies here"),
  adminCompletion: admin("/admin/completion_feedback", "Completion feedback"),
  adminTiming: admin("/admin/subscription_timing", "Subscription timing"),
  adminCancellation: admin("/admin/cancellation_reasons", "Reasons to leave"),
  adminFlashcards: admin("/admin/recent_flashcards", "Recent flashcards"),
  adminConversations: admin("/admin/conversation_history", "Conversations"),
  adminConversation: admin("/admin/conversation_history/:id", "Conversation"),
} as const satisfies Record<string, Screen>;

export type ScreenName = keyof typeof screens;

type Params<P extends string> = P extends `${infer Head}/${infer Tail}`
  ? Params<Head> & Params<Tail>
  : P extends `:${infer Name}` | `*${infer Name}`
    ? Record<Name, string>
    : unknown;

/** The parameters of a screen's path. */
export type ScreenParams<N extends ScreenName> = Params<(typeof screens)[N]["path"]>;

/** The path of a screen on our own origin, with its parameters encoded. */
export function screenPath<N extends ScreenName>(name: N, params: ScreenParams<N>): string {
  const values = params as Record<string, string>;
  return screens[name].path.replaceAll(/([:*])(\w+)/g, (_, prefix: string, key: string) => {
    const value = values[key] ?? "";
    return prefix === "*" ? value.split("/").map(encodeURIComponent).join("/") : encodeURIComponent(value);
  });
}
