import { PublicSend } from '@carillon/contract/public-message-records'
import type { UserActor } from '../../../actor.ts'
import { smppChannel } from '../../../channels/index.ts'
import { badField, type Problem } from '../../../lib/problem.ts'
import type { Address } from '../../../lib/smpp/requests.ts'
import type { ConfiguredSend } from '../../public-api/index.ts'
import type { SubmittedMessage } from './read-submit.ts'

type Whole = { id: string; message: SubmittedMessage; octets: Buffer }

/** The message as the public API takes it. */
export function toSend(actor: UserActor, { id, message, octets }: Whole): ConfiguredSend | Problem {
  const { source, destination, dataCoding, sendAt, ttlSeconds, entityId, dltTemplateId } = message
  const text = smppChannel.decodeText(octets, dataCoding, 'gsm7').toWellFormed()
  if (text.includes('\0')) return badField('text', 'A message has no NUL characters')
  const read = PublicSend.safeParse({
    channel: smppChannel.channel,
    to: numberOf(actor, destination),
    ...(source.text !== '' && { from: source.text }),
    text,
    sendAt,
    ttlSeconds,
  })
  if (!read.success) {
    const [issue] = read.error.issues
    return badField(issue?.path.join('.') ?? '', issue?.message ?? 'Invalid')
  }
  return { ...read.data, id, ...(entityId && { entityId }), ...(dltTemplateId && { dltTemplateId }) }
}

const international = 1

/** Numbers are international with or without their plus sign, unless the key's config has a country for others. */
function numberOf({ apiKey }: UserActor, { ton, text }: Address): string {
  const isInternational = ton === international || apiKey?.config?.defaults.country === undefined
  return isInternational && /^\d/.test(text) ? `+${text}` : text
}
