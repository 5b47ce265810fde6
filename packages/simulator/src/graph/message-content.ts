import { invalid, missing } from './graph-error.ts'
import { readInteractive } from './interactive.ts'
import { readMedia, type Read, type Reading } from './read-media.ts'
import type { Row } from './objects.ts'
import type { PhoneContact, PhoneMedia, PhonePlace } from './phone-content.ts'
import { defined, needList, needNumber, needRow, needText, readText } from './reading.ts'

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
