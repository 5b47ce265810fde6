const names = new Intl.DisplayNames(['en'], { type: 'region' })
const listFormat = new Intl.ListFormat('en')

/** Maximum number of countries listed by name; the rest is counted. */
const mostNamed = 4

/** English name of a country; numbers such as +800 belong to no country. */
export function countryName(country: string): string {
  return country === '001' ? 'international numbers' : (names.of(country) ?? country)
}

export function nameCountries(countries: readonly string[]): string {
  const named = countries.slice(0, countries.length > mostNamed ? mostNamed - 1 : mostNamed).map(countryName)
  const rest = countries.length - named.length
  return listFormat.format(rest > 0 ? [...named, `${rest} more countries`] : named)
}
