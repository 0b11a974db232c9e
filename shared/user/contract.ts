import { z } from "zod";
import { json } from "#shared/contract/endpoint.ts";
import { Preferences, Streak, Usage, User } from "./schema.ts";

export const user = {
  getPreferences: json({
    method: "GET",
    path: "/v1/user/preferences",
    access: "user",
    summary: "The caller's preferences, defaults filled in",
    input: z.object({}),
    output: Preferences,
    fails: [],
  }),
  savePreferences: json({
    method: "PATCH",
    path: "/v1/user/preferences",
    access: "user",
    summary: "Store the preferences that are sent; a key that is left out keeps its value",
    input: z.record(z.string(), z.unknown()),
    output: Preferences,
    fails: ["bad_input"],
  }),
  getUsage: json({
    method: "GET",
    path: "/v1/user/usage",
    access: "user",
    summary: "What the caller has used today (UTC)",
    input: z.object({}),
    output: Usage,
    fails: [],
  }),
  getStreak: json({
    method: "GET",
    path: "/v1/user/streak",
    access: "user",
    summary: "The caller's study streak",
    input: z.object({}),
    output: Streak,
    fails: [],
  }),
  saveSettings: json({
    method: "PATCH",
    path: "/v1/user/settings",
    access: "user",
    summary: "Change the caller's name or time zone",
    input: z.object({
      name: z.string().trim().min(1).max(120).optional(),
      timezone: z.string().min(1).max(64).optional(),
    }),
    output: z.object({ user: User }),
    fails: ["bad_input"],
  }),
};
