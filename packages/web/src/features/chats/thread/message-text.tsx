import type { Channel } from '@carillon/contract/channels'
import clsx from 'clsx'
import { memo } from 'react'
import type { TextLook } from '../../../channels/channel-chat.ts'
import { channelChats } from '../../../channels/chats.ts'
import { cutRuns, type Mark } from '../../../ui/phone/text-runs.ts'
import { findSafeLinks } from './safe-links.ts'

type Look = TextLook | { href: string }

const looks: Record<TextLook, string> = {
  bold: 'font-semibold',
  italic: 'italic',
  strike: 'line-through',
  mono: 'font-mono text-dense',
  marker: '',
}

/** The text of a message. Only web addresses become links; everything else, such as HTML, stays text. */
export const MessageText = memo(function MessageText({ text, channel }: { text: string; channel: Channel }) {
  const formats = channelChats[channel]?.formatsOf?.(text) ?? []
  const marks: Mark<Look>[] = [
    ...formats,
    ...findSafeLinks(text).map(({ start, end, href }) => ({ start, end, look: { href } })),
  ]
  return (
    <span dir="auto" className="message-text block whitespace-pre-wrap [overflow-wrap:anywhere]">
      {marks.length === 0
        ? text
        : cutRuns(text, marks).map((run) => {
            const named = run.looks.filter((look) => typeof look === 'string')
            if (named.includes('marker')) return null
            const link = run.looks.find((look) => typeof look === 'object')
            const className = clsx(named.map((look) => looks[look]))
            if (link) {
              return (
                <a
                  key={run.start}
                  href={link.href}
                  target="_blank"
                  rel="noopener noreferrer"
                  className={clsx('underline decoration-1 underline-offset-2', className)}
                >
                  {run.text}
                </a>
              )
            }
            return className ? (
              <span key={run.start} className={className}>
                {run.text}
              </span>
            ) : (
              run.text
            )
          })}
    </span>
  )
})
