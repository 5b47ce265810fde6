import clsx from 'clsx'
import { MiniPhone } from './mini-phone.tsx'
import type { PhoneMessage } from './phone-preview.tsx'

const offer: PhoneMessage = {
  channel: 'sms',
  sender: 'VM-ACMERT-P',
  pieces: [{ text: 'Acme Retail: early access is open. Flat 20% off till 5 Nov. Shop: acme.in/d Stop: acme.in/s' }],
}
const sale: PhoneMessage = {
  channel: 'whatsapp',
  sender: 'Acme Retail',
  header: { kind: 'image' },
  pieces: [{ text: 'Hi Priya, the Diwali sale opens for you first. Use code EARLY20 in any store.' }],
  footer: 'Reply STOP to opt out',
  buttons: [
    { kind: 'url', text: 'Shop the sale' },
    { kind: 'copy', text: 'Copy offer code' },
  ],
}
const order: PhoneMessage = {
  channel: 'sms',
  sender: 'VM-ACMERT-S',
  pieces: [{ text: 'Dear Priya, order 48213 of Rs.3,498 ships today. Track it at acme.in/t -Acme Retail' }],
}

/** Example campaign messages by channel. */
export const exampleMessages = { sms: offer, whatsapp: sale } as const

/** Three messages on three cropped phones: the illustration of empty screens. */
export function ExamplePhones() {
  return (
    <div
      aria-hidden
      inert
      className="flex h-34 items-end justify-center gap-3 overflow-hidden [mask-image:linear-gradient(#000_72%,transparent)]"
    >
      {[offer, sale, order].map((message, index) => (
        <div key={message.sender} className={clsx('shrink-0', index === 1 ? 'h-34' : 'h-28')}>
          <MiniPhone message={message} scale={0.3} />
        </div>
      ))}
    </div>
  )
}
