import { parseSharedText } from '@carillon/contract/shared-text'
import type { SmsVariable } from '@carillon/contract/channels/sms/sms-templates'

type Written = { body: string; variables: SmsVariable[] }

/** A shared text as an SMS body: each variable becomes a DLT tag. Samples of variables with the same name are kept. */
export function writeSmsText(text: string, known: readonly SmsVariable[] = []): Written {
  const variables: SmsVariable[] = []
  const body = parseSharedText(text)
    .map((piece) => {
      if (typeof piece === 'string') return piece
      const name = freeName(piece.variable, variables)
      const before = known.find((variable) => variable.name === name)
      variables.push({ name, kind: before?.kind ?? 'var', sample: before?.sample ?? '' })
      return `{#${before?.kind ?? 'var'}#}`
    })
    .join('')
  return { body, variables }
}

/** A template names each of its variables differently: the second `name` is `name_2`. */
function freeName(name: string, taken: readonly SmsVariable[]): string {
  const isTaken = (wanted: string) => taken.some((variable) => variable.name === wanted)
  let [free, count] = [name, 1]
  while (isTaken(free)) {
    count += 1
    free = `${name.slice(0, 37)}_${count}`
  }
  return free
}

/** Whether a template's text is this shared text. */
export function isSmsText(text: string, { body, variables }: Written): boolean {
  const written = writeSmsText(text, variables)
  return written.body === body && written.variables.every((variable, index) => variable.name === variables[index]?.name)
}
