import { rating as german } from "#shared/messages/de/app/rating.ts";
import { rating } from "#shared/messages/en/app/rating.ts";
import { isGerman } from "./ui-language.ts";

/** The web app's strings for thumbs. */
export const ratingWords: Readonly<Record<keyof typeof rating, string>> = isGerman ? german : rating;
