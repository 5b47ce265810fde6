import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { WhatsappManagement, WhatsappTemplateDraft } from '../management.ts'
import { picture, refusalOf, simulateMeta, type SimulatedMeta } from '../../../testing/cloud-api.ts'

let meta: SimulatedMeta

beforeEach(async () => {
  meta = await simulateMeta()
})
afterEach(() => meta.close())

const draft: WhatsappTemplateDraft = {
  name: 'order_update',
  language: 'en',
  category: 'UTILITY',
  parameterFormat: 'positional',
  content: {
    body: 'Hi {{1}}, your order {{2}} has been shipped today.',
    samples: [
      { name: '1', sample: 'Asha' },
      { name: '2', sample: 'A-17' },
    ],
    footer: 'Acme',
    buttons: [
      { type: 'URL', text: 'Track', url: 'https://acme.example/t/{{1}}', sample: 'https://acme.example/t/A-17' },
    ],
    cards: [],
    securityRecommendation: true,
  },
}

describe('templates', () => {
  const find = async (manage: WhatsappManagement, name: string) => {
    const { templates } = await manage.templateReview.list({})
    return templates.find((template) => template.name === name)
  }

  test('are created, read back unchanged, edited and deleted; their ids keep every digit', async () => {
    const manage = meta.open()
    const made = await manage.templateReview.create(draft)
    expect(made).toMatchObject({ id: expect.stringMatching(/^\d{16,}$/), status: 'PENDING', category: 'UTILITY' })
    await expect.poll(async () => (await find(manage, draft.name))?.status).toBe('APPROVED')
    expect(await find(manage, draft.name)).toMatchObject({ ...draft, id: made.id })
    const content = { ...draft.content, footer: 'Acme Retail' }
    await manage.templateReview.edit(made.id, { ...draft, content })
    expect(await find(manage, draft.name)).toMatchObject({ content })
    await manage.templateReview.delete(draft.name)
    expect((await find(manage, draft.name))?.status ?? 'DELETED').toMatch(/DELET/)
  })

  test('with a picture, a code, named variables and cards', async () => {
    const manage = meta.open()
    const handle = await manage.media.uploadSample(picture)
    const header = { type: 'HEADER', format: 'IMAGE', handle } as const
    const card = {
      header,
      body: 'Only today',
      samples: [],
      buttons: [{ type: 'QUICK_REPLY', text: 'More' }],
    } satisfies WhatsappTemplateDraft['content']['cards'][number]
    const { content } = draft
    const drafts: WhatsappTemplateDraft[] = [
      { ...draft, name: 'with_picture', content: { ...content, header } },
      {
        ...draft,
        name: 'with_cards',
        category: 'MARKETING',
        content: {
          ...content,
          footer: '',
          body: 'Look at what we have for you',
          samples: [],
          buttons: [],
          cards: [card, card],
        },
      },
      {
        ...draft,
        name: 'with_code',
        category: 'AUTHENTICATION',
        content: {
          ...content,
          body: '',
          samples: [],
          footer: '',
          codeExpirationMinutes: 10,
          buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy code', autofill_text: '', supported_apps: [] }],
        },
      },
      {
        ...draft,
        name: 'with_names',
        parameterFormat: 'named',
        content: {
          ...content,
          body: 'Hi {{first_name}}, your order was shipped.',
          samples: [{ name: 'first_name', sample: 'Asha' }],
          buttons: [],
        },
      },
    ]
    for (const each of drafts) expect((await manage.templateReview.create(each)).id).toMatch(/^\d+$/)
    const { templates } = await manage.templateReview.list({})
    expect(templates.map(({ name }) => name)).toEqual(expect.arrayContaining(drafts.map(({ name }) => name)))
    expect(templates.find(({ name }) => name === 'with_code')?.content).toMatchObject({
      codeExpirationMinutes: 10,
      buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }],
    })
    expect(templates.find(({ name }) => name === 'with_cards')?.content.cards).toHaveLength(2)
  })

  test('are read page by page to the end', async () => {
    const body = 'The words of this template are its own, by number'
    for (let count = 0; count < 130; count += 1)
      meta.simulator.graph.control.putTemplate({
        name: `many_${count}`,
        language: 'en',
        category: 'UTILITY',
        components: [{ type: 'BODY', text: `${body} ${count} only.` }],
      })
    const manage = meta.open()
    const first = await manage.templateReview.list({})
    const second = await manage.templateReview.list({ after: first.after })
    expect([first.templates.length, second.templates.length, second.after]).toEqual([100, 31, undefined])
    expect(new Set([...first.templates, ...second.templates].map(({ id }) => id)).size).toBe(131)
  })

  test("are rejected with Meta's user message", async () => {
    const content = { ...draft.content, body: 'Order {{1}}' }
    const refusal = await refusalOf(meta.open().templateReview.create({ ...draft, content }))
    expect(refusal).toMatchObject({ kind: 'input', code: '100' })
    expect(refusal.message).toMatch(/variable/i)
  })
})
