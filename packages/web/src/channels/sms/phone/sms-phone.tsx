import { lazyPart } from '../../../lib/lazy-part.tsx'
import { textOfPieces } from '../../../ui/phone/pieces.ts'
import type { ChannelPhone, PhoneScreenProps } from '../../channel-phone.ts'
import { PhoneLoading } from '../../phone/phone-loading.tsx'
import './sms-phone.css'

const SmsScreen = lazyPart(() => import('./sms-screen.tsx').then((code) => code.SmsScreen), <PhoneLoading />)

function Screen({ message, ...props }: PhoneScreenProps) {
  return message.channel === 'sms' ? <SmsScreen message={message} {...props} /> : null
}

export const smsPhone: ChannelPhone = {
  Screen,
  hasParts: true,
  textOf: ({ pieces }) => textOfPieces(pieces),
  examples: [
    {
      channel: 'sms',
      sender: 'VM-ACMERT-P',
      pieces: [{ text: 'Acme Retail: early access is open. Flat 20% off till 5 Nov. Shop: acme.in/d Stop: acme.in/s' }],
    },
    {
      channel: 'sms',
      sender: 'VM-ACMERT-S',
      pieces: [{ text: 'Dear Priya, order 48213 of Rs.3,498 ships today. Track it at acme.in/t -Acme Retail' }],
    },
  ],
  greetingOf: (text) => ({ channel: 'sms', sender: 'VM-HELLO-S', pieces: [{ text }] }),
}
