import type { VariableSource } from '@carillon/contract/campaign-records'
import type { CampaignDraft } from '@carillon/contract/draft-legs'
import { expect, test } from 'vitest'
import { audienceFillOf, usedColumnsOf } from './audience-fill-of.ts'
import { blankDraft, blankLeg, withLater } from './draft-legs.ts'

const editor = { emptyValues: {} }
const blank = blankLeg({ channel: 'sms', editor })

/** A leg with these variables, whose values are what was changed. */
function legOf(names: readonly string[], column: number) {
  return {
    template: { name: 'offer' },
    variables: names.map((name) => ({ label: name, column: name, sample: '', source: undefined })),
    usedColumns: new Map([[column, names[0] ?? '']]),
    withSources: (changes: readonly { index: number; source: VariableSource }[]) => changes,
  }
}

/** A draft over WhatsApp with a second message by SMS. */
function wizardOf({ isEnabled }: { isEnabled: boolean }) {
  let draft: CampaignDraft = blankDraft({ channel: 'whatsapp', editor })
  const change = (patch: Partial<CampaignDraft> | ((before: CampaignDraft) => Partial<CampaignDraft>)) => {
    draft = { ...draft, ...(typeof patch === 'function' ? patch(draft) : patch) }
  }
  return {
    legs: () => draft.legs,
    handle: { change },
    first: legOf(['name', 'code'], 1),
    failover: {
      legs: [
        {
          channel: 'sms' as const,
          chosen: { isEnabled },
          leg: legOf(['name'], 2),
          change: (patch: object) => change(({ legs }) => ({ legs: withLater(legs, patch, blank) })),
        },
      ],
    },
  }
}

test('variables of the second message stand behind those of the first, with its channel', () => {
  expect(audienceFillOf(wizardOf({ isEnabled: true })).variables.map(({ label }) => label)).toEqual([
    'name',
    'code',
    'name of SMS',
  ])
  expect(audienceFillOf(wizardOf({ isEnabled: false })).variables).toHaveLength(2)
})

test('each change reaches the leg whose variable it is of', () => {
  const wizard = wizardOf({ isEnabled: true })
  const source = { column: 3, fallback: '' }
  audienceFillOf(wizard).onSources([
    { index: 1, source },
    { index: 2, source },
  ])
  expect(wizard.legs().map(({ values }) => values)).toEqual([[{ index: 1, source }], [{ index: 0, source }]])
})

test('columns of both messages are in use; a second message that is off uses none', () => {
  expect([...usedColumnsOf(wizardOf({ isEnabled: true }))]).toEqual([
    [2, 'name of SMS'],
    [1, 'name'],
  ])
  expect([...usedColumnsOf(wizardOf({ isEnabled: false }))]).toEqual([[1, 'name']])
})

test('variables of a test’s further message stand before those of the fallback, with its letter', () => {
  const wizard = wizardOf({ isEnabled: true })
  const changed: unknown[] = []
  const variant = { letter: 'B', leg: legOf(['city'], 4), change: (patch: object) => changed.push(patch) }
  const fill = audienceFillOf({ ...wizard, test: { variants: [variant] } })
  expect(fill.variables.map(({ label }) => label)).toEqual(['name', 'code', 'city of message B', 'name of SMS'])
  const source = { column: 4, fallback: '' }
  fill.onSources([{ index: 2, source }])
  expect(changed).toEqual([{ values: [{ index: 0, source }] }])
  expect(usedColumnsOf({ ...wizard, test: { variants: [variant] } }).get(4)).toBe('city of message B')
})
