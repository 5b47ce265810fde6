import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkWhatsappTemplate } from './whatsapp-template-rules.ts'
import { fillTemplateText, listTemplateVariables } from './whatsapp-template-variables.ts'
import { WhatsappTemplateInput, type TemplateButton, type TemplateCard } from './whatsapp-templates.ts'

type Parts = Partial<WhatsappTemplateInput['components']>

function build(parts: Parts = {}, input: Partial<WhatsappTemplateInput> = {}): WhatsappTemplateInput {
  return WhatsappTemplateInput.parse({
    waba_id: '1029384756',
    name: 'diwali_early_access',
    language: 'en',
    category: 'MARKETING',
    ...input,
    components: { body: 'The sale opens on Sunday at ten.', footer: 'Reply STOP to opt out', ...parts },
  })
}

const reply = (text: string): TemplateButton => ({ type: 'QUICK_REPLY', text })
const link = (url: string, sample = ''): TemplateButton => ({ type: 'URL', text: 'Open', url, sample })
const call = (phone_number: string): TemplateButton => ({ type: 'PHONE_NUMBER', text: 'Call', phone_number })
const code: TemplateButton = { type: 'COPY_CODE', sample: 'DIYA500' }
const otp = (rest: object = {}): TemplateButton => ({
  type: 'OTP',
  otp_type: 'COPY_CODE',
  text: '',
  autofill_text: '',
  supported_apps: [],
  ...rest,
})
const card = (rest: Partial<TemplateCard> = {}): TemplateCard => ({
  header: { type: 'HEADER', format: 'IMAGE', handle: '4::aW' },
  body: 'A lamp of brass',
  samples: [],
  buttons: [{ type: 'URL', text: 'Open', url: 'https://acme.in', sample: '' }],
  ...rest,
})
const header = (text: string, sample = '') => ({ type: 'HEADER', format: 'TEXT', text, sample }) as const
const samples = (...values: string[]) => values.map((sample, index) => ({ name: String(index + 1), sample }))
const codeOnly = { body: '', footer: '', buttons: [otp()] }

const errorsOf = (input: WhatsappTemplateInput) => checkWhatsappTemplate(input).filter(({ level }) => level === 'error')

test.each<[string, Parts, Partial<WhatsappTemplateInput>]>([
  ['a plain text', {}, {}],
  ['two variables with samples', { body: 'Hi {{1}}, order {{2}} has left us.', samples: samples('Asha', 'A-17') }, {}],
  ['a variable twice', { body: 'Hi {{1}}, yes you, {{1}}, come in.', samples: samples('Asha') }, {}],
  [
    'named variables',
    { body: 'Hi {{first_name}}, see you soon.', samples: [{ name: 'first_name', sample: 'Asha' }] },
    { parameterFormat: 'named' },
  ],
  ['a header of sixty', { header: header('x'.repeat(60)) }, {}],
  ['a header with a variable', { header: header('Order {{1}}', 'A-17') }, {}],
  ['a place as header', { header: { type: 'HEADER', format: 'LOCATION' } }, {}],
  ['a body of 1,024', { body: 'x'.repeat(1024) }, {}],
  [
    'links, a call, a code, then replies',
    { buttons: [link('https://a.in/{{1}}', 'k7'), call('+91 98765 43210'), code, reply('Yes'), reply('No')] },
    {},
  ],
  ['ten replies', { buttons: Array.from({ length: 10 }, (_, index) => reply(`Reply ${index}`)) }, {}],
  ['two cards', { footer: '', cards: [card(), card()] }, {}],
  ['a code', codeOnly, { category: 'AUTHENTICATION' }],
  [
    'a code an app takes',
    {
      ...codeOnly,
      buttons: [
        otp({ otp_type: 'ONE_TAP', supported_apps: [{ package_name: 'in.acme.app', signature_hash: 'K8a/AINcGX7' }] }),
      ],
    },
    { category: 'AUTHENTICATION' },
  ],
])('Meta takes %s', (_, parts, input) => {
  expect(errorsOf(build(parts, input))).toEqual([])
})

test.each<[string, Parts, Partial<WhatsappTemplateInput>, string, RegExp]>([
  ['no name', {}, { name: '' }, 'name', /Enter a name/],
  ['a name in capitals', {}, { name: 'Diwali' }, 'name', /lower-case/],
  ['a name with a hyphen', {}, { name: 'di-wali' }, 'name', /lower-case/],
  ['a name of 513', {}, { name: 'x'.repeat(513) }, 'name', /512/],
  ['no body', { body: '  ' }, {}, 'components.body', /Enter the message/],
  ['a body of 1,025', { body: 'x'.repeat(1025) }, {}, 'components.body', /at most 1024/],
  ['three line ends', { body: 'See you.\n\n\nOn Sunday.' }, {}, 'components.body', /two line breaks/],
  ['a bold label', { buttons: [reply('*Yes*')] }, {}, 'components.buttons.0.text', /cannot contain/],
  [
    'a variable at the start',
    { body: '{{1}}, come in and see.', samples: samples('A') },
    {},
    'components.body',
    /begins with a variable/,
  ],
  [
    'a variable at the end',
    { body: 'Your order is {{1}} ', samples: samples('A') },
    {},
    'components.body',
    /after \{\{1\}\}/,
  ],
  [
    'neighbours',
    { body: 'Dear {{1}} {{2}}, come and see us.', samples: samples('A', 'B') },
    {},
    'components.body',
    /are adjacent/,
  ],
  [
    'a gap',
    { body: 'Dear {{1}}, take {{3}} with you to us.', samples: [] },
    {},
    'components.body',
    /\{\{2\}\} is missing/,
  ],
  [
    'a variable from two',
    { body: 'Dear {{2}}, come to us.', samples: [] },
    {},
    'components.body',
    /\{\{1\}\} is missing/,
  ],
  ['zero', { body: 'Dear {{0}}, come to us.', samples: [] }, {}, 'components.body', /is not a variable/],
  ['a name among numbers', { body: 'Dear {{name}}, come to us.' }, {}, 'components.body', /Variables are numbers/],
  [
    'a number among names',
    { body: 'Dear {{1}}, come to us.' },
    { parameterFormat: 'named' },
    'components.body',
    /is not a variable/,
  ],
  [
    'a name with a sign',
    { body: 'Dear {{first$}}, come to us.' },
    { parameterFormat: 'named' },
    'components.body',
    /is not a variable/,
  ],
  ['an open brace', { body: 'Dear {{1}, come to us.' }, {}, 'components.body', /not closed/],
  [
    'more variables than words',
    { body: 'Hi {{1}}, {{2}}, {{3}}.', samples: samples('A', 'B', 'C') },
    {},
    'components.body',
    /Too many/,
  ],
  [
    'no sample',
    { body: 'Hi {{1}}, take {{2}} with you.', samples: samples('A') },
    {},
    'components.samples.1',
    /sample for \{\{2\}\}/,
  ],
  [
    'an empty sample',
    { body: 'Hi {{1}}, come to us.', samples: samples(' ') },
    {},
    'components.samples.0',
    /sample for/,
  ],
  [
    'a variable as sample',
    { body: 'Hi {{1}}, come to us.', samples: samples('{{1}}') },
    {},
    'components.samples.0',
    /variable itself/,
  ],
  ['an empty header', { header: header('') }, {}, 'components.header.text', /Enter the header/],
  ['a header of 61', { header: header('x'.repeat(61)) }, {}, 'components.header.text', /at most 60/],
  [
    'a header with two variables',
    { header: header('Dear {{1}} of {{2}}!', 'A') },
    {},
    'components.header.text',
    /one variable/,
  ],
  ['a header without sample', { header: header('Order {{1}}') }, {}, 'components.header.sample', /sample/],
  ['a bold header', { header: header('*Sale*') }, {}, 'components.header.text', /cannot contain \*/],
  ['a header with emoji', { header: header('Sale 🎉') }, {}, 'components.header.text', /emoji/],
  ['a header of two lines', { header: header('Sale\ntoday') }, {}, 'components.header.text', /one line/],
  [
    'an image without sample',
    { header: { type: 'HEADER', format: 'IMAGE', handle: '' } },
    {},
    'components.header.handle',
    /sample image/,
  ],
  ['a footer of 61', { footer: 'x'.repeat(61) }, {}, 'components.footer', /at most 60/],
  ['a variable in the footer', { footer: 'Stop, {{1}}' }, {}, 'components.footer', /cannot contain variables/],
  [
    'eleven buttons',
    { buttons: Array.from({ length: 11 }, (_, index) => reply(`Reply ${index}`)) },
    {},
    'components.buttons',
    /At most 10/,
  ],
  [
    'three links',
    { buttons: [link('https://a.in'), link('https://b.in'), link('https://c.in')] },
    {},
    'components.buttons',
    /two links/,
  ],
  [
    'two calls',
    { buttons: [call('+919876543210'), call('+919876543211')] },
    {},
    'components.buttons',
    /one phone number/,
  ],
  ['two codes', { buttons: [code, code] }, {}, 'components.buttons', /one copy-code/],
  ['a code in utility', { buttons: [code] }, { category: 'UTILITY' }, 'components.buttons', /marketing templates only/],
  [
    'a link between replies',
    { buttons: [reply('Yes'), link('https://a.in'), reply('No')] },
    {},
    'components.buttons',
    /must be grouped/,
  ],
  ['a label of 26', { buttons: [reply('x'.repeat(26))] }, {}, 'components.buttons.0.text', /at most 25/],
  ['no label', { buttons: [reply('')] }, {}, 'components.buttons.0.text', /Enter what/],
  [
    'a variable on a button',
    { buttons: [reply('Hi {{1}}')] },
    {},
    'components.buttons.0.text',
    /cannot contain variables/,
  ],
  ['the same label twice', { buttons: [reply('Yes'), reply('yes')] }, {}, 'components.buttons.1.text', /same text/],
  ['a link without scheme', { buttons: [link('acme.in')] }, {}, 'components.buttons.0.url', /https/],
  [
    'a variable inside a link',
    { buttons: [link('https://a.in/{{1}}/x', 'k')] },
    {},
    'components.buttons.0.url',
    /at its end/,
  ],
  [
    'two variables in a link',
    { buttons: [link('https://a.in/{{1}}{{2}}', 'k')] },
    {},
    'components.buttons.0.url',
    /at its end/,
  ],
  ['a link without sample', { buttons: [link('https://a.in/{{1}}')] }, {}, 'components.buttons.0.sample', /sample/],
  [
    'a link of 2,001',
    { buttons: [link(`https://a.in/${'x'.repeat(1988)}`)] },
    {},
    'components.buttons.0.url',
    /at most 2000/,
  ],
  ['a call to words', { buttons: [call('our shop')] }, {}, 'components.buttons.0.phone_number', /country/],
  [
    'a code of 16',
    { buttons: [{ type: 'COPY_CODE', sample: 'x'.repeat(16) }] },
    {},
    'components.buttons.0.sample',
    /at most 15/,
  ],
  ['no code', { buttons: [{ type: 'COPY_CODE', sample: '' }] }, {}, 'components.buttons.0.sample', /sample code/],
  ['a one-time code in marketing', { buttons: [otp()] }, {}, 'components.buttons', /authentication templates only/],
  [
    'authentication with a text',
    { ...codeOnly, body: 'Your code' },
    { category: 'AUTHENTICATION' },
    'components.body',
    /itself/,
  ],
  [
    'authentication with a header',
    { ...codeOnly, header: header('Code') },
    { category: 'AUTHENTICATION' },
    'components.header',
    /no header/,
  ],
  [
    'authentication without button',
    { ...codeOnly, buttons: [] },
    { category: 'AUTHENTICATION' },
    'components.buttons',
    /one button/,
  ],
  [
    'one-tap without app',
    { ...codeOnly, buttons: [otp({ otp_type: 'ONE_TAP' })] },
    { category: 'AUTHENTICATION' },
    'components.buttons.0.supported_apps',
    /app/,
  ],
  [
    'a short signature',
    { ...codeOnly, buttons: [otp({ supported_apps: [{ package_name: 'in.acme', signature_hash: 'abc' }] })] },
    { category: 'AUTHENTICATION' },
    'components.buttons.0.supported_apps.0.signature_hash',
    /11/,
  ],
  ['one card', { footer: '', cards: [card()] }, {}, 'components.cards', /two to 10/],
  [
    'eleven cards',
    { footer: '', cards: Array.from({ length: 11 }, () => card()) },
    {},
    'components.cards',
    /two to 10/,
  ],
  ['cards that differ', { footer: '', cards: [card(), card({ body: '' })] }, {}, 'components.cards', /same structure/],
  [
    'cards with other buttons',
    { footer: '', cards: [card(), card({ buttons: [reply('Yes')] })] },
    {},
    'components.cards',
    /same structure/,
  ],
  [
    'a card that is a document',
    { footer: '', cards: [card(), card({ header: { type: 'HEADER', format: 'DOCUMENT', handle: 'x' } })] },
    {},
    'components.cards.1.header',
    /image or a video/,
  ],
  [
    'a card with a long text',
    { footer: '', cards: [card(), card({ body: 'x'.repeat(161) })] },
    {},
    'components.cards.1.body',
    /at most 160/,
  ],
  [
    'a card with three buttons',
    { footer: '', cards: [card(), card({ buttons: [reply('A'), reply('B'), reply('C')] })] },
    {},
    'components.cards.1.buttons',
    /one or two/,
  ],
  ['cards under a footer', { cards: [card(), card()] }, {}, 'components.footer', /no footer/],
  ['a marketing life of an hour', { timeToLiveSeconds: 3600 }, {}, 'components.timeToLiveSeconds', /43200/],
  [
    'a code that lives an hour',
    { ...codeOnly, timeToLiveSeconds: 3600 },
    { category: 'AUTHENTICATION' },
    'components.timeToLiveSeconds',
    /900/,
  ],
])('Meta refuses %s', (...[, parts, input, field, message]) => {
  expect(errorsOf(build(parts, input))).toContainEqual({
    field,
    message: expect.stringMatching(message),
    level: 'error',
  })
})

test.each<[string, Parts, Partial<WhatsappTemplateInput>, string, RegExp]>([
  [
    'promotion as utility',
    { body: 'Your order comes with a discount of ten.' },
    { category: 'UTILITY' },
    'category',
    /‘discount’/,
  ],
  ['marketing without a way out', { footer: '' }, {}, 'components.footer', /opt out/],
  [
    'many variables',
    { body: 'Hi {{1}}, order {{2}} left.', samples: samples('A', 'B') },
    {},
    'components.body',
    /Many variables/,
  ],
  ['four buttons', { buttons: ['A', 'B', 'C', 'D'].map(reply) }, {}, 'components.buttons', /See all options/],
  ['a shortened link', { buttons: [link('https://bit.ly/x')] }, {}, 'components.buttons.0.url', /shortened/],
])('%s is worth a word', (...[, parts, input, field, message]) => {
  const findings = checkWhatsappTemplate(build(parts, input))
  expect(findings).toContainEqual({ field, message: expect.stringMatching(message), level: 'advice' })
})

test('lists each variable once, in order', () => {
  expect(listTemplateVariables('Hi {{2}}, {{ 1 }} and {{2}}')).toEqual(['2', '1'])
})

test('inserts values unchanged, including braces and special characters', () => {
  expect(fillTemplateText('Hi {{1}} and {{2}}', { 1: '$& {{2}}' })).toBe('Hi $& {{2}} and {{2}}')
})

test('never throws, whatever the text', () => {
  const piece = fc.constantFrom('{{', '}}', '{{1}}', '{{2}}', 'word ', '\n', '*', ' ')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const body = pieces.join('')
      expect(checkWhatsappTemplate(build({ body, header: header(body.slice(0, 150)) }))).toBeInstanceOf(Array)
    }),
  )
})
