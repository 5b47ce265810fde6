import type { Audience } from '@carillon/contract/audience'
import type { DraftRecipient, DraftRecipients } from '@carillon/contract/campaign-drafts'
import type { Channel } from '@carillon/contract/channels'
import { useQueryClient } from '@tanstack/react-query'
import { SearchX, Users } from 'lucide-react'
import { useEffect, useState } from 'react'
import { ChannelMark, channelLabel } from '../../../channels/channel-mark.tsx'
import { formatPhone } from '../../../lib/format.ts'
import { refresh, useApi } from '../../../lib/use-api.ts'
import { Pager } from '../../../ui/data-screen/pager.tsx'
import { SearchBox } from '../../../ui/data-screen/search-box.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Region } from '../../../ui/region.tsx'
import { Sheet } from '../../../ui/sheet.tsx'
import { personName } from './person-name.ts'

/** The people counted by a number of the estimate: those who begin with a leg, get the winner of a test, or get no message. */
export type ShownGroup =
  | { group: 'leg'; leg: number; channel: Channel; letter?: string | undefined }
  | { group: 'rest' }
  | { group: 'excluded' }

type Columns = Pick<Audience, 'columns' | 'mapping'>
type DraftRecipientsSheetProps = {
  draftId: string
  shown: ShownGroup
  /** The number that was pressed. */
  figure: number
  audience: Columns
  onClose: () => void
}

/** Lists the people behind a number of the review, before anything is sent to them. */
export function DraftRecipientsSheet({ shown, onClose, ...list }: DraftRecipientsSheetProps) {
  const title = titleOf(shown)
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && onClose()}
      name={title}
      isToRead
      title={
        <>
          {shown.group === 'leg' ? <ChannelMark channel={shown.channel} markOnly /> : null}
          {title}
        </>
      }
    >
      <p className="border-b border-line px-5 py-3 text-dense text-muted-foreground">{explain(shown)}</p>
      <RecipientList {...list} shown={shown} />
    </Sheet>
  )
}

function titleOf(shown: ShownGroup): string {
  switch (shown.group) {
    case 'leg':
      return `Begin with ${shown.letter ? `message ${shown.letter}` : channelLabel(shown.channel)}`
    case 'rest':
      return 'Get the winner'
    case 'excluded':
      return 'Get no message'
  }
}

function explain(shown: ShownGroup): string {
  switch (shown.group) {
    case 'leg':
      return `They are sent ${shown.letter ? `message ${shown.letter} of the test` : `the ${channelLabel(shown.channel)} message`} first. Who receives it, and who falls back to another message, is known only after sending.`
    case 'rest':
      return 'They wait until the test is decided, and are then sent the message that won.'
    case 'excluded':
      return 'They are left out at no cost. People who opt out later are skipped as each message is sent.'
  }
}

const pageSize = 25

function RecipientList({ draftId, shown, figure, audience }: Omit<DraftRecipientsSheetProps, 'onClose'>) {
  const [number, setNumber] = useState('')
  /** Where each page begins, up to the shown one. */
  const [starts, setStarts] = useState<readonly (number | undefined)[]>([undefined])
  const after = starts.at(-1)
  const query = {
    group: shown.group,
    limit: pageSize,
    ...(shown.group === 'leg' ? { leg: shown.leg } : {}),
    ...(number === '' ? {} : { number }),
    ...(after === undefined ? {} : { after }),
  }
  const list = useApi('drafts.recipients', { path: { id: draftId }, query }, { keepPrevious: true })
  useCurrentFigure(list.data, figure)

  return (
    <section aria-label="Recipients" className="min-w-0">
      <div className="flex px-5 py-3">
        <SearchBox
          label="Search a number"
          value={number}
          onValueChange={(next) => {
            setNumber(next)
            setStarts([undefined])
          }}
        />
      </div>
      <Region read={list} label="recipients" lines={8}>
        {({ recipients, next, total }) => (
          <>
            {recipients.length === 0 ? (
              <Nothing isSearch={number !== ''} hasMore={next !== null} />
            ) : (
              <ul aria-label="Recipients" className="border-t border-line px-5">
                {recipients.map((recipient) => (
                  <RecipientRow key={recipient.seq} recipient={recipient} audience={audience} />
                ))}
              </ul>
            )}
            {recipients.length > 0 || next !== null || starts.length > 1 ? (
              <Pager
                page={starts.length}
                pageSize={pageSize}
                rowsHere={recipients.length}
                {...(number === '' ? { total } : {})}
                hasNext={next !== null && !list.isPlaceholderData}
                onPage={(page) => setStarts(page > starts.length ? [...starts, next ?? after] : starts.slice(0, -1))}
              />
            ) : null}
          </>
        )}
      </Region>
    </section>
  )
}

/** Reads the estimate again if opt-outs or the audience have changed since. */
function useCurrentFigure(data: DraftRecipients | undefined, figure: number) {
  const queries = useQueryClient()
  const isOutdated = data !== undefined && data.total !== figure
  useEffect(() => {
    if (isOutdated) void refresh(queries, ['drafts.estimate'])
  }, [queries, isOutdated])
}

function Nothing({ isSearch, hasMore }: { isSearch: boolean; hasMore: boolean }) {
  if (hasMore)
    return (
      <Empty icon={SearchX} title="No number matches so far">
        Continue with the next page, or search for more digits.
      </Empty>
    )
  if (isSearch)
    return (
      <Empty icon={SearchX} title="No number matches">
        Search for the first digits of a number.
      </Empty>
    )
  return (
    <Empty icon={Users} title="No one">
      The audience or its opt-outs changed since the number was counted.
    </Empty>
  )
}

function RecipientRow({ recipient, audience }: { recipient: DraftRecipient; audience: Columns }) {
  const { phoneNumber, values, excluded } = recipient
  const phone = formatPhone(phoneNumber)
  const name = personName(audience, values, phoneNumber)
  const others = values.filter((value, index) => index !== audience.mapping?.phoneColumn && value && value !== name)
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 border-b border-line py-2.5 last:border-0">
      <div className="min-w-0 flex-1">
        {name === phone ? null : (
          <b dir="auto" className="block truncate font-medium">
            {name}
          </b>
        )}
        <span className="font-mono text-dense tracking-normal whitespace-nowrap">{phone}</span>
        {others.length > 0 ? (
          <small dir="auto" className="block truncate text-caption text-muted-foreground">
            {others.join(' · ')}
          </small>
        ) : null}
      </div>
      {excluded ? <span className="text-dense text-muted-foreground">{reasonOf(excluded)}</span> : null}
    </li>
  )
}

function reasonOf({ channel, reason }: NonNullable<DraftRecipient['excluded']>): string {
  const label = channelLabel(channel)
  return {
    opted_out: `Opted out of ${label}`,
    number_unreachable: `Not reachable over ${label}`,
    missing_variable: `No value for the ${label} message`,
    held_out: 'Control group of the test',
  }[reason]
}
