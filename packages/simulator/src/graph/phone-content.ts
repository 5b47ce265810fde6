/** Location of media bytes: stored by the simulator or at a URL. */
export type PhoneMedia = {
  kind: 'image' | 'video' | 'audio' | 'document' | 'sticker'
  id?: string
  link?: string
  mimeType?: string
  fileName?: string
  voice?: boolean
}

export type PhonePlace = { latitude: number; longitude: number; name?: string; address?: string }

export type PhoneHeader =
  | { kind: 'text'; text: string }
  | { kind: 'media'; media: PhoneMedia }
  | { kind: 'place'; place: PhonePlace }

export type PhoneButton = {
  kind:
    | 'quick_reply'
    | 'reply'
    | 'url'
    | 'phone_number'
    | 'copy_code'
    | 'otp'
    | 'flow'
    | 'catalog'
    | 'location'
    | 'other'
  text: string
  /** Payload returned to the business when tapped. */
  payload?: string
  url?: string
  phoneNumber?: string
  code?: string
}

export type PhoneRow = { id: string; title: string; description?: string }

export type PhoneCard = { header?: PhoneHeader; body?: string; buttons: PhoneButton[] }

export type PhoneContact = { name: string; phones: string[]; emails: string[]; organization?: string }

/** A WhatsApp message as displayed to the person. */
export type PhoneContent = {
  type: string
  header?: PhoneHeader
  body?: string
  footer?: string
  media?: PhoneMedia
  place?: PhonePlace
  contacts?: PhoneContact[]
  /** Without an emoji the reaction is removed. */
  reaction?: { messageId: string; emoji?: string }
  buttons?: PhoneButton[]
  list?: { button: string; sections: { title?: string; rows: PhoneRow[] }[] }
  cards?: PhoneCard[]
  offer?: { text: string; expiresAtMs?: number }
  template?: { id: string; name: string; language: string; category: string }
  /** The message that this one replies to. */
  quotes?: string
  /** The tapped button or row of the quoted message. */
  tapped?: string
}

const labels: Record<PhoneMedia['kind'], string> = {
  image: 'Photo',
  video: 'Video',
  audio: 'Audio',
  document: 'Document',
  sticker: 'Sticker',
}

/** The text in reading order. */
export function textOf(content: PhoneContent): string {
  const { header, body, footer, media, place, contacts, reaction } = content
  const words = [
    header?.kind === 'text' ? header.text : undefined,
    body,
    footer,
    ...(content.cards ?? []).map((card) => card.body),
    place && placeName(place),
    contacts?.map(({ name }) => name).join(', '),
    reaction?.emoji,
  ].filter((each) => each !== undefined)
  if (words.length > 0) return words.join('\n')
  return media ? (media.fileName ?? labels[media.kind]) : `[${content.type}]`
}

function placeName({ name, address, latitude, longitude }: PhonePlace): string {
  return name ?? address ?? `${latitude}, ${longitude}`
}
