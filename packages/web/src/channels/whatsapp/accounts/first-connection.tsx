import { BadgeCheck, Building2, Clock, Phone, type LucideIcon } from 'lucide-react'
import { mayCall } from '../../../lib/call.ts'
import { Button } from '../../../ui/button.tsx'
import { ChannelMark } from '../../channel-mark.tsx'
import { MiniPhone } from '../../phone/mini-phone.tsx'
import { ConnectWithFacebook } from './connect-with-facebook.tsx'
import { texts } from './texts.ts'
import { bracedPieces } from '../../../ui/phone/pieces.ts'

const needed: readonly { icon: LucideIcon; title: string; text: string }[] = [
  {
    icon: Building2,
    title: 'A business portfolio at Meta',
    text: 'With your legal name and website. You can create one during sign-up.',
  },
  {
    icon: Phone,
    title: 'A number that can take a call or an SMS',
    text: 'Not in use in the WhatsApp app, or in the WhatsApp Business app of version 2.24.17 or later.',
  },
  {
    icon: BadgeCheck,
    title: 'A display name people recognise',
    text: 'The same business name as on your website: Meta compares them.',
  },
  {
    icon: Clock,
    title: 'About ten minutes',
    text: 'Meta may take several days to verify the business; you can send before that.',
  },
]

type FirstConnectionProps = { onByHand: () => void; onConnected: () => void }

/** Shown before the first connection: requirements and the two ways to connect. */
export function FirstConnection({ onByHand, onConnected }: FirstConnectionProps) {
  const mayConnect = mayCall('wabas.onboard')
  return (
    <div className="grid gap-x-10 gap-y-6 pb-10 screen-x lg:grid-cols-[minmax(0,560px)_auto]">
      <section aria-labelledby="first-title" className="border-t border-border pt-6">
        <ChannelMark channel="whatsapp" large />
        <h2 id="first-title" className="mt-4 text-section font-semibold">
          {texts.firstUse}
        </h2>
        <p className="mt-1 max-w-[52ch] text-muted-foreground">{texts.firstUseText}</p>
        <h3 className="mt-6 mb-1 text-caption font-medium text-muted-foreground">Before you start</h3>
        <ul className="border-y border-border">
          {needed.map(({ icon: Icon, title, text }) => (
            <li key={title} className="flex gap-3 border-b border-line py-2.5 last:border-0">
              <Icon aria-hidden className="mt-0.5 size-4 text-muted-foreground" />
              <div>
                <b className="font-medium">{title}</b>
                <p className="text-dense text-muted-foreground">{text}</p>
              </div>
            </li>
          ))}
        </ul>
        {mayConnect ? (
          <div className="mt-5 flex flex-wrap items-start gap-2">
            <ConnectWithFacebook onConnected={onConnected} />
            {mayCall('wabas.connect') ? <Button onClick={onByHand}>Connect manually</Button> : null}
          </div>
        ) : (
          <p className="mt-5">{texts.ask}</p>
        )}
      </section>
      <div aria-hidden className="max-lg:hidden">
        <MiniPhone
          scale={0.72}
          message={{
            channel: 'whatsapp',
            sender: 'Your business',
            pieces: bracedPieces('Hi {{1}}, your order is *on its way* and comes today between 4 and 6 pm.', () => ({
              value: 'Priya',
            })),
            buttons: [
              { kind: 'url', text: 'Track parcel' },
              { kind: 'reply', text: 'Tomorrow, please' },
            ],
          }}
        />
      </div>
    </div>
  )
}
