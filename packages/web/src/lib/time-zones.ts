type Indexed = { city: string; words: string }

/** Names used here by the outdated names that some browsers return. */
const renamed: Readonly<Record<string, string>> = {
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Europe/Kiev': 'Europe/Kyiv',
}

/** Common abbreviations; browsers know most of them only in the local language. */
const abbreviations: Readonly<Record<string, readonly string[]>> = {
  IST: ['Asia/Kolkata', 'Asia/Jerusalem', 'Europe/Dublin'],
  PKT: ['Asia/Karachi'],
  NPT: ['Asia/Kathmandu'],
  GST: ['Asia/Dubai'],
  AST: ['Asia/Riyadh', 'America/Halifax'],
  SGT: ['Asia/Singapore'],
  HKT: ['Asia/Hong_Kong'],
  JST: ['Asia/Tokyo'],
  KST: ['Asia/Seoul'],
  MSK: ['Europe/Moscow'],
  WIB: ['Asia/Jakarta'],
  'GMT BST': ['Europe/London'],
  'CET CEST': ['Europe/Berlin', 'Europe/Paris', 'Europe/Madrid', 'Europe/Rome', 'Europe/Amsterdam'],
  'EET EEST': ['Europe/Helsinki', 'Europe/Athens', 'Europe/Kyiv'],
  EAT: ['Africa/Nairobi'],
  SAST: ['Africa/Johannesburg'],
  WAT: ['Africa/Lagos'],
  'EST EDT ET': ['America/New_York', 'America/Toronto'],
  'CST CDT CT': ['America/Chicago'],
  'MST MDT MT': ['America/Denver'],
  'PST PDT PT': ['America/Los_Angeles'],
  BRT: ['America/Sao_Paulo'],
  'AEST AEDT': ['Australia/Sydney', 'Australia/Melbourne'],
  AWST: ['Australia/Perth'],
  'NZST NZDT': ['Pacific/Auckland'],
}

/** Time zones that match a city, country, abbreviation or UTC offset, best match first. */
export function findTimeZones(text: string, first: readonly string[] = []): string[] {
  const wanted = plain(text)
  // On a tie, the zone most accounts use.
  const ahead = [...first, 'Asia/Kolkata']
  const place = (zone: string) => (ahead.includes(zone) ? ahead.indexOf(zone) : ahead.length)
  const offset = readOffset(wanted)
  const rankOf = !wanted ? () => 0 : offset === undefined ? rankBy(wanted) : rankByOffset(offset)
  return listZones()
    .map((zone) => ({ zone, rank: rankOf(zone) }))
    .filter(({ rank }) => rank < noMatch)
    .toSorted((one, other) => one.rank - other.rank || place(one.zone) - place(other.zone))
    .map(({ zone }) => zone)
}

const offsets = new Map<string, string>()

/** The current offset, such as 'GMT+5:30'. */
export function timeZoneOffset(timeZone: string): string {
  const known = offsets.get(timeZone)
  if (known !== undefined) return known
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'shortOffset' }).formatToParts(new Date())
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  offsets.set(timeZone, offset)
  return offset
}

const noMatch = 4

function rankByOffset(offset: string) {
  return (zone: string): number => {
    const own = timeZoneOffset(zone)
    return own === offset ? 0 : own.startsWith(offset) ? 1 : noMatch
  }
}

let index: ReadonlyMap<string, Indexed> | undefined

function rankBy(wanted: string) {
  const indexed = (index ??= buildIndex())
  return (zone: string): number => {
    const { city, words } = indexed.get(zone) ?? { city: '', words: '' }
    if (words.includes(` ${wanted} `)) return 0
    if (city.startsWith(wanted)) return 1
    if (words.includes(` ${wanted}`)) return 2
    return wanted.split(' ').every((part) => words.includes(` ${part}`)) ? 3 : noMatch
  }
}

/** Normalises '+5:30', 'GMT+05:30', 'utc +530' to 'GMT+5:30'; undefined for other text. */
function readOffset(text: string): string | undefined {
  const found = /^(?:gmt|utc)? ?([+-−]) ?0?(1[0-4]|\d)(?::?([0-5]\d?)?)?$/.exec(text)
  if (!found) return undefined
  const [, sign, hours, minutes] = found
  return `GMT${sign === '+' ? '+' : '-'}${Number(hours)}${minutes && minutes !== '00' ? `:${minutes}` : ''}`
}

let zones: readonly string[] | undefined

/** Every zone once, by the name used here. */
function listZones(): readonly string[] {
  zones ??= [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => renamed[zone] ?? zone))].toSorted()
  return zones
}

function buildIndex(): ReadonlyMap<string, Indexed> {
  const countries = countriesByZone()
  return new Map(
    listZones().map((zone) => {
      const old = Object.keys(renamed).filter((name) => renamed[name] === zone)
      const called = Object.keys(abbreviations).filter((name) => abbreviations[name]?.includes(zone))
      const words = [zone, ...old, ...called, ...(countries.get(zone) ?? [])]
      return [zone, { city: plain(zone.split('/').at(-1) ?? zone), words: ` ${plain(words.join(' '))} ` }]
    }),
  )
}

/** In English, of those that this browser knows. */
function countriesByZone(): Map<string, string[]> {
  const names = new Intl.DisplayNames('en', { type: 'region' })
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('')
  const found = new Map<string, string[]>()
  for (const region of letters.flatMap((one) => letters.map((other) => one + other))) {
    for (const zone of zonesOf(region)) {
      const name = renamed[zone] ?? zone
      found.set(name, [...(found.get(name) ?? []), names.of(region) ?? '', region])
    }
  }
  return found
}

function zonesOf(region: string): readonly string[] {
  // Not in every browser; there, zones are found by city only.
  const locale = new Intl.Locale(`und-${region}`) as Intl.Locale & { getTimeZones?: () => string[] | undefined }
  return locale.getTimeZones?.() ?? []
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[^\p{L}\d+:−-]+/gu, ' ')
    .trim()
}
