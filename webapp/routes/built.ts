import { lazyRouteComponent, type RouteComponent } from "@tanstack/react-router";
import type { ScreenName } from "#shared/screens.ts";

/** The screens that exist, each in a file of its own that is fetched when it is opened. The rest answer "not found". */
export const built: Partial<Record<ScreenName, RouteComponent>> = {
  landing: lazyRouteComponent(() => import("#webapp/marketing/landing-screen.tsx"), "LandingScreen"),
  login: lazyRouteComponent(() => import("#webapp/auth/login-screen.tsx"), "LoginScreen"),
  register: lazyRouteComponent(() => import("#webapp/auth/register-screen.tsx"), "RegisterScreen"),
  logout: lazyRouteComponent(() => import("#webapp/auth/logout-screen.tsx"), "LogoutScreen"),
  forgotPassword: lazyRouteComponent(() => import("#webapp/auth/forgot-screen.tsx"), "ForgotScreen"),
  resetPassword: lazyRouteComponent(() => import("#webapp/auth/reset-screen.tsx"), "ResetScreen"),
  verifyEmail: lazyRouteComponent(() => import("#webapp/auth/verify-screen.tsx"), "VerifyScreen"),
  changelog: lazyRouteComponent(() => import("#webapp/marketing/changelog-screen.tsx"), "ChangelogScreen"),
  home: lazyRouteComponent(() => import("#webapp/study/home-screen.tsx"), "HomeScreen"),
  page: lazyRouteComponent(() => import("#webapp/routes/page-route.tsx"), "PageRoute"),
  pdf: lazyRouteComponent(() => import("#webapp/routes/pdf-route.tsx"), "PdfRoute"),
  settings: lazyRouteComponent(() => import("#webapp/user/settings-screen.tsx"), "SettingsScreen"),
  content: lazyRouteComponent(() => import("#webapp/library/content-screen.tsx"), "ContentScreen"),
  search: lazyRouteComponent(() => import("#webapp/library/search-screen.tsx"), "SearchScreen"),
  knowledge: lazyRouteComponent(() => import("#webapp/library/knowledge-screen.tsx"), "KnowledgeScreen"),
  folder: lazyRouteComponent(() => import("#webapp/library/folder-screen.tsx"), "FolderScreen"),
  chat: lazyRouteComponent(() => import("#webapp/tutor/chat-screen.tsx"), "ChatScreen"),
  assistant: lazyRouteComponent(() => import("#webapp/tutor/chat-screen.tsx"), "AssistantScreen"),
  deck: lazyRouteComponent(() => import("#webapp/flashcards/deck-screen.tsx"), "DeckScreen"),
  printFlashcards: lazyRouteComponent(() => import("#webapp/flashcards/print-screen.tsx"), "PrintScreen"),
  connections: lazyRouteComponent(() => import("#webapp/connections/connections-screen.tsx"), "ConnectionsScreen"),
  googleCallback: lazyRouteComponent(() => import("#webapp/routes/google-callback-route.tsx"), "GoogleCallbackRoute"),
  study: lazyRouteComponent(() => import("#webapp/routes/study-route.tsx"), "StudyRoute"),
  video: lazyRouteComponent(() => import("#webapp/routes/video-route.tsx"), "VideoRoute"),
};
