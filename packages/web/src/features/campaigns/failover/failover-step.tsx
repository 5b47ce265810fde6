import { channelTraits } from '@carillon/contract/channels/table'
import { Split } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { loadCode } from '../../../lib/load-code.ts'
import { Empty } from '../../../ui/empty.tsx'
import { Loading, SkeletonLines } from '../../../ui/skeleton.tsx'
import { Switch } from '../../../ui/switch.tsx'
import type { FailoverStepProps } from './failover-settings.tsx'

const FailoverSettings = lazy(async () => ({
  default: (await loadCode(() => import('./failover-settings.tsx'))).FailoverSettings,
}))

/** Failover to another channel: on or off, conditions and template. */
export function FailoverStep(props: FailoverStepProps) {
  const { wizard, failover } = props
  const { label } = channelTraits[failover.channel]
  return (
    <div className="flex flex-col gap-6">
      <div className="flex items-start gap-4 border-y border-border py-3">
        <div className="min-w-0 flex-1">
          <h2 className="text-section font-semibold">{label} fallback</h2>
          <p className="text-dense text-muted-foreground">
            Each person counts once in the report, even when both messages were sent.
          </p>
        </div>
        <div className="pt-1">
          <Switch
            label={`Fall back to ${label}`}
            checked={failover.chosen.isEnabled}
            onCheckedChange={failover.switchTo}
          />
        </div>
      </div>
      {failover.chosen.isEnabled ? (
        <Suspense
          fallback={
            <Loading>
              <SkeletonLines count={8} />
            </Loading>
          }
        >
          <FailoverSettings {...props} />
        </Suspense>
      ) : (
        <Empty icon={Split} title={`${channelTraits[wizard.channels.first.channel].label} only`}>
          Undelivered messages count as failed and cost nothing.
        </Empty>
      )}
    </div>
  )
}
