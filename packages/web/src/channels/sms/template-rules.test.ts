import { expect, test } from 'vitest'
import { alignVariables, checkTemplate, fillSamples, type TemplateDraft } from './template-rules.ts'

const draft: TemplateDraft = {
  header: 'ACMERT',
  category: 'service_implicit',
  body: 'Hi {#var#}, order {#alphanumeric#} ships today. -Acme',
  variables: [
    { name: 'name', kind: 'var', sample: 'Priya' },
    { name: 'order', kind: 'alphanumeric', sample: 'A4821' },
  ],
  entityId: '1101457820000012345',
  dltTemplateId: '1107172648190030862',
}

const find = (change: Partial<TemplateDraft>, id: string) =>
  checkTemplate({ ...draft, ...change }).find((finding) => finding.id === id)

test('a sound template passes everything', () => {
  expect(checkTemplate(draft).filter(({ level }) => level !== 'pass')).toEqual([])
})

test.each<[string, Partial<TemplateDraft>, string, string, string]>([
  ['no text', { body: ' ' }, 'fixed-text', 'blocker', 'The message is empty'],
  ['only variables', { body: '{#var#} {#var#}' }, 'fixed-text', 'blocker', 'Only variables'],
  ['a tag that is none', { body: 'Hi {#var1#}' }, 'tags', 'advice', '{#var1#} is not a DLT tag'],
  ['variables side by side', { body: 'Hi {#var#}{#numeric#}' }, 'tags', 'advice', 'Two variables side by side'],
  ['no header', { header: '' }, 'header', 'blocker', 'No header'],
  ['a short header', { header: 'ACME' }, 'header', 'advice', 'ACME has 4 characters'],
  ['a number for a service message', { header: '600123' }, 'header', 'advice', 'Numeric header'],
  ['an entity id of 18 digits', { entityId: '1'.repeat(18) }, 'entity', 'blocker', 'Entity id has 18 characters'],
  ['no entity id anywhere', { entityId: '' }, 'entity', 'advice', 'No entity id'],
  [
    'a template id with letters',
    { dltTemplateId: 'A107172648190030862' },
    'template-id',
    'blocker',
    'Invalid DLT template id',
  ],
  [
    'a sample too long',
    { variables: [{ name: 'name', kind: 'var', sample: 'x'.repeat(31) }] },
    'samples',
    'advice',
    'The sample of name does not fit',
  ],
  [
    'the same name twice',
    { variables: [draft.variables[0]!, draft.variables[0]!] },
    'samples',
    'advice',
    'Two variables are called name',
  ],
  ['a curly quote', { body: 'It’s here' }, 'alphabet', 'advice', 'Curly quote makes this Unicode'],
  ['variables that may grow', { body: `${'a'.repeat(140)}{#var#}` }, 'worst-case', 'advice', 'Up to 2 parts'],
  ['a promotion without a way out', { category: 'promotional' }, 'opt-out', 'advice', 'No opt-out instructions'],
  ['a shared shortener', { body: 'See bit.ly/abc' }, 'links', 'advice', 'bit.ly is a shared shortener'],
  [
    'a text that is not the approved one',
    { approved: 'Hello {#var#}' },
    'approved',
    'advice',
    'Differs from the approved text',
  ],
])('%s', (_, change, id, level, title) => {
  expect(find(change, id)).toMatchObject({ level, title })
})

test('the account’s entity id stands in for a missing one', () => {
  expect(find({ entityId: '', accountEntityId: '1101457820000012345' }, 'entity')).toMatchObject({ level: 'pass' })
})

test('a text in another script is Unicode on purpose', () => {
  expect(find({ body: 'नमस्ते {#var#}' }, 'alphabet')).toMatchObject({ level: 'pass', title: 'Unicode' })
})

test('what one press can replace says so', () => {
  expect(find({ body: 'It’s here' }, 'alphabet')).toMatchObject({ fix: 'replace-offenders' })
  expect(find({ body: 'Dear प्रिया' }, 'alphabet')).not.toHaveProperty('fix')
})

test('variables keep name and sample by place when the body changes', () => {
  expect(alignVariables('{#var#} and {#url#}', draft.variables)).toEqual([
    { name: 'name', kind: 'var', sample: 'Priya' },
    { name: 'order', kind: 'url', sample: 'A4821' },
  ])
  expect(fillSamples(draft)).toBe('Hi Priya, order A4821 ships today. -Acme')
})
