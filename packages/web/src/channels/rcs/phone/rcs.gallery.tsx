import type { Gallery } from '../../../lib/gallery.ts'
import { bracedPieces } from '../../../ui/phone/pieces.ts'
import { Device } from '../../../ui/phone/device.tsx'
import { PhonePreview } from '../../phone/phone-preview.tsx'
import type { RcsMessage, RcsPhoneCard } from './rcs-message.ts'
import { rcsPhone } from './rcs-phone.tsx'
import { RcsScreen } from './rcs-screen.tsx'

const brand = { channel: 'rcs', sender: 'Acme Retail', color: '#12505e', isVerified: true } as const
const text = (value: string) => bracedPieces(value, () => undefined)

const card: RcsPhoneCard = {
  media: { kind: 'image', description: 'Three lit diyas' },
  title: text('Your order {{order}} is packed'),
  description: text('Hi {{name}}, it reaches you on 4 Nov between 10 am and 1 pm. Track it at acme.in/t'),
  suggestions: [
    { kind: 'open_url', text: 'Track order', effect: 'Opens acme.in/t in the browser' },
    { kind: 'dial', text: 'Call us', effect: 'Opens the dialler with +91 98765 43210' },
  ],
}

const standAlone: RcsMessage = { ...brand, pieces: [], cards: [card], layout: { height: 'MEDIUM' } }
const beside: RcsMessage = { ...standAlone, layout: { orientation: 'HORIZONTAL', alignment: 'LEFT' } }
const cards = ['Brass diyas', 'String lights', 'Sweets'].map((name, index) => ({
  ...card,
  title: text(name),
  description: text(
    index === 1 ? 'Ten metres, warm white, with a timer and a remote control. From ₹349.' : 'From ₹499.',
  ),
}))
const carousel: RcsMessage = {
  ...brand,
  pieces: [],
  cards,
  isCarousel: true,
  layout: { width: 'MEDIUM', height: 'SHORT' },
  suggestions: [
    { kind: 'reply', text: 'Remind me', effect: 'Sends “Remind me” to you as a message' },
    { kind: 'view_location', text: 'Nearest shop', effect: 'Searches the map for “Acme near me”' },
    { kind: 'share_location', text: 'Share location', effect: 'Asks to send their location to you' },
    { kind: 'create_calendar_event', text: 'Add the sale', effect: 'Adds “Sale” to the calendar' },
  ],
}
const broken = {
  ...card,
  media: { kind: 'image', url: '/no-such-image.jpg' },
} as const satisfies RcsPhoneCard

export const gallery: Gallery = {
  title: 'RCS phone',
  states: {
    example: () => <PhonePreview message={rcsPhone.examples[0] ?? carousel} />,
    text: () => (
      <PhonePreview message={{ ...brand, pieces: text('Hi {{name}}, order {{order}} has left Pune: acme.in/t') }} />
    ),
    'a card': () => <PhonePreview message={standAlone} focusedPart="card.0.title" />,
    'a tall card': () => <PhonePreview message={{ ...standAlone, layout: { height: 'TALL' } }} />,
    'media on the left': () => <PhonePreview message={beside} />,
    'media on the right': () => (
      <PhonePreview message={{ ...beside, layout: { orientation: 'HORIZONTAL', alignment: 'RIGHT' } }} />
    ),
    'a carousel': () => <PhonePreview message={carousel} focusedPart="card.1.description" />,
    'small cards': () => <PhonePreview message={{ ...carousel, layout: { width: 'SMALL', height: 'SHORT' } }} />,
    night: () => (
      <Device skin="rcs" dark system="ios" scale={0.8} time="8:41">
        <RcsScreen message={carousel} system="ios" time="8:41 am" />
      </Device>
    ),
    'media that cannot be loaded': () => <PhonePreview message={{ ...standAlone, cards: [broken] }} />,
    'a video and a PDF': () => (
      <PhonePreview
        message={{
          ...carousel,
          cards: [
            { ...card, media: { kind: 'video' } },
            { ...card, media: { kind: 'pdf' } },
          ],
        }}
      />
    ),
    'as an SMS': () => (
      <PhonePreview
        message={carousel}
        instead={{ channel: 'sms', sender: 'VM-ACMERT-P', pieces: text('Sale is on') }}
      />
    ),
    empty: () => <PhonePreview message={{ channel: 'rcs', sender: '', pieces: [] }} />,
  },
}
