import { MessageSquareText, Plug } from 'lucide-react'
import { ChannelMark } from '../../channels/channel-mark.tsx'
import type { FirstContactWay } from '../../channels/channel-chat.ts'
import { channelChats } from '../../channels/chats.ts'
import type { CallData } from '../../lib/call.ts'
import { useApi } from '../../lib/use-api.ts'
import { AreaLink } from '../../ui/area-link.tsx'
import { Button } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Qr } from '../../ui/qr.tsx'

type Line = CallData<'conversations.lines'>['lines'][number]

/** How customers write to the organisation first: the numbers of its lines, with a code to scan where the channel has links. */
export function FirstContact() {
  const lines = useApi('conversations.lines', {}, { staleTime: 60_000 })
  if (!lines.data) return null
  const ways = lines.data.lines.flatMap(waysOf).slice(0, 6)
  if (ways.length === 0) {
    return (
      <Empty
        icon={Plug}
        title="Connect a channel"
        actions={
          <Button asChild>
            <AreaLink to="channels">Open channels</AreaLink>
          </Button>
        }
      >
        Customers can write to you once a number is connected.
      </Empty>
    )
  }
  return (
    <section
      aria-label="How customers write to you"
      className="mx-auto flex w-full max-w-150 flex-col items-center gap-1 px-5 py-8 text-center"
    >
      <span className="mb-2 grid size-10 place-items-center rounded-lg bg-secondary text-muted-foreground">
        <MessageSquareText aria-hidden className="size-5" />
      </span>
      <h2 className="text-section font-semibold">Customers can write to you first</h2>
      <p className="text-muted-foreground">Share a number, or let them scan its code.</p>
      <ul className="mt-5 flex flex-wrap justify-center gap-3">
        {ways.map(({ line, way }) => (
          <li
            key={`${line._id} ${way.address}`}
            className="flex w-70 flex-col items-center gap-3 rounded-lg border border-border bg-card p-4"
          >
            {way.link ? (
              <Qr text={way.link} label={`QR code of ${way.link}`} className="size-36" />
            ) : (
              <span className="grid size-36 place-items-center px-2 text-dense text-muted-foreground">
                Customers send a text message to this number.
              </span>
            )}
            <span className="flex max-w-full flex-col items-center gap-1">
              <span className="flex max-w-full items-center gap-1.5">
                <ChannelMark channel={line.channel} markOnly />
                <b className="truncate font-medium">{line.name}</b>
              </span>
              <Copyable text={way.address} label="Copy" />
              {way.link ? <Copyable text={way.link} label="Copy" /> : null}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function waysOf(line: Line): { line: Line; way: FirstContactWay }[] {
  return line.addresses.flatMap((address) => {
    const way = channelChats[line.channel]?.wayOf?.(address)
    return way ? [{ line, way }] : []
  })
}
