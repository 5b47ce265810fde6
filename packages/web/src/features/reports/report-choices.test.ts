import { reportTypesFor } from '@carillon/contract/report-file-records'
import { Module } from '@carillon/contract/roles'
import { describe, expect, test } from 'vitest'
import { firstDraft, requestOf } from './report-draft.ts'
import { choicesOf } from './use-report-types.ts'

const everyModule = new Set(Module.options)

describe('the choices of reports', () => {
  test('are together by group', () => {
    const groups = choicesOf(reportTypesFor({ role: 'manager', modules: everyModule })).map(({ group }) => group)
    const changes = groups.filter((group, index) => group !== groups[index - 1])
    expect(changes).toEqual([...new Set(groups)])
    expect(changes).toEqual(['Messages', 'Money', 'API and webhooks', 'Inbox', 'Accounts'])
  })

  test('are those of the role and the modules', () => {
    const ofUser = reportTypesFor({ role: 'user', modules: new Set() })
    expect(ofUser).toContain('ledger_statement')
    expect(ofUser).not.toContain('audit_log')
    expect(ofUser).not.toContain('api_usage')
    expect(reportTypesFor({ role: 'user', modules: new Set(['api']) })).toContain('api_usage')
    expect(reportTypesFor({ role: 'admin', modules: everyModule })).not.toContain('conversation_detail')
  })
})

test('a report without channels or campaigns is requested for all, whatever was chosen before', () => {
  const chosen = { ...firstDraft, channel: 'sms' as const, campaign: { _id: '1', name: 'Diwali' } }
  expect(requestOf({ ...chosen, type: 'ledger_statement' }).path).toMatchObject({ channel: 'all', campaignId: 'all' })
  expect(requestOf({ ...chosen, type: 'conversation_detail' }).path).toMatchObject({
    channel: 'sms',
    campaignId: 'all',
  })
  expect(requestOf({ ...chosen, type: 'delivery_log' }).path).toMatchObject({ channel: 'sms', campaignId: '1' })
})
