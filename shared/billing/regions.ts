const EURO = "AT BE CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK BG".split(" ");

const OTHERS =
  "US:usd GB:gbp CH:chf LI:chf DK:dkk SE:sek NO:nok PL:pln CZ:czk HU:huf RO:ron IS:isk CA:cad MX:mxn BR:brl CO:cop CL:clp PE:pen AU:aud NZ:nzd JP:jpy KR:krw TW:twd HK:hkd SG:sgd MY:myr TH:thb ID:idr PH:php VN:vnd IN:inr IL:ils TR:try AE:aed SA:sar ZA:zar EG:egp NG:ngn KE:kes".split(
    " ",
  );

/** The currency of each country that has one of its own at the payment provider; everywhere else it is US dollars. */
const currencies: Readonly<Record<string, string>> = Object.fromEntries([
  ...EURO.map((country) => [country, "eur"]),
  ...OTHERS.map((pair) => pair.split(":")),
]);

export const currencyOf = (country: string): string => currencies[country] ?? "usd";

const isCountry = (text: string | undefined): text is string => text !== undefined && /^[A-Z]{2}$/.test(text);

let countriesByZone: Map<string, string> | undefined;

/** TypeScript's types do not include `getTimeZones` yet. */
type RegionLocale = Intl.Locale & { getTimeZones?: () => string[]; timeZones?: string[] };

/** The country of an IANA time zone, of those that have a currency here. */
export function countryOfTimezone(timezone: string): string | undefined {
  countriesByZone ??= new Map(
    Object.keys(currencies).flatMap((country) => {
      const locale: RegionLocale = new Intl.Locale(`und-${country}`);
      return (locale.getTimeZones?.() ?? locale.timeZones ?? []).map((zone) => [zone, country] as const);
    }),
  );
  return countriesByZone.get(timezone);
}

interface CountryHints {
  /** Set by a proxy that the operator trusts. */
  header: string | undefined;
  timezone: string | undefined;
  acceptLanguage: string | undefined;
}

/** The visitor's country: from the proxy's header, otherwise the time zone, otherwise the browser's languages. */
export function findCountry({ header, timezone, acceptLanguage }: CountryHints): string {
  const fromHeader = header?.toUpperCase();
  // XX and T1 stand for an unknown country and for Tor (https://developers.cloudflare.com/fundamentals/reference/http-headers/).
  if (isCountry(fromHeader) && fromHeader !== "XX" && fromHeader !== "T1") return fromHeader;
  const fromZone = timezone === undefined ? undefined : countryOfTimezone(timezone);
  if (fromZone !== undefined) return fromZone;
  const region = /(?:^|[,\s])[a-z]{2,3}-([A-Z]{2})\b/i.exec(acceptLanguage ?? "")?.[1]?.toUpperCase();
  return isCountry(region) ? region : "US";
}
