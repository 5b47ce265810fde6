import type { TemplateButton, WhatsappTemplateContent } from '@carillon/contract/channels/whatsapp/whatsapp-templates'
import { describe, expect, test } from 'vitest'
import type { WhatsappTemplateDraft } from '../management.ts'
import { readTemplate } from './template-read.ts'
import { writeChange, writeTemplate } from './template-write.ts'

const plain: WhatsappTemplateContent = {
  body: 'Your order is on its way.',
  samples: [],
  footer: '',
  buttons: [],
  cards: [],
  securityRecommendation: true,
}
const url = 'https://acme.example/t/{{1}}'
const card = (name: string) => ({
  header: { type: 'HEADER', format: 'IMAGE', handle: `4::${name}` } as const,
  body: 'Only {{1}} today',
  samples: [{ name: '1', sample: '₹99' }],
  buttons: [
    { type: 'QUICK_REPLY', text: 'Later' } as const,
    { type: 'URL', text: 'Buy', url, sample: 'https://acme.example/t/7' } as const,
  ],
})
const otp: Extract<TemplateButton, { type: 'OTP' }> = {
  type: 'OTP',
  otp_type: 'COPY_CODE',
  text: 'Copy',
  autofill_text: '',
  supported_apps: [],
}

type Case = [string, Partial<WhatsappTemplateDraft>, Partial<WhatsappTemplateContent>, unknown[]]
const cases: Case[] = [
  ['text only', {}, {}, [{ type: 'BODY', text: plain.body }]],
  [
    'numbered variables, written in any order',
    {},
    {
      body: 'Order {{2}} of {{1}} is here',
      samples: [
        { name: '1', sample: 'Asha' },
        { name: '2', sample: 'A-17' },
      ],
    },
    [{ type: 'BODY', text: 'Order {{2}} of {{1}} is here', example: { body_text: [['Asha', 'A-17']] } }],
  ],
  [
    'named variables',
    { parameterFormat: 'named' },
    {
      header: { type: 'HEADER', format: 'TEXT', text: 'Dear {{first_name}}', sample: 'Asha' },
      body: 'Order {{order}} for {{first_name}} is here',
      samples: [
        { name: 'order', sample: 'A-17' },
        { name: 'first_name', sample: 'Asha' },
      ],
    },
    [
      {
        type: 'HEADER',
        format: 'TEXT',
        text: 'Dear {{first_name}}',
        example: { header_text_named_params: [{ param_name: 'first_name', example: 'Asha' }] },
      },
      {
        type: 'BODY',
        text: 'Order {{order}} for {{first_name}} is here',
        example: {
          body_text_named_params: [
            { param_name: 'order', example: 'A-17' },
            { param_name: 'first_name', example: 'Asha' },
          ],
        },
      },
    ],
  ],
  [
    'a header of text with a variable, a footer, a time to live',
    { category: 'UTILITY' },
    {
      header: { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}', sample: 'A-17' },
      footer: 'Acme',
      timeToLiveSeconds: 3600,
    },
    [
      { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}', example: { header_text: ['A-17'] } },
      { type: 'BODY', text: plain.body },
      { type: 'FOOTER', text: 'Acme' },
    ],
  ],
  ...(['IMAGE', 'VIDEO', 'DOCUMENT'] as const).map((format): Case => [
    `a header of ${format}`,
    {},
    { header: { type: 'HEADER', format, handle: '4::aW' } },
    [
      { type: 'HEADER', format, example: { header_handle: ['4::aW'] } },
      { type: 'BODY', text: plain.body },
    ],
  ]),
  [
    'a place',
    {},
    { header: { type: 'HEADER', format: 'LOCATION' } },
    [
      { type: 'HEADER', format: 'LOCATION' },
      { type: 'BODY', text: plain.body },
    ],
  ],
  [
    'buttons of every kind',
    {},
    {
      buttons: [
        { type: 'QUICK_REPLY', text: 'Help' },
        { type: 'URL', text: 'Track', url, sample: 'https://acme.example/t/A-17' },
        { type: 'URL', text: 'Shop', url: 'https://acme.example', sample: '' },
        { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+918047181000' },
        { type: 'COPY_CODE', sample: 'SAVE20' },
      ],
    },
    [
      { type: 'BODY', text: plain.body },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'QUICK_REPLY', text: 'Help' },
          { type: 'URL', text: 'Track', url, example: ['https://acme.example/t/A-17'] },
          { type: 'URL', text: 'Shop', url: 'https://acme.example' },
          { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+918047181000' },
          { type: 'COPY_CODE', example: 'SAVE20' },
        ],
      },
    ],
  ],
  [
    'cards',
    {},
    { cards: [card('a'), card('b')] },
    [
      { type: 'BODY', text: plain.body },
      {
        type: 'CAROUSEL',
        cards: ['a', 'b'].map((name) => ({
          components: [
            { type: 'HEADER', format: 'IMAGE', example: { header_handle: [`4::${name}`] } },
            { type: 'BODY', text: 'Only {{1}} today', example: { body_text: [['₹99']] } },
            {
              type: 'BUTTONS',
              buttons: [
                { type: 'QUICK_REPLY', text: 'Later' },
                { type: 'URL', text: 'Buy', url, example: ['https://acme.example/t/7'] },
              ],
            },
          ],
        })),
      },
    ],
  ],
  [
    'a code',
    { category: 'AUTHENTICATION' },
    {
      body: '',
      securityRecommendation: false,
      codeExpirationMinutes: 10,
      timeToLiveSeconds: 600,
      buttons: [otp],
    },
    [
      { type: 'BODY', add_security_recommendation: false },
      { type: 'FOOTER', code_expiration_minutes: 10 },
      { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy' }] },
    ],
  ],
  [
    'a code that an app takes by itself',
    { category: 'AUTHENTICATION' },
    {
      body: '',
      buttons: [
        {
          ...otp,
          otp_type: 'ONE_TAP',
          autofill_text: 'Fill',
          supported_apps: [{ package_name: 'com.acme', signature_hash: 'K8a/AINcGX7' }],
        },
      ],
    },
    [
      { type: 'BODY', add_security_recommendation: true },
      {
        type: 'BUTTONS',
        buttons: [
          {
            type: 'OTP',
            otp_type: 'ONE_TAP',
            text: 'Copy',
            autofill_text: 'Fill',
            supported_apps: [{ package_name: 'com.acme', signature_hash: 'K8a/AINcGX7' }],
          },
        ],
      },
    ],
  ],
]

describe.each(cases)('a template with %s', (_, more, content, components) => {
  const draft: WhatsappTemplateDraft = {
    name: 'order_update',
    language: 'en',
    category: 'MARKETING',
    parameterFormat: 'positional',
    ...more,
    content: { ...plain, ...content },
  }
  const ttl =
    draft.content.timeToLiveSeconds === undefined ? {} : { message_send_ttl_seconds: draft.content.timeToLiveSeconds }

  test("is written in Meta's format", () => {
    const { name, language, ...change } = writeTemplate(draft)
    expect({ name, language }).toEqual({ name: 'order_update', language: 'en' })
    expect(change).toEqual({ category: draft.category, parameter_format: draft.parameterFormat, ...ttl, components })
    expect(change).toEqual(writeChange(draft))
  })

  test('is unchanged when it is read back', () => {
    const row = {
      ...writeTemplate(draft),
      id: '9107199254740993',
      status: 'APPROVED',
      parameter_format: draft.parameterFormat.toUpperCase(),
    }
    expect(readTemplate(row)).toEqual([
      {
        ...draft,
        id: '9107199254740993',
        status: 'APPROVED',
        quality: 'unknown',
        rejectedReason: undefined,
        previousCategory: undefined,
      },
    ])
  })
})

describe('templates read from Meta', () => {
  const read = (row: object) =>
    readTemplate({ id: '5', name: 'a', language: 'en', category: 'UTILITY', status: 'APPROVED', ...row })[0]

  test('the button of an authentication template is read as a link', () => {
    const link = 'https://www.whatsapp.com/otp/code/?otp_type=ONE_TAP&code_expiration_minutes=10&code=otp{{1}}'
    const components = [
      {
        type: 'BODY',
        text: '*{{1}}* is your verification code.',
        add_security_recommendation: true,
        example: { body_text: [['123456']] },
      },
      { type: 'FOOTER', text: 'This code expires in 10 minutes.', code_expiration_minutes: 10 },
      { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Copy code', url: link, example: [link] }] },
    ]
    expect(read({ category: 'AUTHENTICATION', components })?.content).toMatchObject({
      body: '*{{1}}* is your verification code.',
      samples: [],
      codeExpirationMinutes: 10,
      buttons: [{ type: 'OTP', otp_type: 'ONE_TAP', text: 'Copy code' }],
    })
  })

  test('quality, rejection reason and previous category', () => {
    expect(
      read({
        quality_score: { score: 'YELLOW', date: 1 },
        rejected_reason: 'INVALID_FORMAT',
        previous_category: 'MARKETING',
        status: 'REJECTED',
      }),
    ).toMatchObject({
      quality: 'yellow',
      rejectedReason: 'INVALID_FORMAT',
      previousCategory: 'MARKETING',
      status: 'REJECTED',
    })
    expect(read({ rejected_reason: 'NONE' })?.rejectedReason).toBeUndefined()
  })

  test('an unsupported component keeps the positions of the components after it', () => {
    const buttons = [
      { type: 'FLOW', text: 'Book', flow_id: '1' },
      { type: 'CATALOG' },
      { type: 'URL', text: 'Shop', url, example: [url] },
    ]
    const content = read({
      status: 'SOMETHING_NEW',
      message_send_ttl_seconds: -1,
      components: [
        { type: 'HEADER', format: 'PRODUCT' },
        { type: 'BODY', text: 'Hi {{1}} you', example: { body_text: ['Asha'] } },
        { type: 'LIMITED_TIME_OFFER' },
        { type: 'BUTTONS', buttons },
      ],
    })?.content
    expect(content).toMatchObject({ body: 'Hi {{1}} you', samples: [{ name: '1', sample: 'Asha' }] })
    expect(content).not.toHaveProperty('header')
    expect(content).not.toHaveProperty('timeToLiveSeconds')
    expect(content?.buttons).toMatchObject([
      { type: 'QUICK_REPLY', text: 'Book' },
      { type: 'QUICK_REPLY', text: 'CATALOG' },
      { type: 'URL' },
    ])
  })

  test.each([{}, { id: '5' }, { name: 'a' }, { id: null, name: 'a' }])('%j is not a template', (row) => {
    expect(readTemplate(row)).toEqual([])
  })
})
