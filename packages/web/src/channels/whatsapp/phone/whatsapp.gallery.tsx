import type { Gallery } from '../../../lib/gallery.ts'
import { Device } from '../../../ui/phone/device.tsx'
import { PhonePreview } from '../../phone/phone-preview.tsx'
import type { WhatsappMessage } from './whatsapp-message.ts'
import { WhatsappScreen } from './whatsapp-screen.tsx'
import { bracedPieces } from '../../../ui/phone/pieces.ts'

const samples: Record<string, string> = { 1: 'Priya', 2: 'Wed 4 Nov, 10 am', 3: 'DIYA500' }

const sale: WhatsappMessage = {
  channel: 'whatsapp',
  sender: 'Acme Retail',
  header: { kind: 'image' },
  pieces: bracedPieces(
    'Hi {{1}}, your *early access* to the Acme Diwali sale opens on {{2}}, a day before everyone else.\n\nUse code {{3}} for ₹500 off your first order above ₹2,499. It works once, till _Sunday night_.',
    (name) => ({ value: samples[name] }),
  ),
  footer: 'Reply STOP to opt out',
  buttons: [
    { kind: 'url', text: 'Shop the sale' },
    { kind: 'copy', text: 'Copy code' },
    { kind: 'reply', text: 'Remind me' },
    { kind: 'reply', text: 'Stop promotions' },
  ],
  folds: true,
  answer: 'Remind me',
}

const order: WhatsappMessage = {
  channel: 'whatsapp',
  sender: 'Acme Retail',
  header: { kind: 'text', pieces: bracedPieces('Order {{1}}', () => undefined) },
  pieces: bracedPieces('Hi {{name}}, ~today~ tomorrow at ```10:00```: see acme.in/t/4821', () => undefined),
  buttons: [{ kind: 'phone', text: 'Call the shop' }],
}

const cards: WhatsappMessage = {
  channel: 'whatsapp',
  sender: 'Acme Retail',
  pieces: bracedPieces('Lamps for the feast:', () => undefined),
  cards: ['Brass', 'Clay', 'Glass'].map((name) => ({
    header: { kind: 'image' },
    pieces: [{ text: `A lamp of ${name}` }],
    buttons: [{ kind: 'url', text: 'Open' }],
  })),
}

const place: WhatsappMessage = { ...order, header: { kind: 'location', name: 'Acme, MG Road', address: 'Bengaluru' } }
const bill: WhatsappMessage = { ...order, header: { kind: 'document', name: 'Bill 4821.pdf' }, footer: 'Acme' }

export const gallery: Gallery = {
  title: 'WhatsApp phone',
  states: {
    'a sale': () => <PhonePreview message={sale} />,
    night: () => (
      <Device skin="whatsapp" dark system="ios" scale={0.8} time="8:41">
        <WhatsappScreen message={sale} system="ios" time="8:41 am" />
      </Device>
    ),
    'unfilled variables': () => <PhonePreview message={order} focusedVariable="name" />,
    cards: () => <PhonePreview message={cards} />,
    'a place': () => <PhonePreview message={place} />,
    'a document': () => <PhonePreview message={bill} />,
    empty: () => <PhonePreview message={{ channel: 'whatsapp', sender: '', pieces: [] }} />,
  },
}
