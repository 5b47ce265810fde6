import { expect, test } from 'vitest'
import { isSmsText, writeSmsText } from './write-text.ts'

test('variables become tags with their names, and keep the kind and sample they had', () => {
  const known = [{ name: 'order', kind: 'alphanumeric' as const, sample: 'A1' }]
  expect(writeSmsText('Hi {{name}}, {{order}} for {{name}}', known)).toEqual({
    body: 'Hi {#var#}, {#alphanumeric#} for {#var#}',
    variables: [
      { name: 'name', kind: 'var', sample: '' },
      { name: 'order', kind: 'alphanumeric', sample: 'A1' },
      { name: 'name_2', kind: 'var', sample: '' },
    ],
  })
})

test('a written text is recognised, also after kinds and samples were set', () => {
  const text = 'Hi {{name}} and {{name}}'
  const { body, variables } = writeSmsText(text)
  expect(isSmsText(text, { body, variables })).toBe(true)
  const typed = variables.map((variable) => ({ ...variable, kind: 'numeric' as const, sample: '1' }))
  expect(isSmsText(text, { body: body.replaceAll('var', 'numeric'), variables: typed })).toBe(true)
  expect(isSmsText(`${text}!`, { body, variables })).toBe(false)
  expect(isSmsText('Hi {{name}} and {{friend}}', { body, variables })).toBe(false)
})
