import type { Campaign } from '@carillon/contract/campaign-records'
import type { Estimate } from '@carillon/contract/campaign-drafts'
import { messages } from '@carillon/contract/errors'
import { useQueryClient } from '@tanstack/react-query'
import { call, CallError } from '../../../lib/call.ts'
import { countOf, formatCount, formatMoney, formatScheduleDay } from '../../../lib/format.ts'
import { holdSend } from '../../../lib/held-send.ts'
import { askForTopUp } from '../../../lib/top-up.ts'
import { refresh, useApi } from '../../../lib/use-api.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Loading, SkeletonLines } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.tsx'
import { showingCampaigns } from '../showing-campaigns.ts'
import { peopleToSend } from './recipients-to-send.ts'

type StartDialogProps = { campaign: Campaign | undefined; onClose: () => void }

/** Shows recipients, cost and balance before a campaign is started from a list. The start is delayed by ten seconds, as in the wizard. */
export function StartDialog({ campaign, onClose }: StartDialogProps) {
  return campaign ? <OpenDialog campaign={campaign} onClose={onClose} /> : null
}

type Sums = Pick<
  Estimate,
  'people' | 'missing' | 'optedOut' | 'cost' | 'balance' | 'balanceAfter' | 'shortfall' | 'checks'
>

function OpenDialog({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) {
  const estimate = useApi('drafts.estimate', { path: { id: campaign._id } }, { staleTime: 0 })
  const hold = useHeldStart(campaign)
  const sums: Sums | undefined = estimate.data
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Start ${campaign.campaignName}?`}
      description={describe(campaign)}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Action
            campaign={campaign}
            sums={sums}
            onStart={(people) => {
              onClose()
              hold(people)
            }}
          />
        </>
      }
    >
      {estimate.isError ? <Failure error={estimate.error} onRetry={() => void estimate.refetch()} /> : null}
      {estimate.isPending ? (
        <Loading label="Counting people and cost">
          <SkeletonLines count={4} />
        </Loading>
      ) : null}
      {sums ? <Figures campaign={campaign} sums={sums} /> : null}
    </Dialog>
  )
}

function describe({ status, startAt, timezone }: Campaign): string {
  return status === 'scheduled' && startAt
    ? `It is scheduled for ${formatScheduleDay(startAt, timezone)}. Starting now replaces that time.`
    : 'Sending begins 10 seconds after you start it. Until then you can undo it.'
}

function Figures({ campaign, sums }: { campaign: Campaign; sums: Sums }) {
  const isReserved = campaign.status === 'scheduled'
  const lines = [
    ['People', formatCount(peopleToSend(sums))],
    [isReserved ? 'Cost, already reserved' : 'Maximum cost', formatMoney(sums.cost)],
    ['Available balance', formatMoney(sums.balance)],
    ['Balance afterwards', formatMoney(isReserved ? sums.balance : sums.balanceAfter)],
  ] as const
  const blockers = sums.checks.filter(({ level }) => level === 'blocker')
  return (
    <div className="flex flex-col gap-4">
      <dl className="divide-y divide-line border-y border-line">
        {lines.map(([label, value]) => (
          <div key={label} className="flex min-h-10 items-center justify-between gap-4">
            <dt className="text-muted-foreground">{label}</dt>
            <dd className="font-medium tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      {isShort(campaign, sums) ? (
        <Notice tone="care">
          Insufficient balance: <b>{formatMoney(sums.shortfall)}</b> short.
        </Notice>
      ) : null}
      {blockers.map(({ id, title }) => (
        <Notice key={id} tone="care">
          {title}
        </Notice>
      ))}
    </div>
  )
}

/** The cost of a scheduled campaign was reserved when it was scheduled. */
function isShort({ status }: Campaign, { shortfall }: Sums): boolean {
  return status !== 'scheduled' && shortfall > 0
}

type ActionProps = { campaign: Campaign; sums: Sums | undefined; onStart: (people: number) => void }

function Action({ campaign, sums, onStart }: ActionProps) {
  if (sums && isShort(campaign, sums)) {
    return (
      <Button variant="primary" onClick={() => askForTopUp({ amount: sums.shortfall, note: campaign.campaignName })}>
        Request {formatMoney(sums.shortfall)} top-up
      </Button>
    )
  }
  const people = sums ? peopleToSend(sums) : 0
  return (
    <Button variant="primary" disabled={!sums || people === 0} onClick={() => onStart(people)}>
      {sums ? `Send to ${countOf(people, 'person', 'people')}` : 'Send'}
    </Button>
  )
}

/** Delays the start by ten seconds, then makes it once and reports the result. */
function useHeldStart({ _id: id }: Campaign) {
  const queries = useQueryClient()
  return (people: number) => {
    const to = countOf(people, 'person', 'people')
    const key = crypto.randomUUID()
    holdSend({
      id,
      label: `Sending to ${to}`,
      async commit() {
        try {
          await call('campaigns.start', { path: { id }, body: {} }, { key })
          toast.success(`Sending to ${to}`)
        } catch (error) {
          toast.error(error instanceof CallError ? error.message : messages.unexpected)
        }
        await refresh(queries, showingCampaigns)
      },
      onCancel: () => toast.plain('The campaign was not started.'),
    })
  }
}
