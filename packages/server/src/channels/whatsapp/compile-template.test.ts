import type { WhatsappTemplateContent } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { describe, expect, test } from 'vitest'
import { TemplateLeg, type TemplateValues } from './template-leg.ts'
import { fillValues, textOf } from './text-of.ts'
import { whatsappChannel } from './whatsapp-channel.ts'

const column = (index: number, fallback = '') => ({ column: index, fallback })
const always = (fallback: string) => ({ fallback })
const url = 'https://acme.example/t/{{1}}'

function leg(
  content: Partial<WhatsappTemplateContent>,
  values: Partial<TemplateValues> = {},
  parameterFormat = 'positional',
) {
  return {
    template: { name: 'order_update', language: 'en', parameterFormat, content: { body: 'Hello', ...content } },
    values,
  }
}

function compile(frozen: unknown, cells: string[]) {
  const rendered = whatsappChannel.compileLeg(frozen)(cells)
  if (!rendered) return undefined
  expect(rendered).toMatchObject({
    parts: 1,
    content: { type: 'template', template: { name: 'order_update', language: { code: 'en' } } },
  })
  const { content } = rendered as unknown as { content: { template: { components: unknown } } }
  return content.template.components
}

const text = (value: string) => ({ type: 'text', text: value })

describe('a row of a campaign', () => {
  test('without variables has no components', () => {
    expect(compile(leg({ footer: 'Acme', buttons: [{ type: 'QUICK_REPLY', text: 'Help' }] }), [])).toEqual([])
  })

  test('fills numbered variables by their numbers, each from its column or the fallback', () => {
    const frozen = leg({ body: 'Order {{2}} of {{1}}, {{2}}' }, { body: [column(1, 'friend'), column(0)] })
    expect(compile(frozen, ['A-17', 'Asha'])).toEqual([{ type: 'body', parameters: [text('Asha'), text('A-17')] }])
    expect(compile(frozen, ['A-17', ''])).toEqual([{ type: 'body', parameters: [text('friend'), text('A-17')] }])
    expect(compile(frozen, ['', 'Asha'])).toBeUndefined()
    expect(compile(frozen, [])).toBeUndefined()
  })

  test('fills named variables', () => {
    const frozen = leg(
      {
        header: { type: 'HEADER', format: 'TEXT', text: 'Dear {{name}}', sample: '' },
        body: 'Order {{order}} for {{name}}',
      },
      { header: column(0), body: [always('A-17'), column(0)] },
      'named',
    )
    expect(compile(frozen, ['Asha'])).toEqual([
      { type: 'header', parameters: [{ type: 'text', parameter_name: 'name', text: 'Asha' }] },
      {
        type: 'body',
        parameters: [
          { type: 'text', parameter_name: 'order', text: 'A-17' },
          { type: 'text', parameter_name: 'name', text: 'Asha' },
        ],
      },
    ])
    expect(compile(frozen, [''])).toBeUndefined()
  })

  test('removes line breaks, tabs and long gaps from values, which Meta rejects', () => {
    const frozen = leg({ body: 'Order {{1}} is here' }, { body: [column(0)] })
    expect(compile(frozen, [' A\n17\t\r\nB      C '])).toEqual([{ type: 'body', parameters: [text('A 17 B    C')] }])
    expect(compile(frozen, [' \n '])).toBeUndefined()
  })

  const media = (format: 'IMAGE' | 'VIDEO' | 'DOCUMENT') => ({
    header: { type: 'HEADER', format, handle: '4::aW' } as const,
  })
  test.each<[string, Partial<WhatsappTemplateContent>, TemplateValues['media'], string[], unknown]>([
    ['an id', media('IMAGE'), { mediaId: '310000000000001' }, [], { type: 'image', image: { id: '310000000000001' } }],
    [
      'an address',
      media('VIDEO'),
      { link: 'https://acme.example/a.mp4' },
      [],
      { type: 'video', video: { link: 'https://acme.example/a.mp4' } },
    ],
    [
      'an address in a column',
      media('IMAGE'),
      { column: 0 },
      [' https://acme.example/a.png '],
      { type: 'image', image: { link: 'https://acme.example/a.png' } },
    ],
    [
      'an id in a column',
      media('DOCUMENT'),
      { column: 0, filename: 'bill.pdf' },
      ['310000000000001'],
      { type: 'document', document: { id: '310000000000001', filename: 'bill.pdf' } },
    ],
    [
      'no name where it is no document',
      media('IMAGE'),
      { mediaId: '310000000000001', filename: 'a.png' },
      [],
      { type: 'image', image: { id: '310000000000001' } },
    ],
    ['an empty cell', media('IMAGE'), { column: 0 }, [''], undefined],
    ['a cell that is no address', media('IMAGE'), { column: 0 }, ['javascript:alert(1)'], undefined],
    ['nothing', media('IMAGE'), undefined, [], undefined],
  ])('shows %s in its header', (_, content, shown, cells, parameter) => {
    const expected = parameter === undefined ? undefined : [{ type: 'header', parameters: [parameter] }]
    expect(compile(leg(content, { media: shown }), cells)).toEqual(expected)
  })

  test('shows a location', () => {
    const location = { latitude: 18.9, longitude: 72.8, name: 'Fort', address: 'Mumbai' }
    const content = { header: { type: 'HEADER', format: 'LOCATION' } as const }
    expect(compile(leg(content, { location }), [])).toEqual([
      { type: 'header', parameters: [{ type: 'location', location }] },
    ])
    expect(compile(leg(content), [])).toBeUndefined()
  })

  test('fills the buttons that have variables, at their positions', () => {
    const buttons: WhatsappTemplateContent['buttons'] = [
      { type: 'QUICK_REPLY', text: 'Help' },
      { type: 'URL', text: 'Shop', url: 'https://acme.example', sample: '' },
      { type: 'URL', text: 'Track', url, sample: '' },
      { type: 'COPY_CODE', sample: 'SAVE20' },
    ]
    const frozen = leg({ buttons }, { urls: [column(0)], copyCode: column(1) })
    expect(compile(frozen, ['A-17', 'SAVE20'])).toEqual([
      { type: 'button', sub_type: 'url', index: '2', parameters: [text('A-17')] },
      {
        type: 'button',
        sub_type: 'copy_code',
        index: '3',
        parameters: [{ type: 'coupon_code', coupon_code: 'SAVE20' }],
      },
    ])
    expect(compile(frozen, ['A-17', ''])).toBeUndefined()
    expect(compile(frozen, ['', 'SAVE20'])).toBeUndefined()
  })

  test('has a code in its body and behind its button', () => {
    const otp = { type: 'OTP', otp_type: 'COPY_CODE', text: '', autofill_text: '', supported_apps: [] } as const
    const frozen = leg({ body: '', buttons: [{ ...otp, supported_apps: [] }] }, { body: [column(0)] })
    expect(compile(frozen, ['123456'])).toEqual([
      { type: 'body', parameters: [text('123456')] },
      { type: 'button', sub_type: 'url', index: '0', parameters: [text('123456')] },
    ])
    expect(compile(frozen, [''])).toBeUndefined()
  })

  test('fills each of its cards', () => {
    const card = {
      header: { type: 'HEADER', format: 'IMAGE', handle: '4::aW' } as const,
      body: 'Only {{1}} today',
      samples: [],
      buttons: [
        { type: 'QUICK_REPLY', text: 'Later' } as const,
        { type: 'URL', text: 'Buy', url, sample: '' } as const,
      ],
    }
    const values = (index: number) => ({
      media: { mediaId: `31000${index}` },
      body: [column(index)],
      urls: [always(`p${index}`)],
    })
    const frozen = leg({ cards: [card, card] }, { cards: [values(0), values(1)] })
    expect(compile(frozen, ['₹99', '₹49'])).toEqual([
      {
        type: 'carousel',
        cards: ['₹99', '₹49'].map((price, index) => ({
          card_index: index,
          components: [
            { type: 'header', parameters: [{ type: 'image', image: { id: `31000${index}` } }] },
            { type: 'body', parameters: [text(price)] },
            { type: 'button', sub_type: 'url', index: '1', parameters: [text(`p${index}`)] },
          ],
        })),
      },
    ])
    expect(compile(frozen, ['₹99', ''])).toBeUndefined()
    expect(compile(leg({ cards: [card, card] }, { cards: [values(0)] }), ['₹99'])).toBeUndefined()
  })

  test('of another channel is rejected', () => {
    expect(() => whatsappChannel.compileLeg({ header: 'ACME', body: 'Hi' })).toThrow()
  })
})

describe('a single send', () => {
  const single = (details: Record<string, unknown>, words = 'Hi') =>
    whatsappChannel.compileSingle({ header: '+91 80 4718 1000', text: words, details })

  test('is a text where nothing else is given', () => {
    expect(single({ category: 'service', entityId: undefined })).toEqual({
      parts: 1,
      content: { type: 'text', text: { body: 'Hi', preview_url: true } },
    })
  })

  test.each([
    [{ type: 'text', text: { body: 'Hi', preview_url: false } }],
    [{ type: 'image', image: { id: '1', caption: 'Look' } }],
    [{ type: 'interactive', interactive: { type: 'button', body: { text: 'Well?' }, action: { buttons: [] } } }],
    [{ type: 'template', template: { name: 'hello_world', language: { code: 'en_US' }, components: [] } }],
  ])('is the same as its preview: %j', (content) => {
    expect(single({ content, inReplyTo: 'wamid.IN' })).toEqual({ parts: 1, content, inReplyTo: 'wamid.IN' })
  })

  test('is a template with its values', () => {
    const frozen = leg({ body: 'Order {{1}} is here' }, { body: [always('A-17')] })
    expect(single({ leg: frozen })).toMatchObject({
      content: { type: 'template', template: { components: [{ type: 'body', parameters: [text('A-17')] }] } },
    })
    expect(() => single({ leg: leg({ body: 'Order {{1}} is here' }) })).toThrow(/value is missing/)
  })

  test.each([[{ type: 'hologram' }], [{ type: 'text' }], [{ type: 'text', text: { body: '' } }], ['text']])(
    'of %j is rejected',
    (content) => {
      expect(() => single({ content })).toThrow()
    },
  )
})

describe('the text that a person reads', () => {
  const frozen = TemplateLeg.parse(
    leg(
      {
        header: { type: 'HEADER', format: 'TEXT', text: 'Dear {{1}}', sample: '' },
        body: 'Order {{2}} of {{1}} is here',
        footer: 'Acme',
        cards: [
          { header: { type: 'HEADER', format: 'IMAGE', handle: '' }, body: 'Only {{1}}', samples: [], buttons: [] },
        ],
      },
      { header: column(0), body: [column(0), column(1)], cards: [{ body: [always('₹99')], urls: [] }] },
    ),
  )
  test('has the values of a row; a missing one stays a placeholder', () => {
    const { content } = frozen.template
    expect(textOf(content, fillValues(frozen, ['Asha', 'A-17']))).toBe(
      'Dear Asha\nOrder A-17 of Asha is here\nAcme\nOnly ₹99',
    )
    expect(textOf(content, fillValues(frozen, ['Asha', '']))).toBe(
      'Dear Asha\nOrder {{2}} of Asha is here\nAcme\nOnly ₹99',
    )
    expect(textOf(content)).toBe('Dear {{1}}\nOrder {{2}} of {{1}} is here\nAcme\nOnly {{1}}')
  })

  test('a value is never read as a variable', () => {
    expect(textOf(frozen.template.content, fillValues(frozen, ['{{2}}', 'A-17']))).toContain(
      'Order A-17 of {{2}} is here',
    )
  })

  test('a code in Meta’s words', () => {
    const otp = { type: 'OTP', otp_type: 'COPY_CODE', text: '', autofill_text: '', supported_apps: [] }
    const code = TemplateLeg.parse({
      template: { name: 'code', language: 'en', content: { buttons: [otp], codeExpirationMinutes: 10 } },
      values: { body: [always('123456')] },
    })
    expect(textOf(code.template.content, fillValues(code, []))).toBe(
      '*123456* is your verification code. For your security, do not share this code.\nThis code expires in 10 minutes.',
    )
  })
})
