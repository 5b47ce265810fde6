import { countSmsParts, type SmsParts } from '@carillon/contract/channels/sms/sms-parts'

/** Replaces every character that forces Unicode with its GSM-7 equivalent, if there is one. */
export function replaceOffenders(text: string): string {
  let fixed = text
  for (const { index, character, replacement } of countSmsParts(text).offenders.toReversed()) {
    if (replacement !== undefined) fixed = fixed.slice(0, index) + replacement + fixed.slice(index + character.length)
  }
  return fixed
}

/** The count after replacement; undefined if it is not shorter. */
export function countAfterFix(text: string, now: SmsParts): SmsParts | undefined {
  if (now.encoding === 'gsm7') return undefined
  const fixed = countSmsParts(replaceOffenders(text))
  return fixed.encoding === 'gsm7' || fixed.parts < now.parts ? fixed : undefined
}
