import { endpoints, type Endpoint } from '@carillon/contract'
import { ApiScope } from '@carillon/contract/api-scopes'
import { Module, Role } from '@carillon/contract/roles'
import { describe, expect, test } from 'vitest'
import { defaultScopes, scopeGroups, usableScopes } from './scopes.ts'

test('every scope is in one group', () => {
  expect(scopeGroups.flatMap(({ scopes }) => scopes).toSorted()).toEqual(ApiScope.options.toSorted())
})

describe.each(Role.options)('a %s', (role) => {
  const calls = (Object.values(endpoints) as Endpoint[]).filter(({ roles }) => roles.includes(role))

  test.each([[[]], [['template']], [['chat', 'api']], [Module.options]] satisfies [Module[]][])(
    'with the modules %j can use the scopes of the calls they allow',
    (modules) => {
      const open = calls.filter(({ module }) => !module || modules.some((own) => own === module))
      expect([...usableScopes(role, modules)].toSorted()).toEqual(
        [...new Set(open.flatMap(({ scope }) => scope ?? []))].toSorted(),
      )
    },
  )
})

test('the default has no scope that the account cannot use', () => {
  expect(defaultScopes(usableScopes('admin', Module.options))).not.toContain('messages:send')
  expect(defaultScopes(usableScopes('manager', Module.options))).toEqual(
    expect.arrayContaining(['messages:send', 'messages:read', 'templates:read', 'balance:read']),
  )
})
