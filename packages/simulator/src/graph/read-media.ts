import { GraphError } from './graph-error.ts'
import type { Meta } from './meta.ts'
import type { Media, PhoneNumber, Row } from './objects.ts'
import type { PhoneContent, PhoneMedia } from './phone-content.ts'
import { defined, needUrl, readText } from './reading.ts'

export type Reading = { meta: Meta; number: PhoneNumber }

/** The displayed content, and the code of a later failure, if any. */
export type Read = { content: PhoneContent; failure?: number }

/** Media by id, uploaded for the same number, or by link. */
export function readMedia(
  { meta, number }: Reading,
  given: Row,
  kind: PhoneMedia['kind'],
): { media: PhoneMedia; failure?: number } {
  const id = readText(given, 'id')
  const shown = defined({
    fileName: kind === 'document' ? readText(given, 'filename', { most: 240 }) : undefined,
    voice: kind === 'audio' && given.voice === true ? true : undefined,
  })
  if (id === undefined) {
    if (given.link === undefined) throw new GraphError(100, `${kind} needs id or link`)
    return { media: { kind, link: needUrl(given, 'link', `${kind}['link']`), ...shown } }
  }
  const media = meta.media.get(id)
  if (media?.phoneNumberId !== number.id || media.expiresAtMs < Date.now())
    throw new GraphError(100, {
      message: `(#100) Param ${kind}['id'] is not a valid whatsapp business account media attachment ID`,
    })
  const mimeType = media.mimeType
  return {
    media: { kind, id, mimeType, ...defined({ fileName: media.fileName }), ...shown },
    ...(fits(media, kind) ? {} : { failure: 131053 }),
  }
}

function fits({ mimeType }: Media, kind: PhoneMedia['kind']): boolean {
  if (kind === 'document') return true
  return kind === 'sticker' ? mimeType === 'image/webp' : mimeType.startsWith(`${kind}/`) && mimeType !== 'image/webp'
}
