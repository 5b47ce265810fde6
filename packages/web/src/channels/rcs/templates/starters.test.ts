import { expect, test } from 'vitest'
import { findingsOf } from './findings.ts'
import { emptyForm } from './form.ts'
import { starters } from './starters.ts'

test.each(starters.map((starter) => [starter.title, starter] as const))(
  'the example %s has no findings',
  (_, starter) => {
    expect(findingsOf({ ...emptyForm(null).input, ...starter.input })).toEqual([])
  },
)
