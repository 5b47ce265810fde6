import { expect, test } from 'vitest'
import { readView } from '../../../lib/url-state.ts'
import { whatsappTemplates } from './library.ts'
import { whatsappTemplatesView } from './view.ts'

test('the link to rejected templates narrows the list to them', () => {
  const rejected = whatsappTemplates.attention.find(({ kind }) => kind === 'rejected')
  expect(readView(whatsappTemplatesView, rejected?.search ?? {}).status).toBe('REJECTED')
})
