/** Names of channels outside their own folders. */

/** Voice and email are common words; only a literal that is one of them is a channel's name, and `'email'` is a form's field as well. */
const names = /^(?:sms|smses|whatsapp|wabas?|rcs)$/
const literals = /'voice'/

/** Folders of channels, tables that list them, quoted texts, and what plays a part outside the product. */
const mayNameChannels = [
  /\/channels\/(?:sms|rcs|whatsapp|voice|email)\//,
  /^packages\/contract\/src\/(?:channels|index|constants|channels\/table)\.ts$/,
  /^packages\/server\/src\/channels\/(?:index|calls)\.ts$/,
  /^packages\/web\/src\/channels\/(?:index|screens|templates|chats|phone\/phone-message)\.ts$/,
  /\/texts\.ts$/,
  // Words that people choose as passwords; voice notes among the media types.
  /\/auth\/common-passwords\.ts$|\/inbound\/inbound-media\.ts$/,
  /^packages\/simulator\//,
  /^packages\/server\/src\/simulator\.ts$/,
  /\/(?:demo|testing)\//,
  /\/testing\.ts$|\/test-[\w-]+\.ts$|\.test\.tsx?$|\.gallery\.tsx$|\.gen\.ts$|\/db\/schema\.ts$/,
]

/** Lines that name a channel where its name has no place, comments included: `path:line name`. */
export function findChannelNames({ path, text }: { path: string; text: string }): string[] {
  if (!path.startsWith('packages/') || mayNameChannels.some((place) => place.test(path))) return []
  return text.split('\n').flatMap((line, index) => {
    const name = nameIn(line)
    return name ? [`${path}:${index + 1} ${name}`] : []
  })
}

/** The first channel's name in a line; routes are the specification's. */
function nameIn(line: string): string | undefined {
  const plain = line.replace(/\broute: '[^']*'/, '')
  const found = wordsOf(plain).find((word) => names.test(word.toLowerCase()))
  return found ?? /\bwa(?=[A-Z])/.exec(plain)?.[0] ?? literals.exec(plain)?.[0]
}

/** The words of a line, identifiers split: `smsPriceOf`, `sms-price-of` and `SMS_PRICE` all have the word sms, `doublePressMs` has not. */
function wordsOf(line: string): string[] {
  return line.replaceAll('WhatsApp', 'Whatsapp').match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []
}
