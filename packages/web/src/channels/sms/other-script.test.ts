import { expect, test } from 'vitest'
import { isInOtherScript } from './other-script.ts'

test.each([
  ['English', 'Dear {#var#}, your order ships today. -Acme', false],
  ['a Hindi name in an English text', 'Dear प्रिया, your order ships today. -Acme', false],
  ['Hindi', 'नमस्ते {#var#}, आपका ऑर्डर आज भेजा जा रहा है। -Acme', true],
  ['Arabic, short, with two placeholders', 'مرحبا {#var#}، طلبك {#var#} سيصل اليوم. -Acme', true],
  ['Hebrew', 'שלום {#var#}, ההזמנה שלך נשלחה. Acme', true],
  ['figures only', '{#num#} 1234', false],
])('%s', (_, text, expected) => {
  expect(isInOtherScript(text)).toBe(expected)
})
