import { SmsTemplateInput } from '@carillon/contract/channels/sms/sms-templates'
import { expect, test } from 'vitest'
import { languages } from './texts.ts'

test('SMS templates can be in the languages of the countries that numbers are of, and the server takes each', () => {
  const codes: string[] = languages.map(({ value }) => value)
  expect(codes).toEqual(expect.arrayContaining(['en', 'hi', 'bn', 'ne', 'si', 'ar', 'he', 'ur']))
  for (const code of codes) expect(SmsTemplateInput.shape.language.safeParse(code).success).toBe(true)
})
