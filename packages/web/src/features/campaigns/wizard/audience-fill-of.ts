import { channelTraits } from '@carillon/contract/channels/table'
import type { Leg } from '../../../channels/channel-campaigns.ts'
import type { AudienceFill } from '../../../channels/parts/audience-fill.ts'
import { withFirst } from './draft-legs.ts'
import type { DraftHandle } from './use-draft.ts'
import type { FailoverLeg } from './use-legs.ts'

type FilledLeg = Pick<Leg, 'variables' | 'withSources' | 'usedColumns'>
type NextLeg = Pick<FailoverLeg, 'channel' | 'change'> & {
  chosen: Pick<FailoverLeg['chosen'], 'isEnabled'>
  leg: FilledLeg & Pick<Leg, 'template'>
}

type Filled = { handle: Pick<DraftHandle, 'change'>; first: FilledLeg; failover: NextLeg | undefined }

/** The variables of the first leg, then those of the failover leg. */
export function audienceFillOf({ handle, first, failover }: Filled): AudienceFill {
  const count = first.variables.length
  const next = enabledLeg(failover)
  return {
    variables: [
      ...first.variables,
      ...(next?.leg.variables ?? []).map((variable) => ({ ...variable, label: labelOf(variable.label, next) })),
    ],
    onSources(changes) {
      const own = changes.filter(({ index }) => index < count)
      const others = changes.filter(({ index }) => index >= count)
      if (own.length > 0) handle.change(({ legs }) => ({ legs: withFirst(legs, { values: first.withSources(own) }) }))
      if (next && others.length > 0) next.change({ values: next.leg.withSources(others.map(shiftedBy(count))) })
    },
  }
}

/** Used columns; a column used by both legs has the name from the first one. */
export function usedColumnsOf({ first, failover }: Pick<Filled, 'first' | 'failover'>): ReadonlyMap<number, string> {
  const next = enabledLeg(failover)
  const ofNext = [...(next?.leg.usedColumns ?? [])].map(([column, label]) => [column, labelOf(label, next)] as const)
  return new Map([...ofNext, ...first.usedColumns])
}

function enabledLeg(failover: NextLeg | undefined): NextLeg | undefined {
  return failover?.chosen.isEnabled && failover.leg.template ? failover : undefined
}

/** The variable's label; with its channel if the first leg has the same label. */
function labelOf(label: string, next: Pick<NextLeg, 'channel'> | undefined): string {
  return next ? `${label} of ${channelTraits[next.channel].label}` : label
}

type Change = Parameters<Leg['withSources']>[0][number]

function shiftedBy(count: number): (change: Change) => Change {
  return (change) => ({ ...change, index: change.index - count })
}
