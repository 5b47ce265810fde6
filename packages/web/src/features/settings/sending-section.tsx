import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import type { CallData } from '../../lib/call.ts'
import { countOf, formatCount, formatDateTime } from '../../lib/format.ts'
import { useApi, useApiWrite } from '../../lib/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Region } from '../../ui/region.tsx'
import { toast } from '../../ui/toast.tsx'
import { DecisionSelect, RestoredCampaign } from './restored-campaign.tsx'
import { bodyOf, countDecisions, type Decisions } from './sending-decisions.ts'

const query = { page: 1, limit: 100 }

/** Whether messages are sent, and after a restore what happens to the campaigns that were active in the backup. */
export function SendingSection() {
  const state = useApi('sending.state', { query })
  return (
    <Region read={state} label="the sending status" lines={4}>
      {(data) => (data.isPaused ? <Paused key={data.pausedAt} state={data} /> : <Active />)}
    </Region>
  )
}

function Active() {
  return (
    <Empty icon={CircleCheck} title="Sending is active">
      If a backup is restored, sending pauses and the campaigns that were active in it are listed here for review.
    </Empty>
  )
}

function Paused({ state }: { state: CallData<'sending.state'> }) {
  const [decisions, setDecisions] = useState<Decisions>({})
  const [isAsking, setAsking] = useState(false)
  const resume = useApiWrite('sending.resume', {
    refreshes: ['sending.state'],
    onSuccess: () => toast.success('Sending resumed'),
    onError: ({ message }) => {
      setAsking(false)
      toast.error(message)
    },
  })
  const { campaigns, totalCampaigns } = state
  const more = totalCampaigns - campaigns.length
  const { open, cancelled, atMostTwice } = countDecisions(state, decisions)
  const decide = (id: string) => (decision: 'send' | 'cancel') => setDecisions({ ...decisions, [id]: decision })
  return (
    <section aria-label="Sending" className="flex flex-col gap-5">
      <Notice tone="bad">
        <b className="font-semibold">Sending is paused.</b> {state.reason}.
      </Notice>
      <Explanation state={state} />
      {totalCampaigns > 0 ? (
        <div>
          <h2 className="text-section font-semibold">Active campaigns in the backup</h2>
          <ul className="mt-2">
            {campaigns.map((campaign) => (
              <RestoredCampaign
                key={campaign._id}
                campaign={campaign}
                decision={decisions[campaign._id]}
                onDecide={decide(campaign._id)}
              />
            ))}
            {more > 0 ? (
              <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-t border-line py-3">
                <b className="font-medium">{countOf(more, 'smaller campaign')}</b>
                <DecisionSelect label="Other campaigns" value={decisions['others']} onDecide={decide('others')} />
              </li>
            ) : null}
          </ul>
        </div>
      ) : (
        <p className="text-muted-foreground">No campaign was active in the backup.</p>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button variant="primary" disabled={open > 0} onClick={() => setAsking(true)}>
          Resume sending
        </Button>
        {open > 0 ? (
          <span className="text-dense text-muted-foreground">{countOf(open, 'campaign')} left to decide</span>
        ) : null}
      </div>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Resume sending?"
        description={`${countOf(cancelled, 'campaign')} will be cancelled. ${
          atMostTwice > 0
            ? `Up to ${countOf(atMostTwice, 'person', 'people')} may get a message twice.`
            : 'No campaign in the backup will be resumed.'
        } This applies to every organization.`}
        action="Resume sending"
        destructive={atMostTwice > 0}
        loading={resume.isPending}
        onConfirm={() => resume.mutate({ body: bodyOf(state, decisions) })}
      />
    </section>
  )
}

function Explanation({ state: { lastActiveAt, pausedAt, campaigns } }: { state: CallData<'sending.state'> }) {
  const inFlight = campaigns.reduce((sum, campaign) => sum + campaign.inFlight, 0)
  return (
    <div className="flex flex-col gap-2 text-muted-foreground">
      <p>
        The backup does not include what was sent after it was taken. Check with your providers before you send the rest
        of a campaign.
      </p>
      <p>
        {inFlight > 0
          ? `${formatCount(inFlight)} messages were in flight. They are marked unknown and are not sent again. `
          : ''}
        Single messages are accepted and held until you resume.
      </p>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-dense text-foreground">
        {lastActiveAt ? <Fact name="Last activity in the backup" value={formatDateTime(lastActiveAt)} /> : null}
        {pausedAt ? <Fact name="Paused" value={formatDateTime(pausedAt)} /> : null}
      </dl>
    </div>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt className="text-muted-foreground">{name}</dt>
      <dd className="tabular-nums">{value}</dd>
    </>
  )
}
