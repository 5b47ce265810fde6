import clsx from 'clsx'
import { GalleryHorizontalEnd, Mail, MessageSquareText, Phone } from 'lucide-react'
import type { Channel } from '@carillon/contract/channels'
import type { ComponentType, SVGProps } from 'react'

const looks: Record<Channel, { label: string; tint: string; icon: ComponentType<SVGProps<SVGSVGElement>> }> = {
  sms: { label: 'SMS', tint: 'bg-sms-muted text-sms-text', icon: MessageSquareText },
  rcs: { label: 'RCS', tint: 'bg-rcs-muted text-rcs-text', icon: GalleryHorizontalEnd },
  whatsapp: { label: 'WhatsApp', tint: 'bg-whatsapp-muted text-whatsapp-text', icon: BubbleWithHandset },
  voice: { label: 'Voice', tint: 'bg-voice-muted text-voice-text', icon: Phone },
  email: { label: 'Email', tint: 'bg-email-muted text-email-text', icon: Mail },
}

/** A channel's icon with its name; icon only where the name is nearby. */
export function ChannelMark({ channel, markOnly, large }: { channel: Channel; markOnly?: boolean; large?: boolean }) {
  const { label, tint, icon: Icon } = looks[channel]
  return (
    <span className="inline-flex items-center gap-1.5 align-middle whitespace-nowrap">
      <span
        className={clsx('grid shrink-0 place-items-center', large ? 'size-7 rounded-md' : 'size-5 rounded-[5px]', tint)}
      >
        <Icon aria-hidden data-size className={large ? 'size-4' : 'size-3 stroke-2!'} />
      </span>
      <span className={markOnly ? 'sr-only' : undefined}>{label}</span>
    </span>
  )
}

export function channelLabel(channel: Channel): string {
  return looks[channel].label
}

/** Our own icon: a bubble with a handset, not the trademark. */
function BubbleWithHandset(props: SVGProps<SVGSVGElement>) {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      {...props}
    >
      <path d="M12 3a9 9 0 0 0-7.8 13.5L3 21l4.6-1.2A9 9 0 1 0 12 3Z" />
      <path d="M9 8.6c-.6.5-.7 1.6.1 2.9a8 8 0 0 0 3.3 3.2c1.3.7 2.4.5 2.9-.2.4-.6.2-1-.3-1.3l-1-.6c-.4-.2-.7-.1-1 .3-.3.4-.6.4-1 .1a6 6 0 0 1-1.1-1.1c-.3-.4-.3-.7.1-1 .4-.3.5-.6.3-1l-.6-1c-.3-.6-.9-.8-1.7-.3Z" />
    </svg>
  )
}
