import type { LaneState } from '@carillon/contract/senders'
import { formatCount } from '../../../lib/format.ts'
import { Notice } from '../../../ui/notice.tsx'
import { Pill } from '../../../ui/pill.tsx'
import { When } from '../../../ui/text.tsx'
import { bindLabels } from './lane-labels.ts'

/** The live state of an account's connections and its queue. */
export function LanePanel({ state }: { state: LaneState }) {
  return (
    <div className="flex flex-col gap-4">
      <dl className="grid grid-cols-3 overflow-hidden rounded-lg border border-border bg-card">
        <Figure label="Sending" value={`${formatCount(state.sentPerSecond)}/s`} />
        <Figure label="Allowed" value={`${formatCount(state.allowedPerSecond)}/s`} />
        <Figure label="Waiting" value={formatCount(state.queued)} />
      </dl>
      {state.operatorLimitPerSecond === undefined ? null : (
        <p className="text-dense text-muted-foreground">
          Operator limit: about {formatCount(Math.round(state.operatorLimitPerSecond))}/s
        </p>
      )}
      {state.lastError ? (
        <Notice tone={state.status === 'connected' ? 'care' : 'bad'}>
          {state.lastError.message} <span className="font-mono">{state.lastError.code}</span> ·{' '}
          <When at={state.lastError.at} />
        </Notice>
      ) : null}
      {state.binds.length > 0 ? (
        <ul
          className="divide-y divide-border overflow-hidden rounded-lg border border-border bg-card"
          aria-label="Connections"
        >
          {state.binds.map((bind) => (
            <li key={bind.name} className="flex min-h-11 items-center gap-3 px-3">
              <span className="min-w-0 flex-1 truncate font-medium">{bind.name}</span>
              <span className="text-dense text-muted-foreground tabular-nums">
                {formatCount(bind.inFlight)} in flight
              </span>
              <Pill tone={bindLabels[bind.status].tone}>{bindLabels[bind.status].label}</Pill>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <div className="border-l border-line px-3 py-2.5 first:border-l-0">
      <dt className="text-dense text-muted-foreground">{label}</dt>
      <dd className="mt-0.5 text-section font-semibold tabular-nums">{value}</dd>
    </div>
  )
}
