import { GraphError, invalid, missing } from './graph-error.ts'
import { readInteractive } from './interactive.ts'
import type { Meta } from './meta.ts'
import type { Media, PhoneNumber, Row } from './objects.ts'
import type { PhoneContact, PhoneContent, PhoneMedia, PhonePlace } from './phone-content.ts'
import { defined, needList, needNumber, needRow, needText, needUrl, readText } from './reading.ts'

export type Reading = { meta: Meta; number: PhoneNumber }

/** What the phone will show, and a code with which the message fails later although it was taken. */
export type Read = { content: PhoneContent; failure?: number }

export const freeTypes = [
  'text',
  'image',
  'video',
  'audio',
  'document',
  'sticker',
  'location',
  'contacts',
  'interactive',
  'reaction',
] as const
export type FreeType = (typeof freeTypes)[number]

const mostText = 4096
const mostCaption = 1024

const readers: Record<FreeType, (reading: Reading, message: Row) => Read> = {
  text: (_reading, message) => ({
    content: {
      type: 'text',
      body: needText(needRow(message, 'text'), 'body', { path: "text['body']", most: mostText }),
    },
  }),
  image: (reading, message) => readMediaMessage(reading, message, 'image'),
  video: (reading, message) => readMediaMessage(reading, message, 'video'),
  audio: (reading, message) => readMediaMessage(reading, message, 'audio'),
  document: (reading, message) => readMediaMessage(reading, message, 'document'),
  sticker: (reading, message) => readMediaMessage(reading, message, 'sticker'),
  location: (_reading, message) => ({ content: { type: 'location', place: readPlace(needRow(message, 'location')) } }),
  contacts: (_reading, message) => ({
    content: { type: 'contacts', contacts: needList(message, 'contacts').map(readContact) },
  }),
  interactive: (reading, message) => readInteractive(reading, needRow(message, 'interactive')),
  reaction(_reading, message) {
    const reaction = needRow(message, 'reaction')
    const messageId = needText(reaction, 'message_id', { path: "reaction['message_id']" })
    const emoji = readText(reaction, 'emoji', { most: 30 })
    if (emoji === undefined) throw missing("reaction['emoji']")
    return { content: { type: 'reaction', reaction: { messageId, ...(emoji === '' ? {} : { emoji }) } } }
  },
}

export function readFreeMessage(reading: Reading, message: Row, type: FreeType): Read {
  return readers[type](reading, message)
}

function readMediaMessage(reading: Reading, message: Row, kind: PhoneMedia['kind']): Read {
  const given = needRow(message, kind)
  const caption = kind === 'audio' || kind === 'sticker' ? undefined : readText(given, 'caption', { most: mostCaption })
  const { media, failure } = readMedia(reading, given, kind)
  return {
    content: { type: kind, media, ...(caption === undefined ? {} : { body: caption }) },
    ...(failure === undefined ? {} : { failure }),
  }
}

/** Media by id, which must have been uploaded for this very number, or by link. */
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

export function readPlace(given: Row): PhonePlace {
  const latitude = needNumber(given, 'latitude', "location['latitude']")
  const longitude = needNumber(given, 'longitude', "location['longitude']")
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) throw invalid('location is not on this earth')
  return { latitude, longitude, ...defined({ name: readText(given, 'name'), address: readText(given, 'address') }) }
}

export function readContact(given: Row): PhoneContact {
  const name = needText(needRow(given, 'name', "contacts['name']"), 'formatted_name', {
    path: "contacts['name']['formatted_name']",
  })
  const texts = (list: string, field: string) =>
    given[list] === undefined ? [] : needList(given, list, { least: 0 }).flatMap((each) => readText(each, field) ?? [])
  const organization = given.org === undefined ? undefined : readText(needRow(given, 'org'), 'company')
  return { name, phones: texts('phones', 'phone'), emails: texts('emails', 'email'), ...defined({ organization }) }
}
