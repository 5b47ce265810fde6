import type { RcsBot } from '@carillon/contract/channels/rcs/rcs-bots'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { mayCall } from '../../../lib/call.ts'
import { useApi, useApiWrite } from '../../../lib/use-api.ts'
import { Button } from '../../../ui/button.tsx'
import { Denied } from '../../../ui/denied.tsx'
import { Page } from '../../../ui/page.tsx'
import { Region } from '../../../ui/region.tsx'
import { toast } from '../../../ui/toast.tsx'
import { brandOfBot } from './bot-brand.ts'
import { BotPagePhone } from './bot-page-phone.tsx'
import { BotRow } from './bot-row.tsx'
import { BotSheet } from './bot-sheet.tsx'
import { FirstBot } from './first-bot.tsx'
import { RequestSheet } from './request-sheet.tsx'

type Open = { kind: 'request' | 'bot'; id?: string } | undefined

/** The organisation's RCS bots and its requests for bots. */
export function RcsBotsPage() {
  const bots = useApi('bots.own', {}, { refetchInterval: 10_000 })
  const [open, setOpen] = useState<Open>()
  if (!mayCall('bots.own'))
    return (
      <Page title="RCS bots">
        <Denied />
      </Page>
    )
  const ask = mayCall('bots.request') ? (
    <Button variant="primary" size="sm" onClick={() => setOpen({ kind: 'request' })}>
      <Plus aria-hidden /> Request bot
    </Button>
  ) : undefined
  const shown = bots.data?.find(({ _id }) => _id === open?.id)
  return (
    <Page title="RCS bots" {...(bots.data && bots.data.length > 0 ? { count: bots.data.length, actions: ask } : {})}>
      <Region read={bots} label="RCS bots" lines={6}>
        {(list) =>
          list.length === 0 ? (
            <FirstBot ask={ask} />
          ) : (
            <BotList bots={list} onOpen={(id) => setOpen({ kind: 'bot', id })} />
          )
        }
      </Region>
      <OpenSheet open={open} bot={shown} setOpen={setOpen} />
    </Page>
  )
}

type OpenSheetProps = { open: Open; bot: RcsBot | undefined; setOpen: (open: Open) => void }

function OpenSheet({ open, bot, setOpen }: OpenSheetProps) {
  const close = () => setOpen(undefined)
  if (open?.kind === 'request') return <RequestSheet request={bot} onClose={close} />
  if (!open || !bot) return null
  const mayEdit = bot.state !== 'created' && mayCall('bots.request')
  const actions = mayEdit ? (
    <RequestActions request={bot} onEdit={() => setOpen({ kind: 'request', id: bot._id })} onDone={close} />
  ) : undefined
  return <BotSheet bot={bot} actions={actions} onClose={close} />
}

type BotListProps = { bots: readonly RcsBot[]; onOpen: (id: string) => void }

/** Rows, and on wide screens the page that phones show of the bot below the pointer. */
function BotList({ bots, onOpen }: BotListProps) {
  const [lookedAt, setLookedAt] = useState<string>()
  const shown = bots.find(({ _id }) => _id === lookedAt) ?? bots[0]
  return (
    <div className="flex items-start gap-8 border-t border-border screen-x">
      <ul className="@container min-w-0 flex-1">
        {bots.map((bot) => (
          <BotRow key={bot._id} bot={bot} onLook={() => setLookedAt(bot._id)} onOpen={() => onOpen(bot._id)} />
        ))}
      </ul>
      {shown ? (
        <div className="flex w-72 shrink-0 flex-col gap-2 py-4 max-xl:hidden">
          <p className="text-caption text-muted-foreground">The page of {shown.name} on phones</p>
          <BotPagePhone brand={brandOfBot(shown)} />
        </div>
      ) : null}
    </div>
  )
}

type RequestActionsProps = { request: RcsBot; onEdit: () => void; onDone: () => void }

function RequestActions({ request, onEdit, onDone }: RequestActionsProps) {
  const withdraw = useApiWrite('bots.withdraw', {
    refreshes: ['bots.own'],
    onSuccess: onDone,
    onError: ({ message }) => toast.error(message),
  })
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="sm" onClick={onEdit}>
        Edit request
      </Button>
      <Button size="sm" loading={withdraw.isPending} onClick={() => withdraw.mutate({ path: { id: request._id } })}>
        Withdraw
      </Button>
    </div>
  )
}
