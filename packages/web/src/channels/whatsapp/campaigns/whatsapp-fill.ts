import type { VariableSource } from '@carillon/contract/campaign-records'
import { valueOf as filledValue } from '@carillon/contract/variable-values'
import type { HeaderMedia, TemplateValues } from '@carillon/contract/channels/whatsapp/whatsapp-campaigns'
import { phoneMessageOf } from '../phone-message.ts'
import { bracedPieces, type MessagePiece } from '../../../ui/phone/pieces.ts'
import type { WhatsappMessage, WhatsappPhoneHeader } from '../phone/whatsapp-message.ts'
import { slotsOf, type Slot, type TemplateShape } from './whatsapp-slots.ts'

/** Values for variables: one row's values, samples, or column names. */
export type Filling = {
  values: TemplateValues
  columns: readonly string[]
  /** A recipient's cells; 'samples' before there is one, 'names' for the message to all. */
  row: readonly string[] | 'samples' | 'names'
  sender: string
  /** URLs of uploaded files, by Meta's id. */
  mediaUrls?: Readonly<Record<string, string>> | undefined
}

/** A template as shown on one recipient's phone. */
export function filledMessage(template: TemplateShape, filling: Filling): WhatsappMessage {
  const { components, category } = template
  const base = phoneMessageOf(components, { sender: filling.sender, category })
  const slots = slotsOf(template)
  if (category === 'AUTHENTICATION') return withCode(base, slots[0], filling)

  const fill = (belongs: (slot: Slot) => boolean) => (name: string) => {
    const slot = slots.find((one) => one.name === name && belongs(one))
    return slot && fillOf(slot, filling)
  }
  return {
    ...base,
    header: headerOf(base.header, {
      pieces: () =>
        components.header?.format === 'TEXT'
          ? bracedPieces(
              components.header.text,
              fill(({ place }) => place === 'header'),
            )
          : [],
      media: filling.values.media,
      filling,
    }),
    pieces: bracedPieces(
      components.body,
      fill(({ place }) => place === 'body'),
    ),
    cards: base.cards?.map((card, index) => ({
      ...card,
      header:
        headerOf(card.header, { pieces: () => [], media: filling.values.cards[index]?.media, filling }) ?? card.header,
      pieces: bracedPieces(
        components.cards[index]?.body ?? '',
        fill(({ id }) => id.startsWith(`card.${index}.body.`)),
      ),
    })),
  }
}

type HeaderFilling = { pieces: () => MessagePiece[]; media: HeaderMedia | undefined; filling: Filling }

function headerOf(
  header: WhatsappPhoneHeader | undefined,
  { pieces, media, filling }: HeaderFilling,
): WhatsappPhoneHeader | undefined {
  if (!header) return undefined
  if (header.kind === 'text') return { kind: 'text', pieces: pieces() }
  if (header.kind === 'location') {
    const { name, address } = filling.values.location ?? {}
    return { kind: 'location', name: name || undefined, address: address || undefined }
  }
  return { kind: header.kind, url: media && urlOf(media, filling), name: media?.filename }
}

function urlOf(media: HeaderMedia, { row, mediaUrls }: Filling): string | undefined {
  if ('mediaId' in media) return mediaUrls?.[media.mediaId]
  if ('link' in media) return media.link
  if ('fileId' in media) return undefined
  const cell = typeof row === 'string' ? undefined : row[media.column]
  return cell && /^https?:\/\/\S+$/i.test(cell) ? cell : undefined
}

function withCode(message: WhatsappMessage, slot: Slot | undefined, filling: Filling): WhatsappMessage {
  if (!slot) return message
  const [, ...rest] = message.pieces
  return { ...message, pieces: [...bracedPieces('{{code}}', () => fillOf(slot, filling)), ...rest] }
}

function fillOf(slot: Slot, { values, columns, row }: Filling) {
  const source = slot.read(values)
  const column = source?.column === undefined ? undefined : (columns[source.column] ?? `Column ${source.column + 1}`)
  const label = column ?? (slot.name.match(/^\d+$/) ? `{{${slot.name}}}` : slot.name)
  if (row === 'samples') return { value: valueForAll(source) ?? slot.sample, label, column }
  if (row === 'names') return { value: valueForAll(source), label, column }
  return { value: valueOf(source, row), label, column }
}

function valueForAll(source: VariableSource | undefined): string | undefined {
  return source?.column === undefined && source?.fallback ? source.fallback : undefined
}

/** As rendered by the server; Meta accepts one line. */
export function valueOf(source: VariableSource | undefined, row: readonly string[]): string {
  return filledValue(source, row)
    .replaceAll(/[\r\n\t]+/g, ' ')
    .trim()
}
