import type { Row } from './objects.ts'

export const orderBody = {
  type: 'BODY',
  text: 'Hi {{1}}, your order {{2}} was shipped today.',
  example: { body_text: [['Asha', 'A-17']] },
}
/** A shipping template as sent in the create call. */
export const orderUpdate = { name: 'order_update', language: 'en', category: 'UTILITY', components: [orderBody] }

/** Template components for tests. */
export const text = (words: string, example?: Row) => ({
  components: [{ type: 'BODY', text: words, ...(example ? { example } : {}) }],
})
export const quick = (words: string) => ({ type: 'QUICK_REPLY', text: words })
export const link = (changes: Row = {}) => ({
  type: 'URL',
  text: 'Track',
  url: 'https://a.in/t/{{1}}',
  example: ['https://a.in/t/1'],
  ...changes,
})
export const otp = { name: 'code', category: 'AUTHENTICATION' }
export const otpButton = { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] }
