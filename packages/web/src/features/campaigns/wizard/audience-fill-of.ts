import { channelTraits } from '@carillon/contract/channels/table'
import type { Leg } from '../../../channels/channel-campaigns.ts'
import type { AudienceFill } from '../../../channels/parts/audience-fill.ts'
import { withFirst } from './draft-legs.ts'
import type { DraftHandle } from './use-draft.ts'
import type { WizardVariant } from '../ab-tests/use-variants.ts'
import type { FailoverLeg } from './use-legs.ts'

type FilledLeg = Pick<Leg, 'variables' | 'withSources' | 'usedColumns'>
type NextLeg = Pick<FailoverLeg, 'channel' | 'change'> & {
  chosen: Pick<FailoverLeg['chosen'], 'isEnabled'>
  leg: FilledLeg & Pick<Leg, 'template'>
}

type Filled = {
  handle: Pick<DraftHandle, 'change'>
  first: FilledLeg
  failover: { legs: readonly NextLeg[] } | undefined
  /** Further messages of an A/B test. */
  test?: { variants: readonly NextVariant[] } | undefined
}

type NextVariant = Pick<WizardVariant, 'letter' | 'change'> & Pick<NextLeg, 'leg'>
type Later = Pick<NextLeg, 'leg' | 'change'> & { name: string }

/** The variables of the first leg, then those of each further message of a test and of each failover leg. */
export function audienceFillOf({ handle, first, failover, test }: Filled): AudienceFill {
  const later = laterMessages({ failover, test })
  return {
    variables: [
      ...first.variables,
      ...later.flatMap((next) =>
        next.leg.variables.map((variable) => ({ ...variable, label: labelOf(variable.label, next) })),
      ),
    ],
    onSources(changes) {
      const count = first.variables.length
      const own = changesWithin(changes, 0, count)
      if (own.length > 0) handle.change(({ legs }) => ({ legs: withFirst(legs, { values: first.withSources(own) }) }))
      let start = count
      for (const next of later) {
        const others = changesWithin(changes, start, next.leg.variables.length)
        if (others.length > 0) next.change({ values: next.leg.withSources(others) })
        start += next.leg.variables.length
      }
    },
  }
}

/** Used columns; a column used by several legs has the name from the first of them. */
export function usedColumnsOf({ first, failover, test }: Omit<Filled, 'handle'>): ReadonlyMap<number, string> {
  const later = laterMessages({ failover, test })
    .toReversed()
    .flatMap((next) => [...next.leg.usedColumns].map(([column, label]) => [column, labelOf(label, next)] as const))
  return new Map([...later, ...first.usedColumns])
}

/** Messages with a template besides the first, each with the name that distinguishes its variables. */
function laterMessages({ failover, test }: Pick<Filled, 'failover' | 'test'>): Later[] {
  const legs = failover?.legs.filter(({ chosen, leg }) => chosen.isEnabled && leg.template) ?? []
  const variants = test?.variants.filter(({ leg }) => leg.template) ?? []
  return [
    ...variants.map((one) => ({ ...one, name: `message ${one.letter}` })),
    ...legs.map((one) => ({ ...one, name: channelTraits[one.channel].label })),
  ]
}

/** The variable's label with its message, because the first leg may have the same label. */
function labelOf(label: string, { name }: Later): string {
  return `${label} of ${name}`
}

type Change = Parameters<Leg['withSources']>[0][number]

/** The changes of one leg's variables, with the index in that leg. */
function changesWithin(changes: readonly Change[], start: number, count: number): Change[] {
  return changes
    .filter(({ index }) => index >= start && index < start + count)
    .map((change) => ({ ...change, index: change.index - start }))
}
