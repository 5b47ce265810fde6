import { Channel } from '@carillon/contract/channels'
/** Code points of the zero in other scripts: Arabic, Persian, nine Indian scripts, full width. */
const zeros = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0xff10]

/** URL schemes and prefixes of links to a number, such as tel: and those of channels. */
const scheme = new RegExp(`^(?:tel|${Channel.options.join('|')}):`, 'i')

/** Removes what address books, spreadsheets and programs add around a phone number; signs of the number itself stay. */
export function plainPhoneText(raw: string): string {
  let text = /^[\x20-\x7e]*$/.test(raw) ? raw : toAscii(raw)
  text = text.trim()
  // ="98765…" and '98765… mark a number as text in spreadsheets.
  const formula = /^="(.*)"$/.exec(text)
  text = (formula?.[1] ?? text).replace(/^'/, '').trim()
  text = text.replace(scheme, '')
  // Programs that treat the column as decimals write 9876543210.0.
  return text.replace(/^(\+?\d{7,})\.0+$/, '$1').trim()
}

/** Converts digits of other scripts, full-width signs and dashes to ASCII, and removes invisible characters of copied numbers. */
function toAscii(raw: string): string {
  return raw
    .replaceAll(/\p{Nd}/gu, toAsciiDigit)
    .replaceAll(/[\p{Cf}\p{Mn}]/gu, '')
    .replaceAll(/\p{Pd}/gu, '-')
    .replaceAll(/\p{Zs}/gu, ' ')
    .replaceAll('\uff0b', '+')
}

function toAsciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  const zero = zeros.find((start) => code >= start && code < start + 10)
  return zero === undefined ? digit : String(code - zero)
}
