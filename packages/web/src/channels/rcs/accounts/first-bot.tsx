import { botLimits } from '@carillon/contract/channels/rcs/rcs-bot-details'
import { Bot, Check, Copy } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Button } from '../../../ui/button.tsx'
import { copy } from '../../../ui/copy.ts'
import { Empty } from '../../../ui/empty.tsx'

const sizeOf = ({ width, height, bytes }: { width: number; height: number; bytes: number }) =>
  `${width} × ${height} pixels, PNG or JPEG, at most ${bytes / 1024} KB`

/** What to have ready for a request. */
const assets = [
  ['Name and description', `at most ${botLimits.name} and ${botLimits.description} characters`],
  ['Logo', sizeOf(botLimits.logo)],
  ['Banner', sizeOf(botLimits.banner)],
  ['Brand colour', 'dark enough for white text, contrast 4.5 or more'],
  ['Contact', 'a phone number, an email address or a website'],
  ['Links', 'privacy policy and terms of service'],
  ['For the review', 'a contact at the brand, what makes the bot send messages, and how people stop them'],
] as const

/** The first use of the screen: the steps to a bot and the list of what is needed. */
export function FirstBot({ ask }: { ask: ReactNode }) {
  const [isCopied, setCopied] = useState(false)
  const text = assets.map(([name, detail]) => `- ${name}: ${detail}`).join('\n')
  return (
    <>
      <Empty icon={Bot} title={ask ? 'Request your first bot' : 'No RCS bot yet'} actions={ask}>
        Your admin creates bots. Google verifies the brand, and each operator launches the bot.
      </Empty>
      <section aria-label="Checklist" className="mx-auto w-full max-w-160 px-4 pb-10">
        <div className="flex items-center justify-between gap-3">
          <h2 className="text-section font-semibold">Have these ready</h2>
          <Button size="sm" onClick={() => copy(text, () => setCopied(true))}>
            {isCopied ? <Check aria-hidden /> : <Copy aria-hidden />} {isCopied ? 'Copied' : 'Copy list'}
          </Button>
        </div>
        <dl className="mt-3 divide-y divide-line border-y border-border">
          {assets.map(([name, detail]) => (
            <div key={name} className="flex gap-x-4 py-2 max-md:flex-col">
              <dt className="w-44 shrink-0 font-medium">{name}</dt>
              <dd className="text-muted-foreground">{detail}</dd>
            </div>
          ))}
        </dl>
      </section>
    </>
  )
}
