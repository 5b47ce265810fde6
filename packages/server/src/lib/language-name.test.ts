import { expect, test } from 'vitest'
import { languageName } from './language-name.ts'

test.each([
  { code: 'en', name: 'English' },
  { code: 'hi', name: 'Hindi' },
  { code: 'pt_BR', name: 'Portuguese (Brazil)' },
  { code: 'not a language', name: 'not a language' },
])('$code is named $name', ({ code, name }) => {
  expect(languageName(code)).toBe(name)
})
