import type { MessageBody } from '@carillon/contract/conversation-records'
import { truncate } from '@carillon/contract/text'
import { singleLine } from '../lib/text.ts'
import { isRow, rowOf, stringOf, type Row } from './read-json.ts'

const longestText = 4096
const longestLine = 240

/** A text of several lines; empty if there is none. */
export function textIn(value: unknown): string {
  return truncate(stringOf(value) ?? '', longestText)
}

/** A text of one line; undefined if there is none. */
export function lineIn(value: unknown): string | undefined {
  return truncate(singleLine(stringOf(value) ?? ''), longestLine) || undefined
}

export type MessageButton = NonNullable<MessageBody['buttons']>[number]
export type MessageCard = NonNullable<MessageBody['cards']>[number]
type Location = NonNullable<MessageBody['location']>

const mostButtons = 20

/** Buttons without a label are not shown. */
export function buttonsIn(
  values: readonly { kind: MessageButton['kind']; text: unknown }[],
): { buttons: MessageButton[] } | {} {
  const buttons = values.slice(0, mostButtons).flatMap(({ kind, text: given }) => {
    const text = lineIn(given)
    return text === undefined ? [] : [{ kind, text }]
  })
  return buttons.length === 0 ? {} : { buttons }
}

const mediaTypes = ['image', 'video', 'audio', 'document', 'sticker'] as const
export type MediaType = (typeof mediaTypes)[number]

export function isMediaType(type: unknown): type is MediaType {
  return mediaTypes.some((known) => known === type)
}

/**
 * Media with its caption. The state is `waiting`; the reader of the row replaces it by the stored one. `fileId`
 * is our file of media that was sent.
 */
export function mediaBody(type: MediaType, part: Row, { fileId }: { fileId?: unknown } = {}): MessageBody {
  const { mime_type: mimeType, filename, size } = part
  return {
    type,
    text: textIn(part['caption']),
    media: {
      state: 'waiting',
      ...(typeof fileId === 'string' && { fileId }),
      ...definedIn({ mimeType: lineIn(mimeType), name: lineIn(filename) }),
      ...(typeof size === 'number' && size >= 0 && { sizeBytes: size }),
    },
  }
}

/** A place on the map; undefined without valid coordinates. */
export function locationIn(value: unknown): Location | undefined {
  const { latitude, longitude, name, address } = rowOf(value)
  if (!isWithin(latitude, 90) || !isWithin(longitude, 180)) return undefined
  return { latitude, longitude, ...definedIn({ name: lineIn(name), address: lineIn(address) }) }
}

function isWithin(value: unknown, limit: number): value is number {
  return typeof value === 'number' && Math.abs(value) <= limit
}

/** The fields that have a value. */
export function definedIn<Fields extends object>(
  fields: Fields,
): { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> } {
  // Entries of the same fields, of which some are left out.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}

/** The type that a message's content names, and the object under that name. */
export function contentParts(content: unknown): { type: string; part: Row; content: Row } | undefined {
  if (!isRow(content) || typeof content['type'] !== 'string') return undefined
  return { type: content['type'], part: rowOf(content[content['type']]), content }
}
