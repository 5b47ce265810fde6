import { expect, test } from 'vitest'
import { readView } from '../../../lib/url-state.ts'
import { smsTemplates } from './library.ts'
import { templatesView } from './view.ts'

test('the link to rejected templates narrows the list to them', () => {
  const rejected = smsTemplates.attention.find(({ kind }) => kind === 'rejected')
  expect(readView(templatesView, rejected?.search ?? {}).status).toBe('rejected')
})
