import { Split } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { loadCode } from '../../../../lib/load-code.ts'
import { Empty } from '../../../../ui/empty.tsx'
import { Loading, SkeletonLines } from '../../../../ui/skeleton.tsx'
import { Switch } from '../../../../ui/switch.tsx'
import type { FailoverStepProps } from './failover-settings.tsx'

const FailoverSettings = lazy(async () => ({
  default: (await loadCode(() => import('./failover-settings.tsx'))).FailoverSettings,
}))

/** Failover to SMS: whether, when, and with which template. */
export function FailoverStep({ wizard, onStep, onFocus }: FailoverStepProps) {
  const { handle, choose } = wizard
  const { draft } = handle
  return (
    <div className="flex flex-col gap-6">
      <div className="flex items-start gap-4 border-y border-border py-3">
        <div className="min-w-0 flex-1">
          <h2 className="text-section font-semibold">SMS fallback</h2>
          <p className="text-dense text-muted-foreground">
            Each person counts once in the report, even when both messages were sent.
          </p>
        </div>
        <div className="pt-1">
          <Switch label="Fall back to SMS" checked={draft.smsFailover} onCheckedChange={choose.failover} />
        </div>
      </div>
      {draft.smsFailover ? (
        <Suspense
          fallback={
            <Loading>
              <SkeletonLines count={8} />
            </Loading>
          }
        >
          <FailoverSettings wizard={wizard} onStep={onStep} onFocus={onFocus} />
        </Suspense>
      ) : (
        <Empty icon={Split} title="WhatsApp alone">
          Undelivered messages count as failed and cost nothing.
        </Empty>
      )}
    </div>
  )
}
