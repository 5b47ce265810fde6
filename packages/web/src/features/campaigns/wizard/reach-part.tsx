import type { LegReach } from '@carillon/contract/campaign-drafts'
import { channelLabel, ChannelMark } from '../../../channels/channel-mark.tsx'
import { countOf, formatCount, formatRelative, formatShare } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Progress } from '../../../ui/progress.tsx'
import { Loading, SkeletonLines } from '../../../ui/skeleton.tsx'
import { useReach } from './use-reach.ts'
import { SplitBar } from './split-bar.tsx'

type ReachPartProps = {
  draftId: string
  /** The channel of the leg after a leg, by its position in the draft; none if recipients fail over to nothing. */
  nextOf: (leg: number) => string | undefined
}

/** Reach of the legs whose channel can check numbers in advance; empty if the draft has none. */
export function ReachPart({ draftId, nextOf }: ReachPartProps) {
  const { legs, isPending, error, retry, check, isRequesting, refusal } = useReach(draftId)
  if (error) return <Failure error={error} onRetry={retry} />
  if (isPending) {
    return (
      <Loading label="Loading the reach">
        <SkeletonLines count={2} />
      </Loading>
    )
  }
  if (legs.length === 0) return null
  return (
    <section aria-labelledby="reach-title" className="flex flex-col gap-3">
      <h2 id="reach-title" className="text-section font-semibold">
        Reach
      </h2>
      {legs.map((leg) => (
        <LegReachView key={leg.leg} reach={leg} next={nextOf(leg.leg)} isRequesting={isRequesting} onCheck={check} />
      ))}
      {refusal ? <Failure error={refusal} /> : null}
    </section>
  )
}

type LegReachViewProps = {
  reach: LegReach
  next: string | undefined
  isRequesting: boolean
  onCheck: (again: boolean) => void
}

/** One leg's reach in each of its states. */
export function LegReachView({ reach, next, isRequesting, onCheck }: LegReachViewProps) {
  const { channel, status, people, checked, reachable } = reach
  const action = actionOf(reach)
  return (
    <div className="flex flex-col gap-2 rounded-lg border border-border bg-card p-4 tabular-nums">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="flex min-w-0 items-center gap-2 font-medium">
          <ChannelMark channel={channel} markOnly />
          {checked > 0
            ? `${channelLabel(channel)}-capable ${formatShare(reachable, checked)}`
            : `${channelLabel(channel)}-capable: not known yet`}
          {checked > 0 ? (
            <span className="font-normal text-muted-foreground">· rest → {next ?? 'no message'}</span>
          ) : null}
        </p>
        {action ? (
          <Button size="sm" disabled={isRequesting} onClick={() => onCheck(action.again)}>
            {action.label}
          </Button>
        ) : null}
      </div>
      {status === 'checking' ? (
        <Progress thick label="Numbers checked" percent={people > 0 ? (checked / people) * 100 : 0} />
      ) : checked > 0 ? (
        <SplitBar label="Can be reached" total={checked} parts={[{ channel, people: reachable }]} />
      ) : null}
      <p className="text-dense text-muted-foreground">{describe(reach, next)}</p>
      {reach.notLaunched > 0 ? (
        <p className="text-dense text-muted-foreground">
          About {formatCount(reach.notLaunched)} more if launched with the other operators.
        </p>
      ) : null}
    </div>
  )
}

function actionOf({ status }: LegReach): { label: string; again: boolean } | undefined {
  if (status === 'none') return { label: 'Check reach', again: false }
  if (status === 'failed') return { label: 'Try again', again: false }
  return status === 'done' ? { label: 'Check again', again: true } : undefined
}

function describe(
  { status, people, checked, reachable, checkedAt, detail }: LegReach,
  next: string | undefined,
): string {
  const rest = next ? `go to ${next}` : 'get no message'
  switch (status) {
    case 'none':
      return `Not checked yet. Numbers that cannot be reached ${rest}.`
    case 'checking':
      return `${formatCount(checked)} of ${countOf(people, 'number')} checked.`
    case 'unsupported':
      return `The provider cannot check numbers in advance. Refused numbers ${next ? `fall back to ${next}` : 'count as failed'}.`
    case 'failed':
      return `The check failed: ${detail ?? 'no answer'}. Numbers without an answer are tried.`
    case 'done':
      return `${formatCount(reachable)} of ${countOf(checked, 'number')} can be reached. Checked ${checkedAt ? formatRelative(checkedAt) : 'now'}; an answer is used for 24 hours.`
  }
}
