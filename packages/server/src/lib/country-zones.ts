const zonesByCountry = new Map<string, string[]>()

/**
 * The time zones of a country, one for each pair of offsets in January and July, as the time zone database lists them. Empty for
 * numbers without a country.
 */
export function listZones(country: string): readonly string[] {
  const known = zonesByCountry.get(country)
  if (known) return known
  const zones = findZones(country)
  zonesByCountry.set(country, zones)
  return zones
}

function findZones(country: string): string[] {
  if (!/^[A-Z]{2}$/.test(country)) return []
  // The library's types do not have this method yet.
  const locale = new Intl.Locale('und', { region: country }) as Intl.Locale & { getTimeZones(): string[] | undefined }
  const listed = locale.getTimeZones() ?? []
  const year = new Date().getUTCFullYear()
  const byOffsets = new Map<string, string>()
  for (const zone of listed) {
    const offsets = [0, 6].map((month) => offsetAt(zone, new Date(Date.UTC(year, month, 1)))).join(' ')
    if (!byOffsets.has(offsets)) byOffsets.set(offsets, currentNames[zone] ?? zone)
  }
  return [...byOffsets.values()]
}

/** Names that the runtime still lists under an earlier one. */
const currentNames: Record<string, string> = { 'Asia/Calcutta': 'Asia/Kolkata' }

function offsetAt(zone: string, at: Date): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(at)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
}
